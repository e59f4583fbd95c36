#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "cli/program.hpp"
#include "crosscheck/known_kernels.hpp"
#include "crosscheck/synthetic_capture.hpp"

using namespace orderlab;
using namespace orderlab::cli;
using namespace orderlab::testing;

namespace {

// Five kernels over 100 terms: every kind of claim.
Capture few_runs() {
  Capture capture;
  capture.facts = {{"device", "none: the model itself, not a GPU"}, {"driver", "none"}};
  capture.probes = {{"global_subnormals", "flushed"}};
  for (const KernelInfo* kernel : known_kernels())
    for (const std::string_view name : {"spa", "ao", "sptr", "shared_atomic", "dot_fma"})
      if (kernel->name == name)
        capture.runs.push_back(
            modelled_run(*kernel, kernel->shapes[0], "dyadic(24,-23,4)", Format::fp32, 300, 1, true));
  return capture;
}

// The capture with one bit of its first fixed run changed; its line.
std::size_t spoil(Capture& capture) {
  for (std::size_t i = 0; i < capture.runs.size(); ++i)
    if (capture.runs[i].kernel == "sptr") {
      capture.runs[i].bits ^= 4;
      return read_capture(write_capture(capture), "c").runs[i].line;
    }
  return 0;
}

}  // namespace

TEST_CASE("runs as the model makes them are what their kernels claim, in text, JSON and CSV") {
  const TemporaryFolder folder;
  TemporaryFolder::write("gpu.capture", write_capture(few_runs()));
  const Outcome outcome = run({"verify", "gpu.capture"});
  CHECK(outcome.status == kDone);
  CHECK(outcome.err.empty());
  CHECK(has(outcome.out, "fact device = none: the model itself, not a GPU\n"));
  CHECK(has(outcome.out, "probe global_subnormals = flushed\n"));
  CHECK(has(outcome.out, "all 5 runs match the claim of their kernel\n"));
  const Json json = json_of({"verify", "gpu.capture"});
  REQUIRE(json.is_object());
  CHECK(json["command"] == "verify");
  CHECK(json["captures"][0]["facts"]["driver"] == "none");
  CHECK(json["captures"][0]["mismatches"] == 0);
  std::uint64_t replayed = 0;
  std::uint64_t identical = 0;
  for (const Json& row : json["captures"][0]["rows"]) {
    replayed += row["replayed"].count();
    identical += row["identical"].count();
  }
  CHECK(replayed == 3);
  CHECK(identical == 2);
  const Line csv = lines_of(run({"verify", "gpu.capture", "--csv", "-"}).out);
  REQUIRE(csv.size() == 6);
  CHECK(csv[0] == "file,line,kernel,format,n,input,seed,repeat,claim,verdict,mismatch,model_bits,bits,problem");
  CHECK(has(csv[1], "gpu.capture,5,ao,fp32,300,\"dyadic(24,-23,4)\",7,1,ao,replayed,0,0x"));
  CHECK(run({"verify", "gpu.capture", "--quiet"}).out.empty());
  CHECK(run({"verify", "gpu.capture", "--threads", "1"}).out == outcome.out);
}

TEST_CASE("a run that is not what its kernel claims is shown with file, line and both results") {
  const TemporaryFolder folder;
  Capture capture = few_runs();
  const std::size_t line = spoil(capture);
  TemporaryFolder::write("good.capture", write_capture(few_runs()));
  TemporaryFolder::write("bad.capture", write_capture(capture));
  const Outcome outcome = run({"verify", "good.capture", "bad.capture"});
  CHECK(outcome.status == kExitNo);
  CHECK(outcome.err.empty());
  CHECK(has(outcome.out, "all 5 runs"));
  CHECK(has(outcome.out, "bad.capture:" + std::to_string(line) + ": sptr fp32 n=300 "));
  CHECK(has(outcome.out, "  claim    sptr("));
  CHECK(has(outcome.out, "1 of 5 runs do not match the claim of their kernel"));
  std::ostringstream out;
  std::ostringstream err;
  Session session{.out = out, .err = err};
  CHECK(run_program({"verify", "bad.capture", "--json", "r.json"}, session) == kExitNo);
  const Json json = Json::parse(TemporaryFolder::read("r.json"));
  REQUIRE(json["captures"][0]["differences"].size() == 1);
  CHECK(json["captures"][0]["differences"][0]["line"] == line);
}

