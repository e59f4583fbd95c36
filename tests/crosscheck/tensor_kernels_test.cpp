// Dot products on tensor cores: on the host executor against their claims, on each GPU's unit, and from captures.
#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "core/dyadic.hpp"
#include "crosscheck/verify.hpp"
#include "cuda/capture/plan.hpp"
#include "cuda/capture/runs.hpp"
#include "orderlab/crosscheck.hpp"
#include "orderlab/evaluator.hpp"
#include "orderlab/fused.hpp"
#include "orderlab/study/crosscheck.hpp"
#include "orderlab/tensor_cores.hpp"
#include "orderlab/terms.hpp"

using namespace orderlab;

namespace {

std::vector<Executor> tensor_executors() {
  std::vector<Executor> all;
  for (const Executor& executor : host_executors())
    if (!executor.kernel->mixed_formats.empty()) all.push_back(executor);
  return all;
}

bool has_unit(const std::string& claim) {
  const std::size_t open = claim.find('(');
  return find_fused_unit(claim.substr(open + 1, claim.find(')') - open - 1)) != nullptr;
}

/// Sums of 200 products with the tensor cores of one GPU that the claim for another one does not give.
std::size_t differing_sums(const Executor& executor, unsigned runs_on, unsigned claims) {
  constexpr std::size_t kTerms = 200;
  const KernelInfo& kernel = *executor.kernel;
  const Formats formats = kernel.mixed_formats.front();
  std::size_t differ = 0;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    Terms terms = generate_terms("normal(0,1)", kTerms, formats.terms, seed);
    terms.multiply_by(generate_terms("normal(0,1)", kTerms, formats.terms, seed, 1));
    LaunchShape shape = kernel.shapes[seed % kernel.shapes.size()];
    shape.architecture = claims;
    const auto evaluator = Evaluator::make(parse_order(kernel.claim(shape, kTerms)), terms.view(), formats, 1);
    const auto scratch = evaluator->make_scratch();
    shape.architecture = runs_on;
    const KernelRun run = executor.run({.terms = terms.view(), .shape = shape, .schedule = {}, .formats = formats});
    CHECK(run.shape.architecture == runs_on);
    if (run.bits != evaluator->evaluate(0, *scratch).bits) ++differ;
  }
  return differ;
}

CapturedRun run_of(const Executor& executor, const cuda::PlannedRun& planned, unsigned architecture) {
  cuda::TermStore store;
  const Formats formats = executor.kernel->mixed_formats.front();
  LaunchShape shape = planned.shape;
  shape.architecture = architecture;
  const KernelRun run = executor.run({.terms = store.terms(planned.input, planned.format, planned.n, true),
                                      .shape = shape,
                                      .schedule = {},
                                      .formats = formats});
  return {.kernel = std::string(executor.kernel->name),
          .format = planned.format,
          .n = planned.n,
          .shape = planned.shape,
          .input = to_string(planned.input),
          .seed = cuda::kTermSeed,
          .with_seed = cuda::kFactorSeed,
          .repeat = planned.repeat,
          .bits = run.bits,
          .sums = planned.sums};
}

}  // namespace

TEST_CASE("there is a kernel with mma.sync and one with wgmma for each format, and says which GPUs have it") {
  const std::vector<Executor> executors = tensor_executors();
  CHECK(executors.size() == 8);
  for (const Executor& executor : executors) {
    const KernelInfo& kernel = *executor.kernel;
    CAPTURE(kernel.name);
    const bool group = kernel.name.starts_with("wgmma");
    const bool fp8 = kernel.name.ends_with("e4m3");
    CHECK(kernel.needs == (group ? Architecture{900, true} : Architecture{fp8 ? 890U : 800U}));
    for (const unsigned architecture : {0U, 800U, 890U, 900U, 1000U, 1200U}) {
      LaunchShape shape = kernel.shapes.front();
      shape.architecture = architecture;
      const bool runs =
          Architecture{architecture == 0 ? 900 : architecture, architecture == 0 || architecture == 900}.has(
              kernel.needs);
      CHECK(has_unit(kernel.claim(shape, 100)) == runs);
    }
  }
  CHECK(to_string(Architecture{900, true}) == "sm_90a");
  CHECK(!Architecture{900}.has({900, true}));
  CHECK(!Architecture{1000, true}.has({900, true}));
}

