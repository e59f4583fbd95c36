// Sweeps over operations with many outputs: what is stored, exported and shown of them, beside sums and alone.
#include <doctest/doctest.h>
#include <sqlite3.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <stop_token>
#include <string>
#include <thread>

#include "cli/refusals.hpp"

using namespace orderlab::cli;
using orderlab::Json;

namespace {

constexpr const char* kOperationConfig =
    "op = ['index_add', 'scatter_add']\nshape = ['40x20', '60x9']\nratio = [0.5, 1]\n"
    "arrival = ['uniform', 'jitter(3)']\nsamples = 12\n";

Outcome sweep_operations(const std::string& store, const Line& more = {}) {
  return run(Line{"sweep", "c.toml", "--db", store} + more);
}

std::string exported_operations(const std::string& store, const std::string& flag = "--csv") {
  const Outcome outcome = run({"export", store, flag, "-"});
  CHECK(outcome.status == kDone);
  return outcome.out;
}

// What SQLite says of a store, rows apart.
std::vector<std::string> asked(const std::string& store, const std::string& query) {
  std::vector<std::string> rows;
  sqlite3* client = nullptr;
  REQUIRE(sqlite3_open(store.c_str(), &client) == SQLITE_OK);
  const auto add = [](void* to, int columns, char** values, char**) {
    std::string row;
    for (int i = 0; i < columns; ++i)
      row += std::string(i == 0 ? "" : "|") + (values[i] == nullptr ? "NULL" : values[i]);
    static_cast<std::vector<std::string>*>(to)->push_back(row);
    return 0;
  };
  CHECK(sqlite3_exec(client, query.c_str(), add, &rows, nullptr) == SQLITE_OK);
  sqlite3_close(client);
  return rows;
}

std::string line_of(const std::string& csv, std::size_t i) { return lines_of(csv).at(i); }

}  // namespace

TEST_CASE("operations: an export is the same for any number of threads and any split into shards") {
  const TemporaryFolder folder;
  TemporaryFolder::write("c.toml", kOperationConfig);
  CHECK(sweep_operations("1", {"--threads", "1"}).out == "16 points in 1: 16 new, 0 from before\n");
  CHECK(sweep_operations("t3", {"--threads", "3"}).status == kDone);
  for (const char* shard : {"1/3", "2/3", "3/3"})
    CHECK(sweep_operations(std::string("s") + shard[0], {"--shard", shard, "--quiet"}).out.empty());
  CHECK(run({"merge", "--db", "all", "s3", "s1", "s2"}).out == "16 of 16 points in all, 16 of them new\n");
  for (const char* flag : {"--csv", "--json"})
    for (const char* store : {"t3", "all"}) CHECK(exported_operations(store, flag) == exported_operations("1", flag));
  const std::string points = "SELECT hash, config, terms, summation, metrics, counts FROM point ORDER BY hash";
  CHECK(asked("t3", points) == asked("1", points));
  CHECK(asked("all", points) == asked("1", points));
  CHECK(asked("all", "PRAGMA user_version")[0] == "3");
  const std::string view =
      "SELECT op, shape, ratio, kernel, outputs, contributions, units, can_vary, compared_with, vc_mean, vc_sd, "
      "vc_min, vc_median, vc_max, vc_of_order_mean, vc_of_order_sd, method_offset_vc, vermv_paper_mean, "
      "vermv_code_mean, vermv_robust_mean, max_ulp, max_error_ulp, samples FROM results";
  CHECK(asked("all", view) == asked("1", view));
  for (const std::string& row : asked("1", view)) CHECK(row.find("NULL") == std::string::npos);
  const std::string known = "SELECT count(vc_exact_expectation) FROM results WHERE arrival = ";
  CHECK(asked("1", known + "'uniform'")[0] != "0");
  CHECK(asked("1", known + "'jitter(3)'")[0] == "0");
}

