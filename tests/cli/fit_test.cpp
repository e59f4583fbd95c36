#include "cli/refusals.hpp"
#include "core/recorded_launches.hpp"
#include "cuda/capture_file.hpp"
#include "fit/recordings.hpp"

using namespace orderlab::cli;
using orderlab::Json;
using orderlab::test::record;
using orderlab::test::text_of;
TEST_CASE("fit says which rows it used, and its best model pastes back") {
  const TemporaryFolder folder;
  TemporaryFolder::write("orders.txt", text_of(record("slots(12,0.4)", 64, 40)));
  const Line line{"fit", "orders.txt", "--predict", "--inputs", "3", "--samples", "30"};
  const Outcome text = run(line + Line{"--json", "fit.json", "--csv", "fit.csv"});
  CHECK(text.status == kDone);
  const Json json = Json::parse(TemporaryFolder::read("fit.json"));
  REQUIRE(json.is_object());
  CHECK(json["command"] == "fit");
  CHECK(json["config"]["recording"].text().starts_with("xxh3:"));
  CHECK(json["rows"]["length"] == 64);
  CHECK(json["rows"]["fitted"].size() == 40);
  CHECK(json["rows"]["fitted"][0] == 1);
  CHECK(json["config"]["folds"] == 5);
  CHECK(json["held_out_floor"].is_number());
  REQUIRE(json["models"].size() == 7);
  for (const Json& model : json["models"]) {
    CHECK(model["features"]["tau_to_launch"]["recorded"] == json["recorded"]["tau_to_launch"]["value"]);
    CHECK(model["fold_misfits"].size() == 5);
    CHECK(model["prediction"]["inputs"].size() == 3);
  }
  const std::string best = json["best"].text();
  const Json sampled = json_of({"sample", "--n", "1000", "--order", "warp", "--samples", "5", "--arrival", best});
  REQUIRE(sampled.is_object());
  CHECK(sampled["config"]["arrival"] == best);

  TemporaryFolder::write("copy.csv", "# the same rows, written otherwise\n" + text_of(record("slots(12,0.4)", 64, 40)));
  Line copy = line + Line{"--threads", "2"};
  copy[1] = "copy.csv";
  CHECK(json_of(copy) == json);
  CHECK(text.out.find("--arrival '" + best + "'") != std::string::npos);
  CHECK(TemporaryFolder::read("fit.csv").starts_with("model,kind,name,value,error,low,high,recorded,accepted\n"));
}

TEST_CASE("a capture's tickets are arrival orders, those of the launch that was recorded most often") {
  const TemporaryFolder folder;
  const orderlab::Rows orders = record("jitter(8)", 48, 16);
  TemporaryFolder::write("orders.txt", text_of(orders));
  orderlab::Capture capture;
  for (std::size_t i = 0; i < orders.rows.size(); ++i)
    capture.runs.push_back({.kernel = "spa",
                            .n = 6144,
                            .shape = {.threads = 64, .items = 2},
                            .input = "uniform(0,10)",
                            .repeat = i,
                            .returned = std::vector<std::uint64_t>(48),
                            .tickets = orders.rows[i]});
  capture.runs.push_back(capture.runs.front());
  capture.runs.back().n = 100;
  capture.runs.back().tickets = {1, 0};
  capture.runs.back().returned.resize(2);
  TemporaryFolder::write("gpu.capture", write_capture(capture));
  const Json json = json_of({"fit", "gpu.capture"});
  REQUIRE(json.is_object());
  CHECK(json == json_of({"fit", "orders.txt"}));
  for (auto& run : capture.runs) run.tickets.clear();
  TemporaryFolder::write("none.capture", write_capture(capture));
  refuses({"fit", "none.capture"});
  CHECK(run({"fit", "none.capture"}).err.find("is a capture without tickets") != std::string::npos);
}