TEST_CASE("kernels on tensor cores give the bits of their claims at every size about their depth") {
  const study::CrossCheckFinding finding =
      study::crosscheck(tensor_executors(), {.sizes = {1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 100, 257},
                                             .formats = {Format::fp16, Format::bf16, Format::tf32, Format::e4m3},
                                             .seeds = 11});
  CHECK(finding.checks.rows.size() == 8);
  for (const CrossCheckRow& row : finding.checks.rows) {
    INFO(differences(row));
    CHECK(row.cases == 13 * 11 * 2);
    CHECK(row.mismatches == 0);
  }
  CHECK(finding.checks.warnings.empty());
}

TEST_CASE("a claim is that of the GPU which the run tells") {
  for (const Executor& executor : tensor_executors()) {
    CAPTURE(executor.kernel->name);
    for (const unsigned architecture : {800U, 890U, 900U, 1000U, 1200U}) {
      LaunchShape shape = executor.kernel->shapes.front();
      shape.architecture = architecture;
      if (has_unit(executor.kernel->claim(shape, 1))) CHECK(differing_sums(executor, architecture, architecture) == 0);
    }
  }
  for (const Executor& executor : tensor_executors()) {
    if (executor.kernel->name == "mma_fp16") CHECK(differing_sums(executor, 800, 900) > 0);
    if (executor.kernel->name == "mma_tf32") CHECK(differing_sums(executor, 900, 800) > 0);
    if (executor.kernel->name == "mma_e4m3") CHECK(differing_sums(executor, 890, 900) > 0);
  }
}

TEST_CASE("a capture of kernels on tensor cores is verified by the claims for its GPU") {
  std::vector<const KernelInfo*> kernels;
  for (const Executor& executor : tensor_executors()) kernels.push_back(executor.kernel);
  for (const unsigned architecture : {800U, 890U, 900U, 1000U}) {
    CAPTURE(architecture);
    Capture capture{.facts = {{"device", "the host executor"}}, .probes = {}, .runs = {}};
    const std::string minor = std::to_string(architecture / 10 % 10);
    capture.facts.push_back({"compute_capability", std::to_string(architecture / 100) + "." + minor});
    for (const Executor& executor : tensor_executors()) {
      LaunchShape shape = executor.kernel->shapes.front();
      shape.architecture = architecture;
      if (!has_unit(executor.kernel->claim(shape, 1))) continue;
      for (const cuda::PlannedRun& planned : cuda::plan_of(*executor.kernel, true))
        if (planned.n <= 300) capture.runs.push_back(run_of(executor, planned, architecture));
    }
    CHECK(capture.runs.size() > 3 * 3 * 2 * 4);
    const Capture read = read_capture(write_capture(capture), "c");
    CHECK(read.runs.front().sums == Format::fp32);
    const std::vector<VerifiedRun> runs = verify(read, "c", kernels, {});
    for (std::size_t i = 0; i < runs.size(); ++i) {
      if (runs[i].verdict == RunVerdict::identical) continue;
      INFO(read.runs[i].kernel, " n=", read.runs[i].n, " ", read.runs[i].input, ": ", runs[i].claim, " ",
           bits_text(Format::fp32, *runs[i].expected), " but ", bits_text(Format::fp32, read.runs[i].bits), " ",
           runs[i].problem);
      FAIL_CHECK("differs");
    }
    capture.facts[1].value = architecture == 800 ? "9.0" : "8.0";
    std::size_t others = 0;
    for (CapturedRun& run : capture.runs)
      if (run.format != Format::e4m3 && !run.kernel.starts_with("wgmma")) capture.runs[others++] = run;
    capture.runs.resize(others);
    std::size_t unlike = 0;
    for (const VerifiedRun& run : verify(capture, "c", kernels, {})) unlike += run.mismatch ? 1 : 0;
    CHECK((unlike > 0) == (architecture != 890));  // an Ada adds these formats as an A100 does
  }
}