TEST_CASE("operations: a point says what `sample` says of it") {
  const TemporaryFolder folder;
  TemporaryFolder::write("c.toml", kOperationConfig);
  CHECK(sweep_operations("s").status == kDone);
  for (const std::string& line : lines_of(exported_operations("s", "--json"))) {
    const Json point = Json::parse(line);
    const Json& config = point["config"];
    const Json sample = json_of({"sample", "--op", config["op"].text(), "--shape", config["shape"].text(), "--ratio",
                                 config["ratio"].dump(), "--arrival", config["arrival"].text(), "--samples", "12"});
    REQUIRE(!sample.is_null());
    for (const auto& [key, value] : point.members()) {
      CAPTURE(key);
      if (key == "position" || key == "order_text" || key == "arrival_text" || key == "input_number") continue;
      if (key != "config") CHECK(sample[key].dump() == value.dump());
    }
    for (const auto& [key, value] : sample["config"].members())
      if (key != "baseline" && !value.is_null()) CHECK(config[key].dump() == value.dump());
    for (const char* key : {"vc", "vc_of_order", "method_offset", "vermv", "distinct", "launch"})
      CHECK(point.contains(key));
  }
}

TEST_CASE("operations: orders, sizes of one dimension and files") {
  const TemporaryFolder folder;
  TemporaryFolder::write("x.txt", "1\n0x1p-24\n0x1p-24\n1\n");
  TemporaryFolder::write("i.txt", "0\n0\n0\n1\n");
  TemporaryFolder::write("c.toml", "op = 'bincount'\ninput = 'x.txt'\nindex = 'i.txt'\nformat = 'fp32'\nsamples = 9\n");
  CHECK(sweep_operations("files").out == "1 point in files: 1 new, 0 from before\n");
  const Json point = Json::parse(exported_operations("files", "--json"));
  const Json sample = json_of(
      {"sample", "--op", "bincount", "--input", "x.txt", "--index", "i.txt", "--format", "fp32", "--samples", "9"});
  for (const char* key : {"input", "index"}) CHECK(point["config"][key] == sample["config"][key]);
  CHECK(point["vc"].dump() == sample["vc"].dump());
  CHECK(sweep_operations("files").out == "1 point in files: 0 new, 1 from before\n");
  CHECK(run({"report", "files", "-o", "a.html", "--quiet"}).status == kDone);
  CHECK(has(TemporaryFolder::read("a.html"), "index = &quot;" + point["config"]["index"].text()));
  TemporaryFolder::write("i.txt", "0\n0\n1\n1\n");
  CHECK(has(run({"sweep", "c.toml", "--db", "other"}).out, "1 new"));
  CHECK(exported_operations("files") != exported_operations("other"));

  TemporaryFolder::write("c.toml",
                         "op = 'sum(axis=1)'\nshape = '6x40'\norder = ['ao', 'pairwise']\narrival = ['uniform', "
                         "'jitter(2)']\nsamples = 9\nbaseline = 'exact'\n");
  CHECK(has(sweep_operations("orders").out, "3 points"));  // pairwise takes no arrivals
  const Json first = Json::parse(line_of(exported_operations("orders", "--json"), 0));
  const Json same = json_of(
      {"sample", "--op", "sum(axis=1)", "--shape", "6x40", "--order", "ao", "--samples", "9", "--baseline", "exact"});
  CHECK(first["config"].dump() == same["config"].dump());
  CHECK(first["vc"].dump() == same["vc"].dump());
  std::filesystem::create_directory("in");
  TemporaryFolder::write("in/t.csv", "1,0,2\n2,1,0\n");
  TemporaryFolder::write("in/c.toml", "op = 'index_add'\nshape = '18x20'\narrival = \"trace('t.csv')\"\nsamples = 9\n");
  CHECK(has(run({"sweep", "in/c.toml", "--db", "trace"}).out, "1 new"));
  const Json traced = Json::parse(exported_operations("trace", "--json"));
  CHECK(traced["units"] == 3);
  CHECK(has(traced["config"]["arrival"].text(), "xxh3:"));
  TemporaryFolder::write("c.toml", "op = ['bincount', 'matmul(4,5,300)']\nn = [100, 200]\nsamples = 3\n");
  CHECK(has(sweep_operations("n").out, "3 points"));  // matmul says its shapes
}

