#include "cuda/capture/plan.hpp"

#include <algorithm>
#include <utility>

namespace orderlab::cuda {

namespace {

// About every boundary of a warp, of the thread blocks and of a CUB tile, and two that fill a GPU.
constexpr std::size_t kSizes[] = {1,   2,   3,   31,  32,  33,   63,   64,   65,   127,  128,  129,    255,
                                  256, 257, 511, 512, 513, 1023, 1024, 1025, 4095, 4096, 4097, 100000, 1000000};
constexpr std::size_t kQuickSizes[] = {1, 33, 257, 1025, 4097};
constexpr std::size_t kLarge = 100000;  // from here on only the first two inputs

constexpr std::size_t kRepeatedSizes[] = {33, 257, 1025, 4097};
constexpr std::uint64_t kRepeats = 5;

void plan_fixed(const KernelInfo& kernel, Format format, std::span<const std::size_t> sizes,
                std::vector<PlannedRun>& plan) {
  const std::vector<Dyadic> inputs = capture_inputs(format);
  for (const LaunchShape& shape : kernel.shapes)
    for (const Dyadic& input : inputs)
      for (const std::size_t n : sizes) {
        const bool first_input = &input == inputs.data();
        if (n >= kLarge && &input > inputs.data() + 1) continue;
        const bool twice = first_input && shape == kernel.shapes.front();
        for (std::uint64_t repeat = 0; repeat < (twice ? 2 : 1); ++repeat)
          plan.push_back({&kernel, format, shape, input, n, false, repeat});
      }
}

void plan_atomic(const KernelInfo& kernel, Format format, std::span<const std::size_t> sizes,
                 std::vector<PlannedRun>& plan) {
  const std::vector<Dyadic> inputs = capture_inputs(format);
  // On sm_90 16-bit atomics are loops of compare-and-swap: many units on one cell would take seconds.
  const std::size_t most = info(format).bits == 16 ? std::min<std::size_t>(kMostUnits, 1 << 14) : kMostUnits;
  for (std::size_t i = 0; i < kernel.shapes.size(); ++i)
    for (const std::size_t n : sizes) {
      const std::size_t units = arriving_units(kernel, kernel.shapes[i], n);
      if (units > most) continue;
      const Dyadic& input = inputs[i % inputs.size()];
      plan.push_back({&kernel, format, kernel.shapes[i], input, n, units <= kMostRecorded, 0});
      if (i > 0 || std::ranges::find(kRepeatedSizes, n) == std::end(kRepeatedSizes)) continue;
      for (std::uint64_t repeat = 1; repeat <= kRepeats; ++repeat)
        plan.push_back({&kernel, format, kernel.shapes[i], input, n, false, repeat});
    }
}

// All outputs are written down, so only small cases are kept, and of scans, which need several tiles, a few others.
void plan_outputs(const KernelInfo& kernel, std::vector<PlannedRun>& plan) {
  constexpr std::size_t kScanned = 20000;
  if (kernel.outputs->looks_back)
    for (const Format format : kernel.formats)
      for (const LaunchShape& shape : kernel.shapes)
        plan.push_back({&kernel, format, shape, capture_inputs(format).front(), kScanned, false, 0});
  std::vector<PlannedRun> kept;
  for (PlannedRun run : plan) {
    run.extents = kernel.outputs->extents(run.n, kTermSeed);
    run.n = run.extents.elements();
    const auto same = [&](const PlannedRun& other) {
      return run.format == other.format && run.shape == other.shape && to_string(run.input) == to_string(other.input) &&
             run.extents == other.extents && run.repeat == other.repeat;
    };
    const bool small = std::max(run.n, run.extents.outputs()) <= kMostRecorded;
    if ((small || run.n == kScanned) && std::ranges::none_of(kept, same)) kept.push_back(run);
  }
  plan = std::move(kept);
}

}  // namespace

std::vector<Dyadic> capture_inputs(Format format) {
  const FormatInfo& f = info(format);
  const int far_apart = std::min(31, -f.e_min / 2);  // binades, with others below
  return {{f.precision, 1 - f.precision, 0},
          {f.precision, 1 - f.precision, far_apart},
          {f.precision, f.e_min - f.precision + 1, 0},
          {std::min(5, f.precision), 0, 0}};
}

std::size_t arriving_units(const KernelInfo& kernel, const LaunchShape& shape, std::size_t n) {
  if (kernel.outputs != nullptr)
    return kernel.unit == ArrivalUnit::none ? 0 : kernel.outputs->extents(n, kTermSeed).elements();
  switch (kernel.unit) {
    case ArrivalUnit::none:
      return 0;
    case ArrivalUnit::warp:
      return (n + kWarp - 1) / kWarp;
    case ArrivalUnit::thread_block:
      return thread_blocks(shape, n);
    case ArrivalUnit::thread:
      break;
  }
  return std::min<std::size_t>(n, std::size_t{thread_blocks(shape, n)} * shape.threads);
}

std::vector<PlannedRun> plan_of(const KernelInfo& kernel, bool quick) {
  const std::span<const std::size_t> sizes = quick ? std::span<const std::size_t>(kQuickSizes) : kSizes;
  std::vector<PlannedRun> plan;
  const auto plan_runs = kernel.unit == ArrivalUnit::none ? plan_fixed : plan_atomic;
  for (const Format format : kernel.formats) plan_runs(kernel, format, sizes, plan);
  for (const Formats& mixed : kernel.mixed_formats) {
    const auto planned = static_cast<std::ptrdiff_t>(plan.size());
    plan_runs(kernel, mixed.terms, sizes, plan);
    std::for_each(plan.begin() + planned, plan.end(), [&](PlannedRun& run) { run.sums = mixed.result; });
  }
  if (kernel.outputs != nullptr) plan_outputs(kernel, plan);
  return plan;
}

}  // namespace orderlab::cuda
