// What orderlab_capture --record plans and writes, with launches that a stand-in makes up.
#include "cuda/capture/recordings.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "terms/temporary_file.hpp"

using namespace orderlab;
using namespace orderlab::cuda;

namespace {

constexpr unsigned kMultiprocessors[] = {1, 80, 132, 264};

/// Unit u is on multiprocessor u mod 4 and arrives as number (a u + launch) mod units.
NotedLaunches made_up_launches(const ArrivalRequest& request) {
  NotedLaunches noted{4, 5, 2, {}};
  const std::size_t units = units_of(request.what);
  for (std::size_t launch = 0; launch < request.launches; ++launch) {
    UnitNotes notes;
    for (std::size_t unit = 0; unit < units; ++unit) {
      const std::size_t ticket = (units - 1 - unit + launch) % units;
      notes.ticket.push_back(static_cast<std::uint32_t>(ticket));
      notes.sm.push_back(static_cast<std::uint32_t>(unit % 4));
      notes.started_cycles.push_back((std::uint64_t{1} << 40) * (unit % 4 + 1) + unit);
      notes.ticket_cycles.push_back(notes.started_cycles.back() + 500);
      notes.ticket_ns.push_back((std::uint64_t{1} << 60) + 32 * ticket);
    }
    noted.launches.push_back(std::move(notes));
  }
  return noted;
}

PlannedRecording planned_small() {
  return {.name = "small",
          .purpose = "a test",
          .what = {.kernel = "spa", .n = 6 * 128, .shape = {64, 2, 6}},
          .launches = 2,
          .timed = 1};
}

/// What stands between two lines of a file.
std::string part_of_file(const std::string& path, const std::string& first, const std::string& last) {
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::size_t begin = text.find(first);
  const std::size_t end = text.find(last, begin);
  if (begin == std::string::npos || end == std::string::npos) return {};
  return text.substr(begin + first.size(), end - begin - first.size());
}

/// The files as a table of the page that says how to record.
std::string page_table() {
  constexpr unsigned kAnyGpu = 132;  // names, launches and purposes do not depend on it
  const std::vector<PlannedRecording> quick = recording_plan(kAnyGpu, true);
  std::string table =
      "| file | kernel | threads | launches | with `--quick` | what is recorded |\n|---|---|---|---|---|---|\n";
  for (const PlannedRecording& planned : recording_plan(kAnyGpu, false)) {
    const auto same = std::ranges::find(quick, planned.name, &PlannedRecording::name);
    table += "| `" + std::string(planned.name) + "` | `" + planned.what.kernel + "` | " +
             std::to_string(planned.what.shape.threads) + " | " + std::to_string(planned.launches) + " | " +
             (same == quick.end() ? "none" : std::to_string(same->launches)) + " | " + std::string(planned.purpose) +
             " |\n";
  }
  return table;
}

}  // namespace

TEST_CASE("the page that says how to record has the table of the files that are planned") {
  // Where it differs, put what is expected between the two lines of the page.
  CHECK(part_of_file(ORDERLAB_TEST_RECORD_PAGE, "<!-- table: recordings -->\n\n", "\n<!-- end of table -->") ==
        page_table());
}

TEST_CASE("files of every GPU are planned with names of their own, enough launches for a fit, and sizes of few MB") {
  for (const unsigned multiprocessors : kMultiprocessors)
    for (const bool quick : {false, true}) {
      std::set<std::string_view> names;
      for (const PlannedRecording& planned : recording_plan(multiprocessors, quick)) {
        CAPTURE(planned.name);
        CHECK(names.insert(planned.name).second);
        CHECK(!planned.purpose.empty());
        CHECK(planned.launches >= 10);  // fit takes 8 that are no outliers
        CHECK(planned.timed <= planned.launches);
        const RecordedLaunches& what = planned.what;
        const std::size_t units = units_of(what);
        CHECK(units >= (multiprocessors > 1 ? 16 : 2));
        CHECK(what.shape.grid >= 1);
        CHECK(what.shape.grid == thread_blocks(what.shape, what.n));
        if (what.unit == ArrivalUnit::warp) CHECK(what.n % kWarp == 0);
        if (what.unit == ArrivalUnit::thread_block) CHECK(units == what.shape.grid);
        // A ticket has up to 6 characters and a multiprocessor 4, two clocks 8 each and one 7.
        CHECK(units * (planned.launches * 10 + planned.timed * 23) < 8'000'000);
      }
      CHECK(names.contains("spa64"));
    }
}

TEST_CASE("the published launch is among those planned") {
  const std::vector<PlannedRecording> plan = recording_plan(80, true);
  CHECK(plan.front().what.shape == LaunchShape{64, 2, 7813});
  CHECK(plan.front().what.n == 1000000);
  CHECK(plan.front().what.condition == LaunchCondition::warm);
}