TEST_CASE("operations: a stopped sweep keeps what is finished, and the same command goes on") {
  const TemporaryFolder folder;
  TemporaryFolder::write("c.toml", "op = 'index_add'\nshape = '90x40'\ninput = { from = 0, to = 40 }\nsamples = 60\n");
  int stops = 0;
  for (std::chrono::milliseconds delay(10);; delay *= 2) {
    std::stop_source source;
    const std::jthread stopper([&] {
      std::this_thread::sleep_for(delay);
      source.request_stop();
    });
    const Outcome outcome = run({"sweep", "c.toml", "--db", "s", "--threads", "2"}, source.get_token());
    if (outcome.status == kDone) break;
    ++stops;
    REQUIRE(outcome.status == kInterrupted);
  }
  CHECK(stops >= 1);
  CHECK(sweep_operations("s").out == "41 points in s: 0 new, 41 from before\n");
  CHECK(sweep_operations("fresh").status == kDone);
  CHECK(exported_operations("s") == exported_operations("fresh"));
  CHECK(!has(exported_operations("s", "--json"), "\"partial\""));
}

TEST_CASE("operations: a damaged point is found, named, and computed again") {
  const TemporaryFolder folder;
  TemporaryFolder::write("c.toml", "op = 'index_add'\nshape = ['20x9', '21x9']\nsamples = 5\n");
  CHECK(sweep_operations("s").status == kDone);
  const std::string before = exported_operations("s");
  asked("s", "UPDATE point SET metrics = '{}' WHERE terms LIKE '%[20,9]%'");
  const Outcome damaged = run({"export", "s", "--csv", "-"});
  CHECK(damaged.status == 2);
  CHECK(has(damaged.err, "s: is damaged: point 0 (op index_add, shape 20x9, dist normal(0,1), format fp32)"));
  CHECK(has(sweep_operations("s").out, "1 new, 1 from before"));
  CHECK(exported_operations("s") == before);
  CHECK(asked("s", "PRAGMA user_version")[0] == "3");
  CHECK(asked("s", "SELECT count(vc_mean) FROM results")[0] == "2");
}

TEST_CASE("operations and sums: one store, one export, one page, and a config that gives them again") {
  const TemporaryFolder folder;
  const std::string sums = "n = [40, 400]\norder = ['spa', 'seq']\nsamples = 30\n";
  TemporaryFolder::write("c.toml", sums);
  CHECK(sweep_operations("sums").status == kDone);
  const auto sum_rows = lines_of(exported_operations("sums"));
  TemporaryFolder::write("c.toml", sums +
                                       "format = 'fp64'\ndist = 'uniform(0,10)'\nop = ['sum', 'index_add']\n"
                                       "shape = ['20x10', '40x10']\n");
  const Outcome mixed = sweep_operations("mixed");
  CHECK(mixed.out == "6 points in mixed: 6 new, 0 from before\n");
  const std::string csv = exported_operations("mixed");
  CHECK(has(line_of(csv, 0), ",config.n,"));
  CHECK(has(line_of(csv, 0), ",vc.mean,"));
  CHECK(!has(sum_rows[0], "vc.mean"));
  CHECK(!has(sum_rows[0], "config.op"));
  std::size_t sum_points = 0;
  for (const std::string& line : lines_of(exported_operations("mixed", "--json"))) {
    const Json point = Json::parse(line);
    if (point["config"].contains("op")) continue;
    ++sum_points;
    const auto same = lines_of(exported_operations("sums", "--json"));
    CHECK(std::any_of(same.begin(), same.end(), [&](const std::string& other) {
      return line.substr(line.find("\"order_text\"")) == other.substr(other.find("\"order_text\""));
    }));
  }
  CHECK(sum_points == 4);
  for (const char* store : {"mixed", "sums"}) {
    CHECK(run({"report", store, "-o", "a.html", "--spec", "specs", "--quiet"}).status == kDone);
    const std::string page = TemporaryFolder::read("a.html");
    const bool both = std::string(store) == "mixed";
    CHECK(has(page, "<section id=\"vc_size\">") == both);
    CHECK(has(page, "sd of Vc") == both);
    CHECK(has(page, "<section id=\"accuracy\">"));
    CHECK(has(page, both ? "6 of 6 planned" : "4 of 4 planned"));
  }
  const std::string page = TemporaryFolder::read("a.html");
  CHECK(!has(page, "op = "));
  CHECK(run({"merge", "--db", "merged", "sums"}).status == kDone);
  CHECK(asked("sums", "PRAGMA user_version")[0] == "2");
  CHECK(asked("merged", "PRAGMA user_version")[0] == "2");
  CHECK(asked("merged", "SELECT sql FROM sqlite_master") == asked("sums", "SELECT sql FROM sqlite_master"));
  CHECK(asked("mixed", "PRAGMA user_version")[0] == "3");
  CHECK(asked("sums",
              "SELECT count(*) FROM pragma_table_info('results') WHERE name IN ('op', 'vc_mean', 'shape')")[0] == "0");
  CHECK(asked("mixed", "SELECT count(vc_mean) FROM results")[0] == "2");
}