TEST_CASE("a file of orderlab_capture --record is fitted as its rows are, and --unit orders thread blocks of warps") {
  const TemporaryFolder folder;
  const orderlab::Rows orders = record("jitter(8)", 48, 16);
  TemporaryFolder::write("orders.txt", text_of(orders));
  orderlab::RecordedLaunches blocks{.kernel = "spa", .n = 6144, .shape = {64, 2, 48}, .sm_ids = 1};
  orderlab::RecordedLaunches warps{
      .kernel = "warp", .unit = orderlab::ArrivalUnit::warp, .n = 3072, .shape = {64, 1, 48}, .sm_ids = 1};
  for (const auto& row : orders.rows) {
    blocks.launches.push_back({.tickets = row, .sm = std::vector<std::uint32_t>(48)});
    warps.launches.emplace_back();
    for (const std::uint32_t block : row) {
      warps.launches.back().tickets.push_back(2 * block + 1);
      warps.launches.back().tickets.push_back(2 * block);
    }
  }
  TemporaryFolder::write("blocks.arrivals", write_arrivals_text(blocks));
  TemporaryFolder::write("warps.arrivals", write_arrivals_text(warps));
  const Json json = json_of({"fit", "orders.txt"});
  REQUIRE(json.is_object());
  CHECK(json == json_of({"fit", "blocks.arrivals"}));
  CHECK(json == json_of({"fit", "warps.arrivals", "--unit", "thread_block"}));
  CHECK(run({"fit", "warps.arrivals"}).out.starts_with("warps.arrivals: 16 arrival orders of 96 partial sums"));
  const auto sampled = [](const std::string& file) {
    return run({"sample", "--n", "6144", "--order", "spa(64,2)", "--samples", "20", "--arrival", "trace(" + file + ")",
                "--csv", "-"});
  };
  CHECK(sampled("blocks.arrivals").status == kDone);
  CHECK(sampled("blocks.arrivals").out == sampled("orders.txt").out);

  for (const char* file : {"blocks.arrivals", "orders.txt"}) refuses({"fit", file, "--unit", "warp"});
  refuses_each({"fit", "warps.arrivals"}, "--unit", {"thread", "Warp", "blocks"});
  CHECK(run({"fit", "blocks.arrivals", "--unit", "warp"}).err ==
        "orderlab: fit: blocks.arrivals: the order of thread blocks, not of warps; leave out the unit\n");
  TemporaryFolder::write("cut.arrivals", write_arrivals_text(blocks).substr(0, 200));
  refuses({"fit", "cut.arrivals"});
  CHECK(run({"fit", "cut.arrivals"}).err.find("cut.arrivals:3: is the last line and is not a checksum") !=
        std::string::npos);
}

TEST_CASE("a recording that no model comes near is answered with no") {
  const TemporaryFolder folder;
  TemporaryFolder::write("backwards.txt", [] {
    orderlab::Rows recording = record("jitter(3)", 40, 12);
    for (auto& row : recording.rows) std::reverse(row.begin(), row.end());
    return text_of(recording);
  }());
  const Outcome outcome = run({"fit", "backwards.txt"});
  CHECK(outcome.status == kExitNo);
  CHECK(outcome.out.find("No model is accepted") != std::string::npos);
}

TEST_CASE("a recording that cannot be fitted is refused in one line") {
  const TemporaryFolder folder;
  TemporaryFolder::write("good.txt", text_of(record("jitter(3)", 40, 12)));
  TemporaryFolder::write("few.txt", text_of(record("jitter(3)", 40, 7)));
  TemporaryFolder::write("short.txt", text_of(record("jitter(3)", 9, 12)));
  TemporaryFolder::write("uneven.txt", text_of(record("jitter(3)", 40, 12)) + "0 1 2\n");
  TemporaryFolder::write("twice.txt", "# no permutation\n0 0 2 3\n" + text_of(record("jitter(3)", 4, 12)));
  TemporaryFolder::write("words.txt", "one two\n");
  TemporaryFolder::write("empty.txt", "");
  TemporaryFolder::write("damaged.bz2", "BZh9 and no archive");
  for (const char* file :
       {"few.txt", "short.txt", "uneven.txt", "twice.txt", "words.txt", "empty.txt", "damaged.bz2", "absent.txt", "."})
    refuses({"fit", file, "--json", "never.json"});
  refuses({"fit"});
  const auto error = [](const std::string& file) { return run({"fit", file}).err; };
  CHECK(error("uneven.txt").starts_with("orderlab: fit: uneven.txt:13: 3 numbers in a row, 40 in the first: "));
  CHECK(error("twice.txt").starts_with("orderlab: fit: twice.txt:2: 0 occurs twice; "));
  CHECK(error("words.txt").starts_with("orderlab: fit: words.txt:1: 'one' is not a whole number"));
  CHECK(error("damaged.bz2") == "orderlab: fit: damaged.bz2: a damaged bzip2 archive; a fresh copy would help\n");
  const Line good{"fit", "good.txt"};
  refuses_each(good, "--folds", {"1", "all", "1e9"});
  refuses_each(good, "--sms", {"0", "many"});
  refuses_each(good, "--dist", {"nrmal(0,1)", "normal"});
  refuses_each(good, "--inputs", {"0", "-1", "many"});
  refuses_each(good, "--samples", {"1", "0.5"});
  refuses_each(good, "--seed", {"x"});
}

TEST_CASE("a fit that is stopped before its first model says so and writes nothing") {
  const TemporaryFolder folder;
  TemporaryFolder::write("good.txt", text_of(record("jitter(3)", 40, 12)));
  std::stop_source source;
  source.request_stop();
  const std::string before = TemporaryFolder::listing();
  const Outcome outcome = run({"fit", "good.txt", "--json", "never.json"}, source.get_token());
  CHECK(outcome.status == kInterrupted);
  CHECK(outcome.out.empty());
  CHECK(lines_of(outcome.err).size() == 1);
  CHECK(TemporaryFolder::listing() == before);
}
