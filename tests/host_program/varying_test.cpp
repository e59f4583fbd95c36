#include "host_program/varying.hpp"

#include <doctest/doctest.h>

using namespace orderlab::host_program;

namespace {

ProgramRun printed(std::string output) { return {std::move(output), {}}; }

CopiedBack copied(std::uint64_t bits) { return {"a.cu:4", "h", "d", "fp32", 8, bits, {0x3F800000, bits}}; }

std::vector<Varying> varying(const std::vector<ProgramRun>& runs, const ProgramRun& again,
                             const std::vector<std::string>& watched) {
  return compare_runs(runs, std::vector{again}, watched).varying;
}

}  // namespace

TEST_CASE("numbers that runs print otherwise vary, but not what varies with the same order") {
  const std::vector<ProgramRun> runs = {printed("sum 1.5 of 10\ntime 3 ms\n"), printed("sum 1.25 of 10\ntime 4 ms\n"),
                                        printed("sum -2e-3 of 10\ntime 5 ms\n")};
  const auto found = varying(runs, printed("sum 1.5 of 10\ntime 9 ms\n"), {});
  REQUIRE(found.size() == 1);
  CHECK(found[0].what == "line 1 of the output");
  CHECK(found[0].numbers == 2);
  CHECK(found[0].varying == 1);
  CHECK(found[0].values == 3);
  CHECK(found[0].least == "-2e-3");
  CHECK(found[0].greatest == "1.5");
  CHECK(found[0].of_runs == std::vector{1.5, 1.25, -2e-3});
}

TEST_CASE("numbers that are part of a name are no numbers") {
  CHECK(varying({printed("a1 b"), printed("a1 b")}, printed("a1 b"), {}).empty());
  const auto found = varying({printed("a1 b"), printed("a2 b")}, printed("a1 b"), {});
  REQUIRE(found.size() == 1);
  CHECK(found[0].varying == 0);  // another text
}

TEST_CASE("copies are compared number by number, those of one place together") {
  ProgramRun one;
  ProgramRun other;
  one.record.copies = {copied(0x40000000), copied(0)};
  other.record.copies = {copied(0x40400000), copied(0)};
  one.record.launches = {{"k", "a.cu:2", 1, 1, 1, 64, 64}};
  const auto found = varying({one, other}, one, {});
  REQUIRE(found.size() == 1);
  CHECK(found[0] == Varying{"a.cu:4", "h, copied back from d", 2, 1, 2, "2", "3", {2, 3}, found[0].reason});
  CHECK(found[0].reason.find("kernel k (a.cu:2) adds 64 numbers by float atomics") != std::string::npos);
  const std::vector<std::string> another = {"x"};
  CHECK(varying({one, other}, one, another).empty());
  const std::vector<std::string> watched = {"d"};
  CHECK(varying({one, other}, one, watched).size() == 1);
}

TEST_CASE("a copy whose kept numbers are the same varies where its hash does") {
  ProgramRun one;
  ProgramRun other;
  one.record.copies = {copied(0x40000000)};
  other = one;
  other.record.copies[0].hash = 1;
  const auto found = varying({one, other}, one, {});
  REQUIRE(found.size() == 1);
  CHECK(found[0] == Varying{"a.cu:4", "h, copied back from d", 2, 0, 2, "", "", {}, found[0].reason});
  const auto dropped = compare_runs(std::vector{one, other}, std::vector{other}, {});
  CHECK(dropped.varying.empty());
  CHECK(dropped.dropped == 1);
}

TEST_CASE("what any of several runs with the same order shows otherwise is dropped and counted") {
  const std::vector<ProgramRun> runs = {printed("time 3 ms\nsum 1"), printed("time 4 ms\nsum 1")};
  const auto found =
      compare_runs(runs, std::vector{runs[0], printed("time 3 ms\nsum 1"), printed("time 5 ms\nsum 1")}, {});
  CHECK(found.varying.empty());
  CHECK(found.dropped == 1);
  CHECK(compare_runs(runs, std::vector{runs[0]}, {}).varying.size() == 1);
}

TEST_CASE("a run that prints more lines than the first varies") {
  CHECK(varying({printed("a\n"), printed("a\nb\n")}, printed("a\n"), {}).size() == 1);
}
