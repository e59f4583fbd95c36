// Files of recorded arrivals: written, read back, and every way in which they can be wrong.
#include "core/recorded_launches.hpp"

#include <doctest/doctest.h>

#include <string>

#include "terms/temporary_file.hpp"

using namespace orderlab;

namespace {

RecordedLaunches two_launches() {
  RecordedLaunches recorded{.facts = {{"device", "NVIDIA H100"}, {"driver", "580.65.06"}},
                            .kernel = "spa",
                            .n = 384,
                            .shape = {64, 2, 3},
                            .tiles = TileOrder::reversed,
                            .condition = LaunchCondition::idle,
                            .multiprocessors = 132,
                            .sm_ids = 144,
                            .resident = 32};
  recorded.launches.push_back({.tickets = {1, 0, 2},
                               .sm = {143, 0, 2},
                               .started_cycles = {0, 0, 4294967295},
                               .ticket_cycles = {900, 0, 4294967295},
                               .ticket_ns = {32, 0, 64}});
  recorded.launches.push_back({.tickets = {2, 1, 0}});
  return recorded;
}

RecordedLaunches without_lines(RecordedLaunches recorded) {
  for (ArrivalLaunch& launch : recorded.launches) launch.line = 0;
  return recorded;
}

std::string refusal_of_text(const std::string& text) {
  return message_of(ErrorKind::input, [&] { static_cast<void>(read_arrivals_text(text, "a")); });
}

/// What is said of lines below a right first line and above a right checksum.
std::string refusal_of_body(const std::string& lines) {
  const std::string body = "orderlab arrivals 1\n" + lines;
  return refusal_of_text(body + checksum_line(body) + "\n");
}

const std::string kHead =
    "launches kernel=spa unit=thread_block format=fp64 n=384 threads=64 items=2 grid=3 tiles=in_turn condition=warm "
    "multiprocessors=132 sm_ids=132 resident=32\n";

std::string head_with(const std::string& from, const std::string& to) {
  std::string head = kHead;
  const auto place = head.find(from);
  REQUIRE(place != std::string::npos);
  return head.replace(place, from.size(), to);
}

}  // namespace

TEST_CASE("recorded arrivals are read back as they were written, line by line as src/cuda/README shows") {
  const RecordedLaunches recorded = two_launches();
  const std::string text = write_arrivals_text(recorded);
  const RecordedLaunches read = read_arrivals_text(text, "a");
  CHECK(without_lines(read) == recorded);
  CHECK(read.launches[0].line == 5);
  CHECK(read.launches[1].line == 10);
  CHECK(
      text.starts_with("orderlab arrivals 1\n"
                       "fact device = NVIDIA H100\n"
                       "fact driver = 580.65.06\n"
                       "launches kernel=spa unit=thread_block format=fp64 n=384 threads=64 items=2 grid=3 "
                       "tiles=reversed condition=idle multiprocessors=132 sm_ids=144 resident=32\n"
                       "tickets 1 0 2\n"
                       "sm 143 0 2\n"
                       "started_cycles 0 0 4294967295\n"
                       "ticket_cycles 900 0 4294967295\n"
                       "ticket_ns 32 0 64\n"
                       "tickets 2 1 0\n"
                       "checksum 0x"));
}

TEST_CASE("every unit, condition and order of tiles is written and read back") {
  RecordedLaunches recorded = two_launches();
  for (const ArrivalUnit unit : {ArrivalUnit::warp, ArrivalUnit::thread_block})
    for (int condition = 0; condition <= static_cast<int>(LaunchCondition::loaded); ++condition)
      for (const TileOrder tiles : {TileOrder::in_turn, TileOrder::reversed})
        for (const Format format : {Format::fp64, Format::fp32}) {
          recorded.unit = unit;
          recorded.condition = static_cast<LaunchCondition>(condition);
          recorded.tiles = tiles;
          recorded.format = format;
          CHECK(without_lines(read_arrivals_text(write_arrivals_text(recorded), "a")) == recorded);
        }
}

TEST_CASE("recorded arrivals that were cut or changed anywhere are refused") {
  const std::string text = write_arrivals_text(two_launches());
  for (std::size_t length = 0; length + 1 < text.size(); ++length)
    CHECK(refusal_of_text(text.substr(0, length)).starts_with("a:"));
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    std::string changed = text;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    CHECK(refusal_of_text(changed).starts_with("a:"));
  }
  CHECK(refusal_of_text("") == "a:1: is not a file of recorded arrivals; one begins with 'orderlab arrivals 1'");
  CHECK(refusal_of_text("orderlab arrivals 2\n") ==
        "a:1: version 2 of the format: this orderlab reads up to 1; a newer orderlab is needed");
  CHECK(refusal_of_text("orderlab arrivals 1\nfact \xE9 = 1\n") ==
        "a:2: holds the character 233; a file of recorded arrivals is printable ASCII in lines that end with a line "
        "feed: copy it as it is");
}