TEST_CASE("each kernel on tensor cores is planned for a capture, and its terms are drawn alike everywhere") {
  for (const Executor& executor : tensor_executors()) {
    const KernelInfo& kernel = *executor.kernel;
    CAPTURE(kernel.name);
    const Formats formats = kernel.mixed_formats.front();
    const std::vector<cuda::PlannedRun> quick = cuda::plan_of(kernel, true);
    CHECK(quick.size() >= 5 * 2 * 4);
    cuda::TermStore store;
    for (const cuda::PlannedRun& planned : quick) {
      CHECK(planned.format == formats.terms);
      CHECK(planned.sums == Format::fp32);
      const TermView drawn = store.terms(planned.input, planned.format, 50, true);
      const Terms terms = generate_terms(to_string(planned.input), 50, planned.format, cuda::kTermSeed);
      for (std::size_t i = 0; i < 50; ++i) {
        CHECK(drawn.left(i) == terms.view().left(i));
        CHECK(std::isfinite(drawn.left(i)));
      }
    }
  }
}

TEST_CASE("a capture refuses formats that its kernel does not have") {
  std::vector<const KernelInfo*> kernels;
  for (const Executor& executor : tensor_executors()) kernels.push_back(executor.kernel);
  const CapturedRun run{.kernel = "mma_fp16",
                        .format = Format::fp16,
                        .n = 3,
                        .shape = {.threads = 32, .grid = 1},
                        .input = "constant(1)",
                        .with_seed = 2,
                        .bits = 0x4200};
  const auto verify_one = [&](const CapturedRun& one) {
    (void)verify({{{"compute_capability", "9.0"}}, {}, {one}}, "c", kernels, {});
  };
  CHECK_THROWS_WITH_AS(verify_one(run), doctest::Contains("mma_fp16 in fp16: the kernel is not made in this format"),
                       Error);
  CapturedRun good = run;
  good.sums = Format::fp32;
  good.bits = 0x40400000;
  CHECK_NOTHROW(verify_one(good));
}

TEST_CASE("a capture of kernels on tensor cores must name a GPU that has them, and launches of whole warps") {
  std::vector<const KernelInfo*> kernels;
  for (const Executor& executor : tensor_executors()) kernels.push_back(executor.kernel);
  const auto problem_of = [&](const char* kernel, Format format, const char* gpu, unsigned threads) -> std::string {
    const CapturedRun run{.kernel = kernel,
                          .format = format,
                          .n = 3,
                          .shape = {.threads = threads, .grid = 1},
                          .input = "constant(1)",
                          .with_seed = 2,
                          .bits = 0x40400000,
                          .sums = Format::fp32};
    Capture capture{{}, {}, {run}};
    if (gpu != nullptr) capture.facts = {{"compute_capability", gpu}};
    try {
      (void)verify(capture, "c", kernels, {});
    } catch (const Error& error) {
      const std::string text = error.what();
      return text.substr(text.find(": ") + 2);
    }
    return "";
  };
  CHECK(problem_of("wgmma_fp16", Format::fp16, "9.0", 128).empty());
  CHECK(problem_of("mma_fp16", Format::fp16, "8.0", 32).empty());
  CHECK(problem_of("mma_e4m3", Format::e4m3, "8.9", 32).empty());
  CHECK(problem_of("wgmma_fp16", Format::fp16, "8.0", 128) ==
        "wgmma_fp16 in fp16:fp32: needs sm_90a; this capture is of compute capability 8.0");
  CHECK(problem_of("wgmma_fp16", Format::fp16, "10.0", 128) ==
        "wgmma_fp16 in fp16:fp32: needs sm_90a; this capture is of compute capability 10.0");
  CHECK(problem_of("mma_e4m3", Format::e4m3, "8.0", 32) ==
        "mma_e4m3 in e4m3:fp32: needs sm_89; this capture is of compute capability 8.0");
  CHECK(problem_of("mma_bf16", Format::bf16, "7.0", 32) ==
        "mma_bf16 in bf16:fp32: needs sm_80; this capture is of compute capability 7.0");
  for (const char* const gpu : {static_cast<const char*>(nullptr), "", "9", "9.x", "9.0 ", "0.0", "sm_90"})
    CHECK(problem_of("mma_fp16", Format::fp16, gpu, 32) ==
          "mma_fp16 in fp16:fp32: its claim depends on the GPU; the capture must have the fact compute_capability, a "
          "number such as 8.0");
  CHECK(problem_of("mma_fp16", Format::fp16, "8.0", 33) ==
        "mma_fp16 in fp16:fp32: multiplies matrices by whole warps; threads= must be a multiple of 32");
}
