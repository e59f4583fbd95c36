// The question of the study that needs the kernels.
#include <algorithm>

#include "core/float_environment.hpp"
#include "crosscheck/crosscheck_options.hpp"
#include "orderlab/study/crosscheck.hpp"
#include "study/watched_stage.hpp"

namespace orderlab::study {

namespace {

// Around every power of two up to a thread block's width, around a large tile, and one that fills many thread blocks.
const std::vector<std::size_t> kSizes{1,   2,   3,   31,  32,   33,   63,   64,   65,   127,  128,  129,  255,  256,
                                      257, 511, 512, 513, 1023, 1024, 1025, 2047, 2048, 2049, 4095, 4096, 4097, 20000};
constexpr std::size_t kEverySizeTo = 1025;
const std::vector<std::size_t> kLargeSizes{4095, 4096, 4097, 100'000, 1'000'000};
const std::vector<Format> kCheckedFormats{Format::fp32, Format::fp64, Format::fp16,
                                          Format::bf16, Format::tf32, Format::e4m3};

}  // namespace

CrossCheckRequest full_crosscheck() {
  CrossCheckRequest request;
  for (std::size_t n = 1; n <= kEverySizeTo; ++n) request.sizes.push_back(n);
  request.sizes.insert(request.sizes.end(), kLargeSizes.begin(), kLargeSizes.end());
  request.formats = {Format::fp32, Format::fp64};
  return request;
}

CrossCheckFinding crosscheck(std::span<const Executor> executors, const CrossCheckRequest& request,
                             const Watch& watch) {
  const FloatEnvironment environment;
  kCrosscheckOptions.check(request);
  CrossCheckFinding finding;
  for (const Executor& executor : executors)
    if (std::find(finding.devices.begin(), finding.devices.end(), executor.device) == finding.devices.end())
      finding.devices.emplace_back(executor.device);
  CrossCheckOptions& options = finding.options;
  options.sizes = request.sizes.empty() ? kSizes : request.sizes;
  options.formats = request.formats.empty() ? kCheckedFormats : request.formats;
  options.seed = request.seed;
  options.seeds = request.seeds;
  options.samples = request.samples;
  options.threads = request.threads;
  options.vocabulary = request.vocabulary;
  CrossCheckOptions work = options;
  const WatchedStage stage(watch, "cases");
  stage.follow(work);
  finding.checks = orderlab::crosscheck(executors, work);
  finding.unchecked = simt::unchecked();
  return finding;
}

}  // namespace orderlab::study
