// The command arrivals: its table, its documents, the orders that it writes, its page, and what it refuses.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>

#include "cli/program.hpp"
#include "cli/refusals.hpp"
#include "core/recorded_launches.hpp"
#include "fit/recordings.hpp"

using namespace orderlab;
using namespace orderlab::cli;
using orderlab::test::record;
using orderlab::test::text_of;

namespace {

const Line kSmallGrid{"--sms", "6", "--resident", "3", "--draws", "30"};

void write_recorded(const std::string& name, const std::string& model, std::size_t m, std::size_t rows) {
  TemporaryFolder::write(name, text_of(record(model, m, rows)));
}

/// A file of orderlab_capture --record, of a GPU that is made up.
void write_gpu_recording(const std::string& name, unsigned multiprocessors, unsigned resident) {
  RecordedLaunches recorded{.kernel = "spa", .n = 240 * 128, .shape = {64, 2, 240}};
  recorded.multiprocessors = multiprocessors;
  recorded.sm_ids = 8;
  recorded.resident = resident;
  for (const auto& row : record("batches(9,30,16,0.5,0.3)", 240, 24).rows)
    recorded.launches.push_back({.tickets = row});
  TemporaryFolder::write(name, write_arrivals_text(recorded));
}

/// A text without its line breaks.
std::string in_one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

}  // namespace

TEST_CASE("models stand beside the first recording, and the nearest is the one that it was drawn from") {
  const TemporaryFolder folder;
  write_recorded("orders.csv", "batches(9,30,16,0.5,0.3)", 240, 24);
  const Line line = Line{"arrivals", "orders.csv", "batches(9,30,16,0.5,0.3)", "drift(9,30)"} + kSmallGrid;
  const Json json = json_of(line);
  REQUIRE(json.is_object());
  CHECK(json["config"]["blocks"] == 240);
  CHECK(json["reference"]["name"] == "orders.csv");
  CHECK(json["reference"]["block_length"] == 3);
  REQUIRE(json["sources"].size() == 3);
  CHECK(json["sources"][0]["arrival"].is_null());
  CHECK(json["sources"][0]["misfit"].is_null());
  CHECK(json["sources"][0]["runs"] == 24);
  CHECK(json["sources"][1]["recording"].is_null());
  CHECK(json["sources"][1]["runs"] == 30);
  CHECK(json["sources"][1]["misfit"].number() * 2 < json["sources"][2]["misfit"].number());
  const Json& far = json["sources"][2]["features"]["neighbours_1"];
  const Json& recorded = json["sources"][0]["features"]["neighbours_1"];
  // Of 30 drawn runs beside 24 recorded ones.
  CHECK(far["difference"].number() ==
        (far["value"].number() - recorded["value"].number()) / (std::sqrt(1 + 24.0 / 30) * recorded["error"].number()));
  CHECK(json["sources"][0]["features"]["neighbours_40"]["value"].is_number());
  CHECK(json["sources"][0]["correlations"].size() == 18);  // three rows of 6 multiprocessors

  const Outcome text = run(line + Line{"--csv", "a.csv", "--html", "a.html"});
  CHECK(text.status == kDone);
  CHECK(has(text.out, "batches(9,30,16,0.5,0.3), of what was given, has the smallest misfit"));
  CHECK(TemporaryFolder::read("a.csv").starts_with(
      "source,feature,unit,value,error,difference\norders.csv,tau_to_launch,"));
  const std::string page = TemporaryFolder::read("a.html");
  for (const char* chart : {"arrival_differences", "arrival_spread", "arrival_lags", "arrival_first_wave"})
    CHECK(has(page, chart));
  CHECK(
      has(page, "orderlab arrivals orders.csv &#39;batches(9,30,16,0.5,0.3)&#39; &#39;drift(9,30)&#39; --blocks 240"));

  CHECK(json_of(line + Line{"--threads", "1"}) == json_of(line + Line{"--threads", "2"}));
}

