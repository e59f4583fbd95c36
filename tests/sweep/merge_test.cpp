#include "sweep/merge.hpp"

#include <SQLiteCpp/Transaction.h>
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "orderlab/error.hpp"
#include "sweep/config_text.hpp"
#include "sweep/store.hpp"
#include "sweep/stored_row.hpp"
#include "sweep/sweep.hpp"

using namespace orderlab;

namespace {

namespace fs = std::filesystem;

// Stores of the shards of one config, in its folder.
struct Shards {
  ConfigText config{"n = [10, 20, 30]\norder = ['random', 'seq', 'pairwise']\nsamples = 5\n"};
  std::string path(const std::string& name) const { return (config.folder() / name).string(); }
  std::string sweep(const std::string& name, Shard shard = {}) const {
    const SweepPlan plan = config.plan();
    Store store(path(name), Store::Access::create);
    run_sweep(plan, store, {.shard = shard, .memory_bytes = 1e9});
    return path(name);
  }
  std::vector<std::string> sweep_all(std::size_t count) const {
    std::vector<std::string> stores;
    for (std::size_t i = 1; i <= count; ++i) stores.push_back(sweep("part-" + std::to_string(i), {i, count}));
    return stores;
  }
};

// What an export would show, without times.
std::vector<std::string> rows_of(const std::string& path) {
  std::vector<std::string> rows;
  Store(path, Store::Access::read).for_each_row([&](const StoredRow& row) {
    const StoredPoint& p = row.point;
    rows.push_back(std::to_string(row.position) + row.order_text + p.hash + p.config + p.terms + p.metrics + p.counts);
  });
  return rows;
}

void run_statements(const std::string& path, const std::string& statements) {
  SQLite::Database(path, SQLite::OPEN_READWRITE).exec(statements);
}

std::string merge_refusal(const std::string& to, const std::vector<std::string>& from,
                          const MergeOptions& options = {}) {
  try {
    merge_stores(to, from, options);
  } catch (const Error& error) {
    return error.what();
  }
  return "merged";
}

// The store as an orderlab with that bits_version would have written it.
void name_points_by(const std::string& path, int bits_version) {
  std::map<std::string, std::string> names;
  std::vector<StoredPoint> points;
  std::vector<PlanRow> places;
  {
    const Store store(path, Store::Access::read);
    store.for_each_point([&](const StoredPoint& point) {
      points.push_back(point);
      points.back().hash = names[point.hash] = hash_of(std::to_string(bits_version) + " " + point.config).text();
    });
    store.for_each_place([&](const StoredPlace& place) {
      places.push_back({static_cast<std::int64_t>(place.position), names.at(place.point), place.order_text, ""});
    });
  }
  SQLite::Database database(path, SQLite::OPEN_READWRITE);
  SQLite::Transaction transaction(database);
  database.exec("DELETE FROM sweep; DELETE FROM plan; DELETE FROM point; DELETE FROM finished");
  ContentHasher plan;
  FinishedRow finished;
  RowWriter plan_rows(database, kPlanTable);
  for (const PlanRow& row : places) {
    add_to_plan_hash(plan, row.point, row.order_text, row.arrival_text);
    plan_rows.write(row);
  }
  RowWriter point_rows(database, kPointTable);
  for (const StoredPoint& point : points) finished.add(*point_rows.write(point));
  RowWriter(database, kSweepTable).write(SweepRow{"", "", plan.digest().text()});
  RowWriter(database, kFinishedTable).write(finished);
  transaction.commit();
}

}  // namespace

TEST_CASE("a store knows the shards that were run on it, and a merged one knows none") {
  const Shards shards;
  const std::string one = shards.sweep("one", {2, 3});
  const auto known = [&](const std::string& path) { return Store(path, Store::Access::read).sweep().shards; };
  CHECK(known(one) == std::vector<Shard>{{2, 3}});
  shards.sweep("one", {2, 3});
  shards.sweep("one", {1, 3});
  shards.sweep("one", {1, 2});
  CHECK(known(one) == std::vector<Shard>{{2, 3}, {1, 3}, {1, 2}});
  CHECK(known(shards.sweep("whole")).empty());
  merge_stores(shards.path("merged"), std::vector<std::string>{one});
  CHECK(known(shards.path("merged")).empty());
  CHECK(!SQLite::Database(shards.path("merged")).tableExists("shard"));
}

TEST_CASE("shards are those of the plan; a row of them that is damaged is noticed, and sweep mends it") {
  const Shards shards;
  const std::string one = shards.sweep("one", {1, 2});
  shards.sweep("one", {2, 2});
  run_statements(one, "UPDATE shard SET number = 3 WHERE number = 1");
  CHECK_THROWS_WITH_AS(Store(one, Store::Access::read), doctest::Contains("is damaged: the list of its shards"), Error);
  shards.sweep("one", {2, 2});
  CHECK(Store(one, Store::Access::read).sweep().shards == std::vector<Shard>{{2, 2}});
  const ConfigText longer("n = [10, 20, 30, 40]\norder = ['random', 'seq', 'pairwise']\nsamples = 5\n");
  {
    Store store(one, Store::Access::write);
    store.set_plan(longer.plan(), {3, 4});
  }
  CHECK(Store(one, Store::Access::read).sweep().shards == std::vector<Shard>{{3, 4}});
}

TEST_CASE("shards can be merged in steps, in any order, and by different N") {
  const Shards shards;
  const std::string whole = shards.sweep("whole");
  const std::vector<std::string> by_4 = shards.sweep_all(4);
  const std::string half = shards.sweep("half", {2, 2});
  const std::string to = shards.path("all");
  CHECK(merge_stores(to, std::vector<std::string>{by_4[2], by_4[0]}).stored == 5);
  CHECK(merge_stores(to, std::vector<std::string>{half}).stored == 9);
  CHECK(merge_stores(to, by_4).added == 0);
  CHECK(rows_of(to) == rows_of(whole));
}

