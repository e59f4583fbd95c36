// numpy: numpy.sum of a contiguous array, as NumPy 1.24 adds it.
#include "orderlab/order.hpp"

namespace orderlab {

namespace {

constexpr std::size_t kBuffer = 8192;     // elements of the ufunc buffer
constexpr std::size_t kNumpyBlock = 128;  // PW_BLOCKSIZE
constexpr std::size_t kAccumulators = 8;  // interleaved accumulators

// A block of at most kNumpyBlock: lanes, their sum, then the remainder in turn.
Steps add_block(std::size_t size) {
  if (size < kAccumulators) return {steps::add_runs(size)};
  const std::size_t rest = size % kAccumulators;
  const auto with_rest = [&](Groups groups, std::size_t first, std::size_t place, Combination how) -> Step {
    steps::Add step{{groups}, how};
    if (rest > 0) step.groups.push_back({.first = first, .count = rest, .stride = 1, .members = 1, .place = place});
    return {std::move(step)};
  };
  const Groups lanes{.width = kAccumulators, .step = kAccumulators, .members = size / kAccumulators, .abreast = true};
  std::vector<Step> steps{
      with_rest(lanes, size - rest, kAccumulators, {}),
      with_rest({.members = kAccumulators}, kAccumulators, 1, {.tree = Combination::Tree::neighbours})};
  if (rest > 0) steps.push_back(steps::add_runs(1 + rest));
  return steps;
}

Steps add_run(std::size_t m) {
  return {steps::split(m, kNumpyBlock, {.larger_first = false, .multiple = kAccumulators}, add_block)};
}

Steps describe_numpy(const Arguments&, std::size_t m, Format accumulate) {
  const bool whole = m >= kBuffer;
  return {{steps::Fold{.tile = kBuffer,
                       .blocks = 1,
                       .join = steps::Fold::Join::last,
                       .initial = whole ? add_run(kBuffer) : Steps(),
                       .later = {},
                       .rest = m % kBuffer > 0 ? add_run(m % kBuffer) : Steps(),
                       .wide = info(accumulate).bits == 16}}};
}

}  // namespace

extern const Stage kNumpy;
const Stage kNumpy{
    .name = "numpy",
    .summary = "numpy.sum of a contiguous array: runs of 8192, split down to blocks of 128 with 8 accumulators",
    .source = "NumPy 1.24, loops_utils.h (pairwise sum); measured",
    .parameters = {},
    .reduces = true,
    .guarantee = Guarantee::any_device,
    .describe = describe_numpy,
};

}  // namespace orderlab