TEST_CASE("multiprocessors and their thread blocks are those of the recording, unless flags say others") {
  const TemporaryFolder folder;
  write_gpu_recording("gpu.arrivals", 6, 3);
  write_gpu_recording("silent.arrivals", 0, 0);
  const auto said = [](const Line& line) { return in_one_line(run(Line{"arrivals", "--draws", "9"} + line).out); };
  const Line drift{"drift(9,30)"};
  CHECK(has(said(Line{"gpu.arrivals"} + drift),
            "thread blocks 6 and 12 apart, for 6 multiprocessors with 3 thread "
            "blocks each at first, as gpu.arrivals says. recorded:"));
  CHECK(has(said(Line{"gpu.arrivals", "--sms", "8"} + drift),
            "8 and 16 apart, for 8 multiprocessors with 3 thread blocks each at first (as gpu.arrivals says). "));
  CHECK(has(said(Line{"gpu.arrivals", "--resident", "4"} + drift),
            "for 6 multiprocessors (as gpu.arrivals says) with 4 thread blocks each at first. "));
  CHECK(has(said(Line{"gpu.arrivals", "--sms", "6", "--resident", "3"} + drift),
            "for 6 multiprocessors with 3 thread blocks each at first. "));
  CHECK(has(said({"silent.arrivals"}), "for 80 multiprocessors with 22 thread blocks each at first, the default. "));
  CHECK(has(said({"silent.arrivals", "--sms", "6"}),
            "for 6 multiprocessors with 22 thread blocks each at first (the default). "));
  CHECK(has(said({"silent.arrivals", "gpu.arrivals"}),
            "for 6 multiprocessors with 3 thread blocks each at first, as "
            "gpu.arrivals says. "));

  const Line both = Line{"arrivals", "gpu.arrivals"} + drift;
  const Json json = json_of(both);
  REQUIRE(json.is_object());
  CHECK(json["config"]["sms"] == 6);
  CHECK(json["config"]["resident"] == 3);
  CHECK(json["sources"][0]["multiprocessors"] == 6);
  CHECK(json["sources"][0]["resident"] == 3);
  CHECK(json["sources"][1]["multiprocessors"].is_null());
  CHECK(json == json_of(both + Line{"--sms", "6", "--resident", "3"}));
  CHECK(json != json_of(both + Line{"--sms", "8"}));
  CHECK(json_of({"arrivals", "silent.arrivals"})["sources"][0]["resident"].is_null());
  CHECK(run(both + Line{"--html", "a.html"}).status == kDone);
  CHECK(has(TemporaryFolder::read("a.html"), "as gpu.arrivals says"));

  write_gpu_recording("odd.arrivals", 2000000, 3);
  refuses_with({"arrivals", "odd.arrivals"}, "odd.arrivals: sms 2000000: must be");
  CHECK(run({"arrivals", "odd.arrivals", "--sms", "6", "--quiet"}).status == kDone);
}

TEST_CASE("models alone have features and no misfit, at the grid of their recordings where none is given") {
  const Json json = json_of({"arrivals", "v100_b64", "--draws", "2"});
  CHECK(json["config"]["blocks"] == 7813);
  CHECK(json["reference"].is_null());
  CHECK(json["sources"][0]["misfit"].is_null());
  CHECK(json["sources"][0]["features"]["tau_to_launch"]["difference"].is_null());
  CHECK(json["sources"][0]["arrival"] == "sm_queues(80,16,622,0.188,1,433,38,0.03)");
  const Outcome text = run({"arrivals", "jitter(5)", "--blocks", "400", "--draws", "5"});
  CHECK(has(text.out, "jitter(5): 5 drawn arrival orders of 400 thread blocks"));
  CHECK(!has(text.out, "misfit"));
}