TEST_CASE("operations: a page of them alone shows Vc against size and ratio") {
  const TemporaryFolder folder;
  TemporaryFolder::write("c.toml", kOperationConfig);
  CHECK(sweep_operations("s").status == kDone);
  CHECK(run({"report", "s", "-o", "a.html", "--spec", "specs", "--quiet"}).status == kDone);
  const std::string page = TemporaryFolder::read("a.html");
  for (const char* part : {"<section id=\"vc_size\">", "<section id=\"vc_ratio\">", "indexFuncLargeIndex", "sd of Vc",
                           "op = [&quot;index_add&quot;, &quot;scatter_add&quot;]"})
    CHECK(has(page, part));
  const Json spec = Json::parse(TemporaryFolder::read("specs/vc_size.vl.json"));
  CHECK(has(spec.dump(), "\"kind\":\"expected\""));
  CHECK(has(spec.dump(), "\"low\":"));
  CHECK(!has(page, "<section id=\"accuracy\">"));
}

TEST_CASE("operations: a store keeps the published points of its config, and a page shows them") {
  const TemporaryFolder folder;
  const std::string config = "op = 'index_add'\nshape = ['40x40', '60x60']\nsamples = 5\n";
  TemporaryFolder::write("p.csv", "# made up\nn,R,vc_mean,vc_sd\n40,1,0.125,0.01\n");
  TemporaryFolder::write("c.toml", config);
  CHECK(sweep_operations("plain").status == kDone);
  CHECK(asked("plain", "SELECT count(*) FROM sqlite_master WHERE name = 'published'")[0] == "0");
  TemporaryFolder::write("c.toml", config + "published = 'p.csv'\n");
  const auto shown = [](const std::string& store) {
    CHECK(run({"report", store, "-o", "a.html", "--quiet"}).status == kDone);
    return has(TemporaryFolder::read("a.html"), "published (p.csv)");
  };
  CHECK(!shown("plain"));
  CHECK(sweep_operations("plain").out == "2 points in plain: 0 new, 2 from before\n");  // the config has them now
  CHECK(shown("plain"));
  CHECK(sweep_operations("one", {"--shard", "1/2"}).status == kDone);
  CHECK(sweep_operations("two", {"--shard", "2/2"}).status == kDone);
  CHECK(run({"merge", "--db", "merged", "one", "two"}).status == kDone);
  std::filesystem::remove("p.csv");
  CHECK(shown("merged"));
  CHECK(exported_operations("merged") == exported_operations("plain"));
  (void)asked("merged", "UPDATE published SET points = '{}'");
  refuses({"report", "merged", "-o", "b.html"}, "merged: is damaged: the published points");
  TemporaryFolder::write("c.toml", config);
  CHECK(sweep_operations("merged").status == kDone);
  CHECK(!shown("merged"));
  CHECK(sweep_operations("plain").status == kDone);  // the config has them no longer
  CHECK(!shown("plain"));
}

