#include "sweep/store_content.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "config/json.hpp"
#include "orderlab/error.hpp"
#include "sweep/store_plan.hpp"

namespace orderlab {

namespace {

std::string field(const Json& config, std::string_view key) {
  const Json& value = config[key];
  if (value.is_null()) return {};
  return value.is_text() ? value.text() : value.dump();
}

// The row may say anything: the text is empty where it is no config.
std::string in_short(const std::string& config) {
  Json json;
  try {
    json = Json::parse(config);
  } catch (const Error&) {
    return {};
  }
  std::string text;
  for (const char* key : {"op", "n", "shape", "dist", "format", "order"}) {
    const std::string value = field(json, key);
    if (!value.empty()) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", key, value.substr(0, 60));
  }
  return text.empty() ? "" : " (" + text + ")";
}

std::string in_brackets(const std::string& order) {
  return order.empty() ? std::string() : " (" + order.substr(0, 60) + ")";
}

class ContentReader {
 public:
  explicit ContentReader(const SQLite::Database& database) : database_(database) {}

  StoreContent read(bool with_plan) {
    read_points();
    read_sweep();
    read_beside_plan();
    if (with_plan) read_plan();
    for (const auto& [hash, config] : damaged_points_) damaged("a point" + in_short(config));
    compare_finished();
    return std::move(content_);
  }

 private:
  void damaged(std::string what) { content_.damage.push_back(std::move(what)); }

  void read_points() {
    RowReader rows(database_, kPointTable);
    while (rows.next()) {
      ++content_.rows;
      const std::string text = rows.hash_text();
      const std::optional<ContentHash> hash = ContentHash::from_text(text);
      if (rows.intact() && hash && content_.rowids.try_emplace(*hash, rows.rowid()).second)
        content_.finished.add(rows.hash());
      else
        damaged_points_.emplace(text, rows.point().config);
    }
  }

  void read_sweep() {
    RowReader rows(database_, kSweepTable);
    content_.planned = rows.next();
    if (!content_.planned) return;
    const SweepRow row = rows.sweep();
    content_.sweep = {row.title, row.question, row.plan_hash, {}, {}};
    if (!rows.intact() || rows.next()) plan_damaged("the title, the question or the hash of the plan");
  }

  void read_beside_plan() {
    if (!content_.planned) return;
    BesidePlan beside = beside_plan(database_, content_.sweep.plan_hash);
    if (!beside.published_intact) plan_damaged("the published points");
    if (!beside.shards_intact) damaged("the list of its shards");
    content_.sweep.published = std::move(beside.published);
    content_.sweep.shards = std::move(beside.shards);
  }

  void plan_damaged(std::string what) {
    content_.plan_intact = false;
    damaged(std::move(what));
  }

  void read_plan() {
    RowReader rows(database_, kPlanTable);
    ContentHasher all;
    while (rows.next()) {
      const PlanRow row = rows.plan();
      const auto expected = static_cast<std::int64_t>(content_.sweep.points++);
      if (!rows.intact() || row.position != expected)
        plan_damaged(fmt::format("row {} of the plan{}", expected, in_brackets(row.order_text)));
      add_to_plan_hash(all, row.point, row.order_text, row.arrival_text);
      if (content_.rowid(row.point))
        ++content_.sweep.finished;
      else
        not_there(row);
    }
    if (content_.plan_intact && content_.planned && all.digest().text() != content_.sweep.plan_hash)
      plan_damaged("the plan, which has lost rows");
  }

  // Unfinished, damaged or lost.
  void not_there(const PlanRow& row) {
    if (const auto found = damaged_points_.find(row.point); found != damaged_points_.end()) {
      damaged(fmt::format("point {}{}", row.position, in_short(found->second)));
      damaged_points_.erase(found);
    } else if (++missing_count_ <= kMostNamed) {
      missing_ += fmt::format("{}point {}{}", missing_.empty() ? "" : ", ", row.position, in_brackets(row.order_text));
    }
  }

  void compare_finished() {
    RowReader rows(database_, kFinishedTable);
    const bool there = rows.next();
    if (!there || !rows.intact()) return damaged("the number of finished points");
    const FinishedRow row = rows.finished();
    if (row == content_.finished || !content_.damage.empty()) return;
    const std::int64_t lost = row.points - content_.finished.points;
    if (lost > 0 && static_cast<std::size_t>(lost) == missing_count_ && missing_count_ <= kMostNamed)
      damaged(missing_ + (lost == 1 ? ", which is" : ", which are") + " lost");
    else if (lost > 0)
      damaged(fmt::format("{} finished point{} that {} lost", lost, lost == 1 ? "" : "s", lost == 1 ? "is" : "are"));
    else
      damaged("the number of finished points");
  }

  const SQLite::Database& database_;
  StoreContent content_;
  std::unordered_multimap<std::string, std::string> damaged_points_;  // hash as it stands there, config
  std::size_t missing_count_ = 0;
  std::string missing_;
};

}  // namespace

std::optional<std::int64_t> StoreContent::rowid(const std::string& hash_text) const {
  const std::optional<ContentHash> hash = ContentHash::from_text(hash_text);
  const auto found = hash ? rowids.find(*hash) : rowids.end();
  return found == rowids.end() ? std::nullopt : std::optional(found->second);
}

StoreContent read_content(const SQLite::Database& database, bool with_plan) {
  return ContentReader(database).read(with_plan);
}

}  // namespace orderlab