TEST_CASE("orders are written as rows of tickets, those that sample draws with the seed") {
  const TemporaryFolder folder;
  const Line line{"arrivals", "drift(3,12)", "--blocks", "50", "--draws", "4", "--seed", "9", "--orders", "a.npy"};
  CHECK(run(line).status == kDone);
  const std::string bytes = TemporaryFolder::read("a.npy");
  CHECK(has(bytes, "'descr': '<u4', 'fortran_order': False, 'shape': (4, 50), "));
  REQUIRE(bytes.size() % 64 == (4 * 50 * 4) % 64);
  const Rows drawn = record("drift(3,12)", 50, 4, 9);
  const std::size_t head = bytes.size() - 4 * 50 * 4;
  for (std::size_t i = 0; i < 4; ++i) CHECK(std::memcmp(bytes.data() + head + i * 200, drawn.rows[i].data(), 200) == 0);

  write_recorded("orders.csv", "jitter(5)", 60, 9);
  CHECK(run({"arrivals", "orders.csv", "uniform", "--orders", "b.npy", "--quiet"}).status == kDone);
  CHECK(has(TemporaryFolder::read("b.npy"), "(60, 60)"));  // 60 draws
  refuses_with({"arrivals", "orders.csv", "--orders", "c.npy"},
               "--orders c.npy: writes the orders of one model, and none is given");
  refuses_with({"arrivals", "uniform", "launch", "--blocks", "50", "--orders", "c.npy"},
               "--orders c.npy: writes the orders of one model, and 2 are given");
}

TEST_CASE("a cold start is left out and named") {
  const TemporaryFolder folder;
  Rows recording = record("jitter(3)", 80, 12);
  recording.rows[0] = record("uniform", 80, 1).rows[0];
  TemporaryFolder::write("orders.csv", text_of(recording));
  const Json json = json_of({"arrivals", "orders.csv"});
  CHECK(json["sources"][0]["runs"] == 11);
  CHECK(json["sources"][0]["outliers"][0]["row"] == 1);
  CHECK(has(run({"arrivals", "orders.csv"}).out, "row 1 is an outlier and left out: Kendall tau"));
}

TEST_CASE("a recording whose runs are all alike has no standard errors, and says so") {
  const TemporaryFolder folder;
  write_recorded("same.csv", "launch", 60, 10);
  const Json json = json_of(Line{"arrivals", "same.csv", "uniform"} + kSmallGrid);
  REQUIRE(json.is_object());
  CHECK(json["reference"]["floor_median"].is_null());
  CHECK(json["reference"]["floor_95"].is_null());
  CHECK(json["sources"][1]["misfit"].is_null());
  CHECK(has(run(Line{"arrivals", "same.csv", "uniform"} + kSmallGrid).out, "The runs of same.csv do not vary"));
}

TEST_CASE("arrivals refuses in one line what has no features") {
  const TemporaryFolder folder;
  write_recorded("short.csv", "jitter(3)", 30, 12);
  write_recorded("few.csv", "jitter(3)", 60, 6);
  write_recorded("good.csv", "jitter(3)", 60, 12);
  refuses_with({"arrivals"}, "no arrival orders: give a FILE of recorded ones, or a MODEL such as v100_b64");
  refuses_with({"arrivals", "uniform"}, "no number of thread blocks: give --blocks B");
  refuses_with({"arrivals", "v100_b65"}, "v100_b65: neither a file nor an arrival model");
  refuses_with({"arrivals", "drift(1)", "--blocks", "50"}, "drift");
  refuses_with({"arrivals", "short.csv"}, "short.csv: arrival orders of 30 thread blocks; features take 40 or more");
  refuses_with({"arrivals", "few.csv"}, "few.csv: 6 rows, 0 of them outliers; 8 others or more are needed");
  refuses_with({"arrivals", "good.csv", "--blocks", "50"}, "good.csv: arrival orders of 60 thread blocks, and 50 are");
  refuses_with({"arrivals", "good.csv", "good.csv"}, "good.csv: is given twice");
  refuses_with({"arrivals", "uniform", "--blocks", "39"}, "--blocks 39: must be");
  refuses_with({"arrivals", "uniform", "--blocks", "50", "--draws", "1"}, "--draws 1: must be");
  refuses_with({"arrivals", "uniform", "--blocks", "50", "--sms", "0"}, "--sms 0: must be");
  refuses({"arrivals", "good.csv", "--json", "good.csv"}, "--json good.csv: is read by this command");
}
