#include "cuda/capture_file.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <string>

#include "terms/temporary_file.hpp"

using namespace orderlab;

namespace {

Capture sample_capture() {
  Capture capture;
  capture.facts = {{"device", "NVIDIA H100 80GB HBM3"}, {"driver", "580.65 = \"open\" # kernel"}, {"sm_count", "132"}};
  capture.probes = {{"fp32_global_subnormal", "0x00000000 0x80000000"}};
  capture.runs.push_back({.kernel = "spa",
                          .format = Format::fp32,
                          .n = 1000,
                          .shape = {64, 2, 0},
                          .input = "dyadic(24,-23,0)",
                          .seed = 1,
                          .bits = 0x42280000,
                          .returned = {0, 0xffffffff, 0x80000000},
                          .tickets = {2, 0, 1}});
  capture.runs.push_back({.kernel = "dot",
                          .format = Format::fp64,
                          .n = std::numeric_limits<std::uint64_t>::max(),
                          .shape = {1, std::numeric_limits<unsigned>::max(), 7},
                          .input = "constant(0.1)",
                          .seed = std::numeric_limits<std::uint64_t>::max(),
                          .with_seed = 0,
                          .aligned = 32,
                          .temporary_bytes = 21247,
                          .blocks = 5280,
                          .repeat = 3,
                          .bits = std::numeric_limits<std::uint64_t>::max()});
  for (const Format format : {Format::fp16, Format::bf16})
    capture.runs.push_back(
        {.kernel = "k", .format = format, .n = 1, .shape = {32}, .input = "d", .bits = 0x8001, .returned = {0x7e00}});
  return capture;
}

Capture without_lines(Capture capture) {
  for (CapturedRun& run : capture.runs) run.line = 0;
  return capture;
}

std::string refusal(const std::string& text) {
  return message_of(ErrorKind::input, [&] { (void)read_capture(text, "a.capture"); });
}

// What is said of a body whose checksum is right.
std::string refusal_of_lines(const std::string& lines) {
  const std::string body = "orderlab capture 1\n" + lines;
  return refusal(body + checksum_line(body) + "\n");
}

std::string refusal_to_write(const Capture& capture) {
  return message_of(ErrorKind::usage, [&] { (void)write_capture(capture); });
}

const std::string kRun =
    "run kernel=spa format=fp32 n=10 threads=64 items=2 grid=0 input=dyadic(24,-23) seed=1 bits=0x42280000";

std::string run_with(const std::string& from, const std::string& to) {
  std::string line = kRun;
  const auto place = line.find(from);
  REQUIRE(place != std::string::npos);
  return line.replace(place, from.size(), to) + "\n";
}

}  // namespace

TEST_CASE("a capture is read back as it was written") {
  const Capture capture = sample_capture();
  const std::string text = write_capture(capture);
  const Capture read = read_capture(text, "a.capture");
  CHECK(without_lines(read) == capture);
  CHECK(write_capture(read) == text);
  CHECK(read.runs[0].line == 6);
  CHECK(read.runs[1].line == 9);
  CHECK(without_lines(read_capture(write_capture({}), "empty")) == Capture{});
  CHECK(without_lines(read_capture(text.substr(0, text.size() - 1), "no last line feed")) == capture);
}

TEST_CASE("the text of a capture is what src/cuda/README shows, line by line") {
  const std::string text = write_capture(sample_capture());
  CHECK(
      text.starts_with("orderlab capture 1\n"
                       "fact device = NVIDIA H100 80GB HBM3\n"
                       "fact driver = 580.65 = \"open\" # kernel\n"
                       "fact sm_count = 132\n"
                       "probe fp32_global_subnormal = 0x00000000 0x80000000\n"
                       "run kernel=spa format=fp32 n=1000 threads=64 items=2 grid=0 input=dyadic(24,-23,0) seed=1 "
                       "repeat=0 bits=0x42280000\n"
                       "returned 0x00000000 0xffffffff 0x80000000\n"
                       "tickets 2 0 1\n"
                       "run kernel=dot format=fp64 n=18446744073709551615 threads=1 items=4294967295 grid=7 "
                       "input=constant(0.1) seed=18446744073709551615 with_seed=0 aligned=32 temporary_bytes=21247 "
                       "blocks=5280 repeat=3 bits=0xffffffffffffffff\n"));
  // FNV-1a of the empty text and of "a", from the algorithm's page.
  CHECK(checksum_line("") == "checksum 0xcbf29ce484222325");
  CHECK(checksum_line("a") == "checksum 0xaf63dc4c8601ec8c");
}

TEST_CASE("blank lines, comments and the order of keys do not matter") {
  const std::string body =
      "orderlab capture 1\n# by hand\n\nfact  a  =  b  c\n" + kRun + "\n\n# its values\nreturned 0x00000000\n";
  const Capture capture = read_capture(body + checksum_line(body), "a.capture");
  CHECK(capture.facts[0].value == "b  c");
  REQUIRE(capture.runs.size() == 1);
  CHECK(capture.runs[0].line == 5);
  CHECK(capture.runs[0].returned.size() == 1);
  const std::string turned =
      "orderlab capture 1\nrun bits=0x4228 seed=1 input=d grid=0 items=2 threads=64 n=10 format=fp16 kernel=spa\n";
  CHECK(read_capture(turned + checksum_line(turned), "a").runs[0].bits == 0x4228);
}