TEST_CASE("a recording has its units by ticket, and times from the first of their launch or multiprocessor") {
  TermStore store;
  const RecordedLaunches recorded =
      make_recording(planned_small(), {{"device", "none"}}, store, [](const ArrivalRequest& request) {
        CHECK(request.terms.n == 768);
        CHECK(request.terms.format == Format::fp64);
        CHECK(request.index.empty());
        return made_up_launches(request);
      });
  using Numbers = std::vector<std::uint32_t>;
  CHECK(recorded.facts == std::vector<TextEntry>{{"device", "none"}, {"purpose", "a test"}});
  CHECK(recorded.multiprocessors == 4);
  CHECK(recorded.sm_ids == 5);
  CHECK(recorded.resident == 2);
  REQUIRE(recorded.launches.size() == 2);
  const ArrivalLaunch& first = recorded.launches[0];
  CHECK(first.tickets == Numbers{5, 4, 3, 2, 1, 0});
  CHECK(first.sm == Numbers{1, 0, 3, 2, 1, 0});
  CHECK(first.started_cycles == Numbers{4, 4, 0, 0, 0, 0});
  CHECK(first.ticket_cycles == Numbers{504, 504, 500, 500, 500, 500});
  CHECK(first.ticket_ns == Numbers{0, 32, 64, 96, 128, 160});
  CHECK(recorded.launches[1].tickets == Numbers{0, 5, 4, 3, 2, 1});
  CHECK(recorded.launches[1].sm == Numbers{0, 1, 0, 3, 2, 1});
  CHECK(recorded.launches[1].ticket_ns.empty());
}

TEST_CASE("every planned recording is written and read back, and index_add has an index within its bins") {
  TermStore store;
  for (const PlannedRecording& planned : recording_plan(8, true)) {
    CAPTURE(planned.name);
    RecordedLaunches recorded = make_recording(planned, {}, store, [&](const ArrivalRequest& request) {
      CHECK(request.launches == planned.launches);
      CHECK(request.terms.n == planned.what.n);
      CHECK(request.index.size() == (planned.what.kernel == "index_add_large" ? planned.what.n : 0));
      for (const std::int64_t bin : request.index) CHECK(static_cast<std::size_t>(bin) < request.bins);
      return made_up_launches(request);
    });
    RecordedLaunches read = read_arrivals_text(write_arrivals_text(recorded), "a");
    for (ArrivalLaunch& launch : read.launches) launch.line = 0;
    CHECK(read == recorded);
  }
}

TEST_CASE("notes that cannot be are refused") {
  const auto refusal = [](auto change) {
    TermStore store;
    return message_of(ErrorKind::device, [&] {
      static_cast<void>(make_recording(planned_small(), {}, store, [&](const ArrivalRequest& request) {
        NotedLaunches noted = made_up_launches(request);
        change(noted.launches[0]);
        return noted;
      }));
    });
  };
  CHECK(refusal([](UnitNotes&) {}) == "no error");
  CHECK(refusal([](UnitNotes& notes) { notes.ticket[3] = notes.ticket[0]; }) ==
        "unit 3 has ticket 5, and each of 0 to 5 must be taken once; record again");
  CHECK(contains(refusal([](UnitNotes& notes) { notes.ticket[1] = 6; }), "unit 1 has ticket 6"));
  CHECK(contains(refusal([](UnitNotes& notes) { notes.ticket_ns[1] += std::uint64_t{1} << 32; }),
                 "more than 4294967295 apart"));
  CHECK(contains(refusal([](UnitNotes& notes) { notes.ticket_cycles[1] = 7; }), "more than 4294967295 apart"));
}

TEST_CASE("the summary says how thread blocks were dealt and how often a multiprocessor comes twice in a row") {
  TermStore store;
  const RecordedLaunches recorded = make_recording(planned_small(), {}, store, made_up_launches);
  CHECK(recording_summary("small", recorded) ==
        "small                  2      6 thread blocks   160 ns       0 %      100 %\n");
  RecordedLaunches crowded = recorded;
  crowded.launches = {{.tickets = {0, 1, 2, 3, 4, 5}, .sm = {1, 1, 1, 0, 2, 2}}};
  CHECK(recording_summary("crowded", crowded) ==
        "crowded                1      6 thread blocks   -            60 %     0 %\n");
  crowded.unit = ArrivalUnit::warp;
  crowded.launches[0].sm.clear();
  CHECK(recording_summary("warps", crowded) ==
        "warps                  1      6 warps           -            -        -\n");
  CHECK(recording_summary_head().size() == recording_summary("", recorded).size() + 2);
}

TEST_CASE("the version of the driver is found in both texts that drivers have had") {
  CHECK(driver_version("NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.104.05  Sat Aug 19 01:15:15 UTC 2023\n"
                       "GCC version:  gcc version 12.2.0\n") == "535.104.05");
  CHECK(driver_version("NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.65.06  Release Build\n") ==
        "580.65.06");
  CHECK(driver_version("GCC version\n12.2.0") == "");
  CHECK(driver_version("") == "");
}
