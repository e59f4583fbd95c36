#include "crosscheck/verify.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "crosscheck/synthetic_capture.hpp"
#include "terms/temporary_file.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

const KernelInfo& kernel(std::string_view name) {
  for (const KernelInfo* k : claiming_kernels())
    if (k->name == name) return *k;
  FAIL("no kernel ", name);
  return *claiming_kernels()[0];
}

Capture capture_of(std::vector<CapturedRun> runs) {
  // Through the text, for the lines.
  return read_capture(write_capture({{{"device", "model"}}, {}, std::move(runs)}), "test.capture");
}

std::vector<VerifiedRun> verified(std::vector<CapturedRun> runs, VerifyOptions options = {}) {
  return verify(capture_of(std::move(runs)), "test.capture", claiming_kernels(), options);
}

std::string refusal(CapturedRun run) {
  const CapturedRun good = modelled_run(kernel("fixed"), {64, 2}, "constant(1)", Format::fp32, 10, 0, false);
  return message_of(ErrorKind::input, [&] { (void)verified({good, std::move(run)}); });
}

constexpr std::size_t kSizes[] = {1, 2, 31, 128, 200};

}  // namespace

TEST_CASE("every run that the model makes is what its claim says, by the strictest way there is") {
  const Capture capture = read_capture(write_capture(modelled_capture(claiming_kernels(), kSizes)), "c");
  const auto runs = verify(capture, "c", claiming_kernels(), {});
  REQUIRE(runs.size() == capture.runs.size());
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const CapturedRun& run = capture.runs[i];
    INFO(run.kernel, " ", info(run.format).name, " n=", run.n, " ", run.input, ": ", runs[i].problem);
    CHECK_FALSE(runs[i].mismatch);
    const bool fixed = kernel(run.kernel).unit == ArrivalUnit::none;
    if (fixed) CHECK(runs[i].verdict == RunVerdict::identical);
    if (!run.returned.empty()) CHECK(runs[i].verdict == RunVerdict::replayed);
    if (!fixed && run.returned.empty())
      CHECK((runs[i].verdict == RunVerdict::explained || runs[i].verdict == RunVerdict::unlikely));
  }
}

TEST_CASE("a changed bit of a fixed sum is a mismatch with both results") {
  for (const Format format : kEveryFormat)
    for (int bit = 0; bit < info(format).bits; ++bit) {
      CapturedRun run = modelled_run(kernel("fixed"), {64, 2}, "dyadic(10,-9,3)", format, 500, 0, false);
      const std::uint64_t right = run.bits;
      run.bits ^= std::uint64_t{1} << bit;
      const VerifiedRun v = verified({run})[0];
      INFO(info(format).name, " bit ", bit);
      CHECK(v.mismatch);
      CHECK(v.verdict == RunVerdict::impossible);
      CHECK(v.expected == right);
      CHECK(v.claim == "sptr(64,2,4)");
    }
}

TEST_CASE("a recorded race ends in the bits that its atomics lead to, and in no others") {
  for (const char* name : {"global", "shared"}) {
    const CapturedRun run = modelled_run(kernel(name), {32, 1, 3}, "dyadic(20,-19,3)", Format::fp32, 300, 5, true);
    CHECK(verified({run})[0].verdict == RunVerdict::replayed);
    for (int bit = 0; bit < 32; ++bit) {
      CapturedRun wrong = run;
      wrong.bits ^= std::uint64_t{1} << bit;
      const VerifiedRun v = verified({wrong})[0];
      INFO(name, " bit ", bit);
      CHECK(v.mismatch);
      CHECK(v.expected == run.bits);
    }
    CapturedRun wrong = run;
    wrong.returned[1] ^= 0x00400000;
    CHECK(verified({wrong})[0].mismatch);
    CHECK_FALSE(verified({wrong})[0].problem.empty());
    wrong = run;
    wrong.returned.pop_back();
    CHECK(contains(verified({wrong})[0].problem, " returned values for "));
  }
}

TEST_CASE("subnormal sums tell a global cell from a shared one") {
  CapturedRun shared = modelled_run(kernel("shared"), {64, 1}, "dyadic(10,-149)", Format::fp32, 40, 0, true);
  CHECK(verified({shared})[0].verdict == RunVerdict::replayed);
  shared.kernel = "global";
  shared.shape = {1, 1};
  CHECK(verified({shared})[0].mismatch);
}

