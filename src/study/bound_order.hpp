// An order bound to an input: its evaluator, and samples of it.
#pragma once

#include <cstdint>
#include <memory>

#include "orderlab/counts.hpp"
#include "orderlab/evaluator.hpp"
#include "orderlab/order.hpp"
#include "orderlab/study/input.hpp"
#include "orderlab/study/watch.hpp"

namespace orderlab::study {

/// Error(usage) where the order cannot add the terms; Error(unsupported) where that takes more memory than is free.
void require_evaluable(const Order& order, const InputFacts& input, int threads);

/// The evaluator of the order on the terms, after that.
std::unique_ptr<const Evaluator> make_evaluator(const Order& order, const Input& input, std::uint64_t seed,
                                                int threads);

/// The same in other formats than those of the input. Shape: formats.terms is that of the input.
std::unique_ptr<const Evaluator> make_evaluator(const Order& order, const Input& input, const Formats& formats,
                                                std::uint64_t seed, int threads);

struct SampledRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 1;
  std::uint64_t max_distinct = CountingFrame{}.max_distinct;
  int threads = 0;
};

/// Counts of samples begin .. end-1, as the stage "sampling"; fewer, from `begin` on, when stopped.
ResultCounts sample_range(const Evaluator& evaluator, const InputFacts& input, const SampledRange& range,
                          const Watch& watch);

/// More samples than this are drawn only if the caller gives their number.
inline constexpr std::uint64_t kMostSamples = 1'000'000'000;

}  // namespace orderlab::study