TEST_CASE("operations: keys that make no sense are refused with their place") {
  const TemporaryFolder folder;
  TemporaryFolder::write("x.txt", "1\n2\n");
  const auto refused = [](const std::string& config, const std::string& part) {
    TemporaryFolder::write("c.toml", config);
    CAPTURE(config);
    refuses({"sweep", "c.toml", "--dry-run"}, part);
  };
  const std::string op = "op = 'index_add'\nshape = '8x8'\n";
  refused("n = 9\norder = 'seq'\nratio = 0.5\n",
          "c.toml:3:9: ratio: is about operations with many outputs; name one with op, such as");
  refused("n = 9\norder = 'seq'\nshape = '3x3'\n", "c.toml:3:9: shape: is about operations");
  refused("n = 9\norder = 'seq'\nop = 'sum'\ngpu = 'h100'\n", "c.toml:4:7: gpu: is about operations");
  refused("n = 9\norder = 'seq'\ninput = 'x.txt'\n", "c.toml:1:5: n: is about generated terms, and input names files");
  refused("n = 9\norder = 'seq'\npublished = 'p.csv'\n",
          "c.toml:3:13: published: is about operations with many outputs");
  refused(op + "published = ''\n", "c.toml:3:13: published: is empty; name a CSV file");
  refused(op + "published = 'p.csv'\n", "p.csv: no such file");
  refused(op + "n = 8\n", "c.toml:3:5: n: is a shape of one dimension");
  refused(op + "max_distinct = 9\n", "c.toml:3:16: max_distinct: is about sums of one output; leave it out with op");
  refused(op + "order = 'seq'\n", "c.toml:3:9: order: index_add adds in the order of its kernel");
  refused(op + "with = 'x.txt'\n", "c.toml:3:8: with: index_add takes none; leave it out");
  refused(op + "self = 'x.txt'\n", "c.toml:3:8: self: needs a file as input");
  refused(op + "input = 'x.txt'\n", "c.toml:2:9: shape: is about generated inputs");
  refused(op + "samples = 'all'\n", "c.toml:3:11: samples all: ");
  refused(op + "samples = 1e8\n", "c.toml:3:11: `samples` 100000000: ");
  refused(op + "baseline = 'seqq'\n",
          "c.toml:3:12: baseline seqq: is not deterministic, launch, exact, run or an order");
  refused(op + "baseline = 'random'\n", "c.toml:3:12: `baseline` shuffle | seq: is random; name a fixed order");
  refused(op + "ratio = [0.5, 1.5]\n", "c.toml:3:15: ratio 1.5: must be a number above 0 and at most 1");
  refused(op + "ratio = 'x'\n", "c.toml:3:9: ratio: must be a number");
  refused("op = 'all_reduce(4)'\nshape = '8x8'\nbaseline = 'deterministc'\norder = 'ao'\n", "c.toml:3:12: baseline ");
  refused(op + "gpu = 'h10'\n", "c.toml:3:7: ");
  refused(op + "arrival = 'jiter(3)'\n", "c.toml:3:11: ");
  refused(op + "dist = 'norm(0,1)'\n", "c.toml:3:8: ");
  refused("op = 'index_ad'\nshape = '8x8'\n", "c.toml:1:6: ");
  refused("op = 'index_add'\n", "c.toml: shape is missing");
  refused("op = 'index_add(dim=2)'\nshape = '8x8'\n", "c.toml:2:9: ");
  refused("op = 'index_add'\nshape = '8by8'\n", "c.toml:2:9: ");
  refused("op = 'index_add'\nshape = '1e6x1e6'\n", "c.toml:2:9: ");
  refused("op = 'scatter_reduce(prod)'\nshape = '8x8'\nbaseline = 'deterministic'\n", "c.toml:3:12: ");
  refused("op = 'all_reduce(4)'\nshape = '8'\nratio = 0.5\n",
          "c.toml:3:9: ratio: applies to an index; all_reduce(4) takes none");
  refused("op = 'all_reduce(4)'\nshape = '8'\narrival = 'jitter(3)'\n", "c.toml:3:11: arrival jitter(3): no order has");
  refused("op = 'matmul(4,4,4)'\nshape = '8'\n", "c.toml:2:9: shape: matmul(4,4,4) says the shapes");
  refused("op = 'sum(axis=0)'\nshape = '8x8'\n", "c.toml: order is missing");
  refused("op = ['sum', 'index_add']\nshape = '8x8'\n", "c.toml: n is missing");
  refused("op = 'bincount'\ninput = 'absent.txt'\nindex = 'x.txt'\n", "c.toml:2:9: ");
}