TEST_CASE("a race that nothing recorded must be reachable: exactly where orders can be counted") {
  const CapturedRun few = modelled_run(kernel("shared"), {64, 1}, "dyadic(20,-19,9)", Format::fp32, 8, 3, false);
  CHECK(verified({few})[0].verdict == RunVerdict::explained);
  CapturedRun wrong = few;
  wrong.bits += 64;
  const VerifiedRun v = verified({wrong})[0];
  CHECK(v.verdict == RunVerdict::impossible);
  CHECK(v.mismatch);
  CHECK(v.problem == "none of the 40320 orders gives it");
}

TEST_CASE("a race over many terms is judged by samples and by the bound over all orders") {
  const CapturedRun many = modelled_run(kernel("shared"), {64, 1}, "dyadic(20,-19,9)", Format::fp32, 3000, 3, false);
  CHECK(verified({many})[0].verdict == RunVerdict::explained);
  CapturedRun far = many;
  far.bits = round_to_bits(Format::fp32, value_of_bits(Format::fp32, many.bits) * 1.001);
  const VerifiedRun unlikely = verified({far})[0];
  CHECK(unlikely.verdict == RunVerdict::unlikely);
  CHECK(unlikely.mismatch);
  CHECK(unlikely.problem == "outside the range of 2000 sampled orders");
  REQUIRE(unlikely.p);
  CHECK(*unlikely.p <= 0.001);
  far.bits = round_to_bits(Format::fp32, 1e9);
  CHECK(verified({far})[0].verdict == RunVerdict::impossible);
  CHECK(verified({far})[0].problem == "outside the bound over all orders");
  far.bits = 0x7f800000;
  CHECK(contains(verified({far})[0].problem, "not finite"));

  // Two distinct sums: twice the samples, so that both together are called wrong with 1 - confidence at most.
  far.bits = many.bits + 100000;
  CHECK(verified({many, far})[1].problem == "outside the range of 4000 sampled orders");
  VerifyOptions hurried;
  hurried.most_additions = 1;
  const VerifiedRun undecided = verified({many, far}, hurried)[1];
  CHECK(undecided.verdict == RunVerdict::unlikely);
  CHECK_FALSE(undecided.mismatch);
  CHECK(undecided.problem == "outside the range of 2000 sampled orders, which are too few to call it wrong");
}

TEST_CASE("repeats of a fixed order that differ are told as such") {
  const CapturedRun good = modelled_run(kernel("fixed"), {64, 2}, "dyadic(10,-9)", Format::fp32, 500, 0, false);
  CapturedRun wrong = good;
  wrong.repeat = 1;
  wrong.bits ^= 1;
  const auto runs = verified({good, wrong});
  CHECK(runs[0].verdict == RunVerdict::identical);
  CHECK(runs[0].problem.empty());
  CHECK(runs[1].problem ==
        "differs from run to run: line 3 is the same run and gave " + bits_text(Format::fp32, good.bits));
  CHECK(verified({wrong, wrong})[1].problem.empty());
  CapturedRun other_shape = wrong;
  other_shape.shape = {32, 1, 3};
  CHECK_FALSE(contains(verified({good, other_shape})[1].problem, "differs"));
}

TEST_CASE("NaN is NaN, whatever its bits, and -0 is not +0") {
  CapturedRun run = modelled_run(kernel("fixed"), {64, 2}, "dyadic(53,971)", Format::fp16, 500, 0, false);
  REQUIRE(std::isnan(value_of_bits(Format::fp16, run.bits)));
  run.bits = 0xffff;
  CHECK(verified({run})[0].verdict == RunVerdict::identical);
  CapturedRun zero = modelled_run(kernel("fixed"), {64, 2}, "constant(0)", Format::fp32, 5, 0, false);
  zero.bits ^= 0x80000000;
  CHECK(verified({zero})[0].mismatch);
}

TEST_CASE("second factors, the grid of a library, and seeds are those of the capture") {
  CapturedRun run = modelled_run(kernel("products"), {64, 2}, "dyadic(20,-19)", Format::fp32, 500, 0, false);
  CHECK(verified({run})[0].verdict == RunVerdict::identical);
  run.with_seed = 9;
  CHECK(verified({run})[0].mismatch);
  run.with_seed = 8;
  run.seed = 6;
  CHECK(verified({run})[0].mismatch);
  CapturedRun library = modelled_run(kernel("library"), {64, 2}, "dyadic(20,-19,5)", Format::fp32, 500, 0, false);
  CHECK(verified({library})[0].claim == "tile(32,1,16) | adjacent(32) | seq");
  library.blocks = 3;
  CHECK(verified({library})[0].claim == "tile(32,1,3) | adjacent(32) | seq");
  CHECK(verified({library})[0].mismatch);
}