TEST_CASE("a wrong head of recorded arrivals is refused with its line") {
  CHECK(refusal_of_body(head_with("kernel=", "kernl=") + "tickets 0\n") ==
        "a:2: kernl: no such key of a file of recorded arrivals; did you mean kernel?");
  CHECK(refusal_of_body(head_with("n=384", "n=") + "tickets 0\n") == "a:2: n=: must be a whole number in digits");
  CHECK(refusal_of_body(head_with("n=384", "n=0") + "tickets 0\n") == "a:2: n=0: must be at least 1");
  CHECK(refusal_of_body(head_with("sm_ids=132", "sm_ids=0") + "tickets 0\n") == "a:2: sm_ids=0: must be at least 1");
  CHECK(refusal_of_body(head_with("unit=thread_block", "unit=thread") + "tickets 0\n") ==
        "a:2: unit=thread: must be thread_block or warp");
  CHECK(refusal_of_body(head_with("condition=warm", "condition=hot") + "tickets 0\n") ==
        "a:2: condition=hot: must be warm, cold, flushed, idle or loaded");
  CHECK(refusal_of_body(head_with("tiles=in_turn", "tiles=odd") + "tickets 0\n") ==
        "a:2: tiles=odd: must be in_turn or reversed");
  CHECK(refusal_of_body(head_with("format=fp64", "format=fp63") + "tickets 0\n") ==
        "a:2: format=fp63: must be fp64, fp32, fp16 or bf16");
  CHECK(refusal_of_body(head_with(" resident=32", "") + "tickets 0\n") ==
        "a:2: a file of recorded arrivals without resident=; it must be a whole number in digits");
  CHECK(refusal_of_body(head_with("unit=thread_block", "unit=warp") + "tickets 0\n") == "no error");
  std::string odd = head_with("unit=thread_block", "unit=warp");
  odd.replace(odd.find("threads=64"), 10, "threads=48");
  CHECK(refusal_of_body(odd + "tickets 0\n") == "a:2: threads=48: must be a multiple of 32 where warps arrive");
  CHECK(refusal_of_body(kHead + kHead) == "a:3: 'launches' is there a second time; all launches of a file are alike");
  CHECK(refusal_of_body("tickets 0\n") == "a:2: tickets before the line 'launches', which says what was launched");
  CHECK(refusal_of_body(kHead) == "a:2: ends without a line 'tickets'; there is one for each launch");
  CHECK(refusal_of_body(kHead + "tickts 0\n") ==
        "a:3: tickts: no such line of recorded arrivals; did you mean tickets?");
}

TEST_CASE("a wrong list of recorded arrivals is refused with its line") {
  const auto refusal = [](const std::string& lists) { return refusal_of_body(kHead + lists); };
  CHECK(refusal("tickets 0 1 2\nsm 0 1 131\nticket_ns 5 5 0\n") == "no error");
  CHECK(refusal("sm 0 1 2\n") == "a:3: sm before any tickets; it belongs to the tickets above it");
  CHECK(refusal("tickets\n") == "a:3: tickets of nothing; leave the line out");
  CHECK(refusal("tickets 0 -1\n") == "a:3: tickets: '-1' must be a whole number in digits, up to 4294967295");
  CHECK(refusal("tickets 0 4294967296\n") ==
        "a:3: tickets: '4294967296' must be a whole number in digits, up to 4294967295");
  CHECK(refusal("tickets 0 1\ntickets 0 1 2\n") == "a:4: 3 tickets; the first launch has 2, and all are alike");
  CHECK(refusal("tickets 0 1\nsm 0\n") == "a:4: 1 numbers of sm; the launch has 2 tickets, and a number for each");
  CHECK(refusal("tickets 0 1\nsm 0 1\nsm 0 1\n") == "a:5: sm is there a second time for one launch; keep one of them");
  CHECK(refusal("tickets 0 1\nsm 0 132\n") == "a:4: sm 132 is out of range; sm_ids=132 allows 0 to 131");
  for (const char* lists : {"started_cycles 0 9\nticket_cycles 0 8\n", "ticket_cycles 0 8\nstarted_cycles 0 9\n"})
    CHECK(refusal(std::string("tickets 1 0\n") + lists) ==
          "a:5: unit 0 took its ticket at cycle 8 and started at cycle 9; it must start first");
}

TEST_CASE("what no file of recorded arrivals can hold is not written") {
  const auto refusal = [](const RecordedLaunches& recorded) {
    return message_of(ErrorKind::usage, [&] { static_cast<void>(write_arrivals_text(recorded)); });
  };
  RecordedLaunches recorded = two_launches();
  CHECK(refusal(recorded) == "no error");
  recorded.launches[1].tickets.clear();
  CHECK(contains(refusal(recorded), "tickets of nothing"));
  recorded = two_launches();
  recorded.launches.clear();
  CHECK(contains(refusal(recorded), "ends without a line 'tickets'"));
  recorded = two_launches();
  recorded.facts[0].value = "two\nlines";
  CHECK(refusal(recorded).starts_with("recorded arrivals that "));
  recorded = two_launches();
  recorded.kernel = "a b";
  CHECK(refusal(recorded).starts_with("recorded arrivals that "));
}