TEST_CASE("a file that cannot be verified is one line, status 2, and does not keep others from being looked at") {
  const TemporaryFolder folder;
  const std::string good = write_capture(few_runs());
  TemporaryFolder::write("good.capture", good);
  TemporaryFolder::write("cut.capture", good.substr(0, good.size() / 2));
  TemporaryFolder::write("new.capture", "orderlab capture 3\n");
  const Outcome outcome =
      run({"verify", "cut.capture", "good.capture", "absent.capture", "new.capture", ".", "--csv", "r.csv"});
  CHECK(outcome.status == kFailed);
  const Line errors = lines_of(outcome.err);
  REQUIRE(errors.size() == 4);
  CHECK(has(errors[0], "orderlab: verify: cut.capture:"));
  CHECK(has(errors[1], "absent.capture: no such file"));
  CHECK(has(errors[2], "new.capture:1: version 3"));
  CHECK(has(errors[3], ".: is a folder"));
  CHECK(has(outcome.out, "all 5 runs match the claim of their kernel"));
  CHECK_FALSE(std::filesystem::exists("r.csv"));
  CHECK(run({"verify"}).status == kFailed);
  CHECK(has(run({"verify", "good.capture", "--confidence", "1"}).err, "--confidence 1"));
}

TEST_CASE("a file name that is no UTF-8 has U+FFFD in what is written") {
  const TemporaryFolder folder;
  TemporaryFolder::write("a\xff.capture", write_capture(few_runs()));
  CHECK(json_of({"verify", "a\xff.capture"})["captures"][0]["file"] == "a\uFFFD.capture");
  CHECK(has(run({"verify", "a\xff.capture", "--csv", "-"}).out, "\na\uFFFD.capture,5,ao,"));
  CHECK(run({"verify", "b\xff.capture"}).err ==
        "orderlab: verify: b\uFFFD.capture: no such file; name a file that was captured on a GPU, or - for stdin\n");
}

TEST_CASE("the capture kept among the tests is read and verified as it was when it was made") {
  const std::string kept = TemporaryFolder::read(ORDERLAB_TEST_CAPTURES "/synthetic.capture");
  CHECK(kept == write_capture(few_runs()));
  CHECK(run({"verify", ORDERLAB_TEST_CAPTURES "/synthetic.capture"}).status == kDone);
}

TEST_CASE("a capture with many outputs is verified, and the first output that differs is told") {
  const std::string kept = ORDERLAB_TEST_CAPTURES "/outputs.capture";
  CHECK(run({"verify", kept}).status == kDone);
  Capture capture = read_capture(TemporaryFolder::read(kept), kept);
  REQUIRE(capture.runs.front().kernel == "index_add_small");
  capture.runs.front().outputs[2] ^= 1;
  const TemporaryFolder folder;
  TemporaryFolder::write("wrong.capture", write_capture(capture));
  const Outcome outcome = run({"verify", "wrong.capture"});
  CHECK(outcome.status == kExitNo);
  CHECK(has(outcome.out, " rows="));
  CHECK(has(outcome.out, "  claim    index_add of "));
  CHECK(has(outcome.out, "  output   2 of "));
  CHECK(has(outcome.out, "  captured " + bits_text(Format::fp32, capture.runs.front().outputs[2])));
  const Json json = Json::parse(run({"verify", "wrong.capture", "--json", "-"}).out);
  const Json& difference = json["captures"][0]["differences"][0];
  CHECK(difference["output"] == 2);
  CHECK(difference["bits"].text() == bits_text(Format::fp32, capture.runs.front().outputs[2]));
  CHECK(has(run({"verify", "wrong.capture", "--csv", "-"}).out, ",index_add_large,"));
}

TEST_CASE("ten differences are shown, all of them are in the CSV") {
  const TemporaryFolder folder;
  Capture capture = few_runs();
  spoil(capture);
  for (const CapturedRun& one : few_runs().runs)
    if (one.kernel == "sptr")
      for (std::uint64_t i = 0; i < 12; ++i) {
        capture.runs.push_back(one);
        capture.runs.back().bits ^= 2;
        capture.runs.back().repeat = 10 + i;
      }
  TemporaryFolder::write("bad.capture", write_capture(capture));
  CHECK(has(run({"verify", "bad.capture"}).out, "and 3 more; --csv lists every run"));
  CHECK(lines_of(run({"verify", "bad.capture", "--csv", "-"}).out).size() == 1 + 17);
}

TEST_CASE("a capture without runs says nothing, and results do not take its place") {
  const TemporaryFolder folder;
  Capture empty;
  empty.facts = {{"device", "none"}};
  TemporaryFolder::write("empty.capture", write_capture(empty));
  const Outcome outcome = run({"verify", "empty.capture"});
  CHECK(outcome.status == kFailed);
  CHECK(has(outcome.err, "empty.capture: holds no run"));
  TemporaryFolder::write("gpu.capture", write_capture(few_runs()));
  const Outcome over = run({"verify", "gpu.capture", "--json", "./gpu.capture"});
  CHECK(over.status == kFailed);
  CHECK(has(over.err, "--json ./gpu.capture: is the same file as gpu.capture, which is read, and would be lost"));
  CHECK(run({"verify", "gpu.capture"}).status == kDone);
}