TEST_CASE("stores that are not there or have no sweep are merged as empty ones where that is asked for") {
  const Shards shards;
  const std::string one = shards.sweep("one", {1, 2});
  const std::string absent = shards.path("absent");
  const std::string no_bytes = shards.path("no_bytes");
  { const std::ofstream empty(no_bytes); }
  const std::string no_plan = shards.path("no_plan");
  { const Store store(no_plan, Store::Access::create); }
  const std::string to = shards.path("all");
  const std::vector<std::string> all{absent, one, no_bytes, no_plan};
  CHECK(merge_refusal(to, {one, absent}).find("absent: no such file") != std::string::npos);
  CHECK(merge_refusal(to, {one, no_bytes}).find("no_bytes: is empty") != std::string::npos);
  CHECK(merge_refusal(to, {one, no_plan}).find("no_plan: holds no sweep") != std::string::npos);
  CHECK(!fs::exists(to));
  MergeOptions options;
  options.allow_absent = true;
  CHECK(merge_refusal(to, {absent, no_plan}, options).find("no store that is named has a sweep") != std::string::npos);
  CHECK(!fs::exists(to));
  const MergeOutcome outcome = merge_stores(to, all, options);
  CHECK(outcome.stored == 5);
  CHECK(outcome.absent == std::vector<std::string>{absent, no_bytes, no_plan});
  REQUIRE(outcome.runs.size() == 1);
  CHECK(outcome.runs[0].shard == Shard{1, 2});
  CHECK(!fs::exists(absent));
  CHECK(fs::file_size(no_bytes) == 0);
}

TEST_CASE("a store given twice is refused, under whatever name") {
  const Shards shards;
  const std::vector<std::string> parts = shards.sweep_all(2);
  fs::create_symlink(parts[0], shards.path("link"));
  fs::create_hard_link(parts[0], shards.path("hard"));
  const std::string to = shards.path("all");
  CHECK(merge_refusal(to, {parts[0], parts[1], parts[0]}) == parts[0] + ": is given twice; name each store once");
  for (const char* name : {"link", "hard"}) {
    const std::string other = shards.path(name);
    CHECK(merge_refusal(to, {parts[0], other}) ==
          other + ": is given twice, also as " + parts[0] + "; name each store once");
    CHECK(merge_refusal(parts[0], {other}).find("is merged with itself") != std::string::npos);
  }
  CHECK(!fs::exists(to));
}

TEST_CASE("what becomes of a store between being checked and being added") {
  const Shards shards;
  const std::string whole = shards.sweep("whole");
  const std::vector<std::string> parts = shards.sweep_all(3);
  const std::string to = shards.path("all");
  MergeOptions options;
  const auto meanwhile = [&](const auto& happens) {
    options.progress = [&, happens](std::uint64_t done, std::uint64_t total) {
      CHECK(total == 6);
      if (done == 3) happens();
    };
  };
  SUBCASE("points that a sweep adds are left for another merge") {
    fs::copy_file(parts[1], shards.path("begun"));
    run_statements(shards.path("begun"), "DELETE FROM point; DELETE FROM finished");
    {
      SQLite::Database database(shards.path("begun"), SQLite::OPEN_READWRITE);
      RowWriter(database, kFinishedTable).write(FinishedRow{});
    }
    meanwhile([&] { shards.sweep("begun", {2, 3}); });
    const std::vector<std::string> from{parts[0], shards.path("begun"), parts[2]};
    CHECK(merge_stores(to, from, options).stored == 6);
    CHECK(merge_stores(to, from).stored == 9);
    CHECK(rows_of(to) == rows_of(whole));
  }
  SUBCASE("another store in its place is noticed") {
    meanwhile([&] { fs::copy_file(parts[1], parts[0], fs::copy_options::overwrite_existing); });
    CHECK(merge_refusal(to, parts, options).starts_with(parts[0] + ": has changed while it was merged"));
  }
  SUBCASE("another plan is noticed") {
    meanwhile([&] {
      Store store(parts[2], Store::Access::write);
      store.set_plan(ConfigText("n = 10\norder = 'random'\nsamples = 5\n").plan());
    });
    CHECK(merge_refusal(to, parts, options).starts_with(parts[2] + ": has changed while it was merged"));
  }
  SUBCASE("a lost point is noticed") {
    meanwhile([&] { run_statements(parts[2], "DELETE FROM point WHERE rowid = 1"); });
    CHECK(merge_refusal(to, parts, options).starts_with(parts[2] + ": is damaged"));
  }
  SUBCASE("a merge that is stopped can be repeated") {
    std::stop_source stop;
    options.stop = stop.get_token();
    options.progress = [&](std::uint64_t done, std::uint64_t) {
      if (done == 4) stop.request_stop();
    };
    const MergeOutcome outcome = merge_stores(to, parts, options);
    CHECK(outcome.stopped);
    CHECK(outcome.added == 3);
    CHECK(merge_stores(to, parts).added == 6);
    CHECK(rows_of(to) == rows_of(whole));
  }
}

TEST_CASE("stores of two versions whose bits differ are told from stores of two configs") {
  const Shards shards;
  const std::string now = shards.sweep("now");
  const std::string then = shards.sweep("then");
  name_points_by(then, 1);
  CHECK(Store(then, Store::Access::read).sweep().finished == 9);
  const std::string said = merge_refusal(shards.path("all"), {now, then});
  CHECK(said.starts_with(then + ": has results of bits_version 1, and " + now + " of " + std::to_string(kBitsVersion)));
  CHECK(merge_refusal(shards.path("all"), {then}) == "merged");
}
