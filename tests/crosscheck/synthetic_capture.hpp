// Captures that the model makes: what a GPU would record if it were the model.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/dyadic.hpp"
#include "crosscheck/recorded_atomics.hpp"
#include "cuda/capture_file.hpp"
#include "orderlab/kernel.hpp"
#include "orderlab/order.hpp"
#include "orderlab/terms.hpp"

namespace orderlab::testing {

/// Kernels with claims of every kind. There is no code behind them.
inline std::span<const KernelInfo* const> claiming_kernels() {
  static constexpr LaunchShape kShapes[] = {{64, 2}, {32, 1, 3}};
  static constexpr KernelInfo kFixed{
      .name = "fixed",
      .formats = kEveryFormat,
      .shapes = kShapes,
      .claim = [](const LaunchShape& shape, std::size_t n) { return "sptr(" + tile_arguments(shape, n) + ")"; }};
  static constexpr KernelInfo kProducts{.name = "products",
                                        .formats = kWide,
                                        .shapes = kShapes,
                                        .products = true,
                                        .claim = [](const LaunchShape& shape, std::size_t n) {
                                          return "tile(" + tile_arguments(shape, n) + ",acc=fma) | seq(from=zero)";
                                        }};
  static constexpr KernelInfo kGlobal{
      .name = "global",
      .formats = kEveryFormat,
      .shapes = kShapes,
      .unit = ArrivalUnit::thread_block,
      .claim = [](const LaunchShape& shape, std::size_t n) { return "spa(" + tile_arguments(shape, n) + ")"; }};
  static constexpr KernelInfo kShared{
      .name = "shared",
      .formats = kEveryFormat,
      .shapes = kShapes,
      .unit = ArrivalUnit::thread,
      .claim = [](const LaunchShape&, std::size_t) -> std::string { return "arrive | seq(from=zero)"; }};
  static constexpr KernelInfo kLibrary{.name = "library",
                                       .formats = kWide,
                                       .shapes = kShapes,
                                       .runs = Runs::gpu_only,
                                       .claim = [](const LaunchShape& shape, std::size_t) {
                                         return "tile(32,1," + std::to_string(shape.grid) + ") | adjacent(32) | seq";
                                       }};
  static constexpr const KernelInfo* kKernels[] = {&kFixed, &kProducts, &kGlobal, &kShared, &kLibrary};
  return kKernels;
}

/// One run of `kernel` as the model makes it; `sample` numbers the arrival order of one whose atomics race.
inline CapturedRun modelled_run(const KernelInfo& kernel, const LaunchShape& shape, const std::string& input,
                                Format format, std::size_t n, std::uint64_t sample, bool record) {
  CapturedRun run{.kernel = std::string(kernel.name),
                  .format = format,
                  .n = n,
                  .shape = shape,
                  .input = input,
                  .seed = 7,
                  .repeat = sample};
  LaunchShape claimed = shape;
  if (kernel.runs == Runs::gpu_only) {
    run.temporary_bytes = 1024;
    run.blocks = claimed.grid = thread_blocks({32, 1}, n);
  }
  Terms terms = generate_terms(input, n, format, run.seed);
  if (kernel.products) {
    run.with_seed = 8;
    terms.multiply_by(generate_terms(input, n, format, *run.with_seed));
  }
  const auto evaluator =
      Evaluator::make(parse_order(kernel.claim(claimed, n)), terms.view(), {format, format, format}, 1);
  const auto scratch = evaluator->make_scratch();
  run.bits = evaluator->evaluate(sample, *scratch).bits;
  if (record && evaluator->order().random()) run.returned = recorded_atomics(*evaluator, terms.view(), sample).returned;
  return run;
}

/// Every kernel in every format over a few sizes and inputs, racing ones recorded and not.
inline Capture modelled_capture(std::span<const KernelInfo* const> kernels, std::span<const std::size_t> sizes) {
  Capture capture;
  capture.facts = {{"device", "none: the model itself"}, {"driver", "-"}};
  capture.probes = {{"global_subnormals", "flushed"}};
  for (const KernelInfo* kernel : kernels)
    for (const Format format : kernel->formats)
      for (const std::size_t n : sizes)
        for (const Dyadic& input : {Dyadic{10, -9, 8}, Dyadic{20, -149}, Dyadic{2, -8}})
          for (const LaunchShape& shape : kernel->shapes)
            for (std::uint64_t sample = 0; sample < 2; ++sample)
              capture.runs.push_back(modelled_run(*kernel, shape, to_string(input), format, n, sample, n % 2 == 0));
  return capture;
}

}  // namespace orderlab::testing