TEST_CASE("a capture that was cut anywhere is refused") {
  const std::string text = write_capture(sample_capture());
  for (std::size_t length = 0; length + 1 < text.size(); ++length) {
    const std::string message = refusal(text.substr(0, length));
    INFO(length, ": ", message);
    CHECK(message.starts_with("a.capture:"));
  }
  CHECK(refusal("") == "a.capture:1: is not a capture; one begins with 'orderlab capture 1'");
  CHECK(
      refusal(text.substr(0, text.find("tickets"))) ==
      "a.capture:7: is the last line and is not a checksum: the file was cut short; copy it again or record it again");
}

TEST_CASE("a capture in which any byte was changed is refused") {
  const std::string text = write_capture(sample_capture());
  for (std::size_t i = 0; i < text.size() - 1; ++i)
    for (const int flip : {1, 2, 0x20}) {
      std::string changed = text;
      changed[i] = static_cast<char>(changed[i] ^ flip);
      const std::string message = refusal(changed);
      INFO(i, ": ", message);
      CHECK(message.starts_with("a.capture:"));
    }
  std::string edited = text;
  edited.replace(edited.find("0x42280000"), 10, "0x42280001");
  CHECK(contains(refusal(edited),
                 "a.capture:14: the file was changed after it was written: its lines have the checksum 0x"));
  CHECK(contains(refusal(text + "fact a = b\n"), "a.capture:15: is the last line and is not a checksum"));
  CHECK(contains(refusal("orderlab capture 1\r\n"), "a.capture:1: holds the character 13"));
}

TEST_CASE("a run of many outputs is told by its rows, and each of their lines is checked") {
  const std::string head = "run kernel=k format=fp16 n=6 threads=1 items=1 grid=0 input=d seed=1 ";
  const std::string arrays = "rows=3 columns=2 bins=1 self_seed=2 index_seed=3";
  const auto body = [](const std::string& lines) { return "orderlab capture 2\n" + lines; };
  const std::string good = body(head + arrays + "\noutputs 0x0001 0x0002\nreturned 0x0000\nlooked_back 1 2\n");
  const CapturedRun run = read_capture(good + checksum_line(good) + "\n", "c").runs[0];
  CHECK(run.rows == 3);
  CHECK(run.outputs == std::vector<std::uint64_t>{1, 2});
  CHECK(run.looked_back == std::vector<std::uint32_t>{1, 2});
  CHECK(write_capture({{}, {}, {run}}).starts_with("orderlab capture 2\n"));
  const auto refused = [&](const std::string& lines) { return refusal_of_lines(lines); };
  CHECK(contains(refused(head + "\n"), "a run without bits="));
  CHECK(contains(refused(head + arrays + " bits=0x0001\n"), "rows= and bits="));
  CHECK(contains(refused(head + "rows=6\n"), "rows= without columns="));
  CHECK(contains(refused(head + "rows=3 columns=2 bins=1\n"), "belong together"));
  CHECK(contains(refused(head + "rows=3 columns=3\n"), "rows=3 times columns=3 must be n=6"));
  CHECK(contains(refused(head + "rows=0 columns=0\n"), "must be n=6"));
  CHECK(contains(refused(head + "rows=3 columns=2 bins=0 self_seed=1 index_seed=1\n"), "bins=0 times columns=2"));
  CHECK(contains(refused(head + arrays + "\noutputs 0x0001\n"), "1 outputs; the run above has 2"));
  CHECK(contains(refused(head + "bits=0x0001\noutputs 0x0001\n"), "outputs of a run without rows="));
  CHECK(contains(refused("outputs 0x0001\n"), "outputs before any run"));
  CHECK(contains(refused(head + arrays + "\nlooked_back x\n"), "'x' is not the number of a tile"));
}

TEST_CASE("another version is told before anything else") {
  CHECK(refusal("orderlab capture 3\nnew things\n") ==
        "a.capture:1: version 3 of the format: this orderlab reads up to 2; a newer orderlab is needed");
  CHECK(contains(refusal("orderlab capture x\n"), "version 'x': must be a number from 1"));
  CHECK(contains(refusal("orderlab capture 0\n"), "version '0'"));
  CHECK(contains(refusal("orderlab capture \n"), "version ''"));
  CHECK(contains(refusal("orderlab trace 1\n"), "is not a capture"));
}