TEST_CASE("runs that no kernel can have made are refused with their line") {
  CapturedRun run = modelled_run(kernel("fixed"), {64, 2}, "dyadic(10,-9)", Format::fp32, 500, 0, false);
  const auto with = [&](auto change) {
    CapturedRun changed = run;
    change(changed);
    return refusal(changed);
  };
  CHECK(with([](CapturedRun& r) { r.kernel = "fixde"; }) ==
        "test.capture:4: fixde: no such kernel; did you mean fixed?");
  CHECK(contains(with([](CapturedRun& r) { r.with_seed = 1; }), "test.capture:4: fixed in fp32: adds no products"));
  CHECK(contains(with([](CapturedRun& r) { r.kernel = "products"; }), "with_seed= must name the second factors"));
  CHECK(contains(with([](CapturedRun& r) {
                   r.kernel = "library";
                   r.format = Format::fp16;
                   r.bits = 0;
                 }),
                 "not made in this format"));
  CHECK(contains(with([](CapturedRun& r) { r.returned = {1}; }), "no float atomics"));
  CHECK(contains(with([](CapturedRun& r) { r.shape.threads = 0; }), "threads= and items= must be at least 1"));
  CHECK(contains(with([](CapturedRun& r) { r.shape.items = 0; }), "threads= and items= must be at least 1"));
  CHECK(contains(with([](CapturedRun& r) { r.shape.threads = 48; }), "halving(48): "));
  CHECK(contains(with([](CapturedRun& r) { r.input = "dyadic(99,0)"; }), "test.capture:4: dyadic(99,0): bits"));
  CHECK(contains(with([](CapturedRun& r) { r.n = std::uint64_t{1} << 60; }), "test.capture:4: "));
}

TEST_CASE("rows count every run once, by kernel and format") {
  std::vector<CapturedRun> runs;
  for (const Format format : {Format::fp32, Format::fp64})
    for (const bool record : {true, false}) {
      runs.push_back(modelled_run(kernel("fixed"), {64, 2}, "dyadic(10,-9)", format, 50, 0, false));
      runs.push_back(modelled_run(kernel("shared"), {64, 2}, "dyadic(10,-9)", format, 6, 0, record));
    }
  runs[2].bits ^= 1;
  const Capture capture = capture_of(runs);
  const auto rows = rows_of(capture, verify(capture, "c", claiming_kernels(), {}));
  REQUIRE(rows.size() == 4);
  CHECK(rows[0].kernel == "fixed");
  CHECK(rows[0].runs == 2);
  CHECK(rows[0].identical == 1);
  CHECK(rows[0].mismatches == 1);
  CHECK(rows[1].kernel == "shared");
  CHECK(rows[1].replayed == 1);
  CHECK(rows[1].explained == 1);
  CHECK(rows[3].format == Format::fp64);
  CHECK(rows[3].mismatches == 0);
}

TEST_CASE("verdicts do not depend on threads, and a stop leaves runs unchecked") {
  const std::size_t sizes[] = {64, 77};
  const Capture capture = read_capture(write_capture(modelled_capture(claiming_kernels(), sizes)), "c");
  VerifyOptions options;
  std::vector<std::vector<VerifiedRun>> all;
  for (const int threads : {1, 3}) {
    options.threads = threads;
    all.push_back(verify(capture, "c", claiming_kernels(), options));
  }
  for (std::size_t i = 0; i < capture.runs.size(); ++i) {
    CHECK(all[0][i].verdict == all[1][i].verdict);
    CHECK(all[0][i].expected == all[1][i].expected);
    CHECK(all[0][i].problem == all[1][i].problem);
  }
  std::stop_source source;
  source.request_stop();
  options.stop = source.get_token();
  for (const VerifiedRun& run : verify(capture, "c", claiming_kernels(), options)) {
    CHECK(run.verdict == RunVerdict::unchecked);
    CHECK_FALSE(run.mismatch);
  }
  CHECK(verify({}, "c", claiming_kernels(), {}).empty());
}