TEST_CASE("a wrong line is refused with its number, what is wrong and what would be right") {
  struct Wrong {
    std::string lines;
    const char* says;
  };
  const Wrong wrong[] = {
      {"fakt a = b\n", "a.capture:2: fakt: no such line of a capture; did you mean fact?"},
      {"fact a = b\nfact c = d\nfact a = e\n", "a.capture:4: fact a is there a second time"},
      {"probe a = b\nprobe a = b\n", "a.capture:3: probe a is there a second time"},
      {"fact a b\n", "must read 'fact NAME = VALUE'"},
      {"fact a =\n", "must read 'fact NAME = VALUE'"},
      {"fact = b\n", "must read 'fact NAME = VALUE'"},
      {"probe A = b\n", "must read 'probe NAME = VALUE'"},
      {"fact a = b \n", "must read 'fact NAME = VALUE'"},
      {"fact\n", "must read 'fact NAME = VALUE'"},
      {run_with("n=10", "n=0"), "n=0: must be at least 1"},
      {run_with("n=10", "n=-1"), "n=-1: must be a whole number in digits"},
      {run_with("n=10", "n=1e3"), "n=1e3: must be a whole number"},
      {run_with("n=10", "n="), "n=: must be"},
      {run_with("n=10", "n"), "n=: must be"},
      {run_with("n=10", "n=18446744073709551616"), "n=18446744073709551616: must be"},
      {run_with("n=10", "n=+1"), "n=+1: must be"},
      {run_with("threads=64", "threads=4294967296"), "threads=4294967296: must be"},
      {run_with("threads=64", "thread=64"), "a.capture:2: thread: no such key of a run; did you mean threads?"},
      {run_with("threads=64", "threads=64 threads=64"), "threads= is there a second time"},
      {run_with("threads=64 ", ""), "a run without threads=; it must be a whole number"},
      {run_with("kernel=spa", "kernel="), "kernel=: must be a name"},
      {run_with("format=fp32", "format=fp8"), "format=fp8: must be fp64, fp32, fp16, bf16, tf32, e4m3 or e5m2"},
      {run_with(" bits=0x42280000", ""), "a run without bits=; it must be 0x"},
      {run_with("0x42280000", "0x4228000"), "bits=0x4228000: must be 0x and all hexadecimal digits"},
      {run_with("0x42280000", "0x042280000"), "must be 0x and all"},
      {run_with("0x42280000", "42280000"), "must be 0x and all"},
      {run_with("0x42280000", "0x4228000g"), "must be 0x and all"},
      {run_with("0x42280000", "0x-2280000"), "must be 0x and all"},
      {run_with("seed=1", "seed=1 blocks=x"), "blocks=x: must be"},
      {run_with("n=10", "n=" + std::string(99, '7')), "n=7777777777777777777777777777777777777777...: must be"},
      {"fact a = \xff\n", "a.capture:2: holds the character 255"},
      {"returned 0x00000000\n", "a.capture:2: returned before any run"},
      {"tickets 0\n", "a.capture:2: tickets before any run"},
      {kRun + "\nreturned\n", "a.capture:3: returned of nothing"},
      {kRun + "\nreturned 0x0000\n", "a.capture:3: '0x0000' is not a bit pattern of fp32; write 0x and all 8"},
      {kRun + "\ntickets 0 -1\n", "a.capture:3: '-1' is not the number of a unit"},
      {kRun + "\ntickets 0\ntickets 0\n", "a.capture:4: tickets is there a second time for one run"},
      {kRun + "\nreturned 0x00000000\nreturned 0x00000000\n", "a.capture:4: returned is there a second time"},
      {"checksum 0x0000000000000000\n", "a.capture:2: checksum: no such line of a capture"},
  };
  for (const Wrong& w : wrong) {
    const std::string message = refusal_of_lines(w.lines);
    INFO(w.lines, " gave: ", message);
    CHECK(contains(message, w.says));
    CHECK(message.starts_with("a.capture:"));
    CHECK(message.find('\n') == std::string::npos);
  }
}

TEST_CASE("a capture that no text can hold is not written") {
  const auto with = [](auto change) {
    Capture capture = sample_capture();
    change(capture);
    return refusal_to_write(capture);
  };
  CHECK(refusal_to_write(sample_capture()) == "no error");
  CHECK(contains(with([](Capture& c) { c.facts[0].value = "a\nfact b = c"; }), "not be read back as the same"));
  CHECK(contains(with([](Capture& c) { c.facts[0].value = "a\n# b"; }), "not be read back as the same"));
  CHECK(contains(with([](Capture& c) { c.facts[0].value = " a"; }), "not be read back as the same"));
  CHECK(contains(with([](Capture& c) { c.facts[0].value = ""; }), "could not be read back: capture:2: must read"));
  CHECK(contains(with([](Capture& c) { c.facts[0].name = "a b"; }), "could not be read back: capture:2: must read"));
  CHECK(contains(with([](Capture& c) { c.facts[1].name = "device"; }), "a second time"));
  CHECK(contains(with([](Capture& c) { c.probes[0].value = "\x1b[1m"; }), "character 27"));
  CHECK(contains(with([](Capture& c) { c.runs[0].kernel = "a seed=2"; }), "a second time"));
  CHECK(contains(with([](Capture& c) { c.runs[0].input = "d blocks=1"; }), "not be read back as the same"));
  CHECK(contains(with([](Capture& c) { c.runs[0].bits = std::uint64_t{1} << 40; }), "not be read back as the same"));
  CHECK(contains(with([](Capture& c) { c.runs[0].n = 0; }), "n=0"));
}
