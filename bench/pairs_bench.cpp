// Draws that compare two orders; items are pairs.
#include <benchmark/benchmark.h>

#include <cstdint>

#include "orderlab/evaluator.hpp"
#include "orderlab/exact.hpp"
#include "orderlab/terms.hpp"
#include "orderlab/tolerance.hpp"

namespace {

using namespace orderlab;

constexpr Formats kSinglePrecision{Format::fp32, Format::fp32, Format::fp32};
constexpr std::uint64_t kPairs = 20;

/// Both orders on the same terms: pairs of them, or the draws of each against the exact sum.
void order_draws(benchmark::State& state, bool pairs) {
  const Terms terms = generate_terms("normal(0,1)", 1'000'000, Format::fp32, 1);
  const auto one = Evaluator::make(parse_order("warp"), terms.view(), kSinglePrecision, 1);
  const auto other = Evaluator::make(parse_order("spa"), terms.view(), kSinglePrecision, seed_of_other(1));
  const Yardstick yardstick(exact_sum(terms.view()), Format::fp32);
  const SampleOptions options{.end = kPairs, .threads = 1};
  for (auto _ : state) {
    if (pairs) {
      benchmark::DoNotOptimize(sample_deviations(*one, yardstick, Against::order, 5, options, other.get()).draws());
    } else {
      benchmark::DoNotOptimize(sample_deviations(*one, yardstick, Against::exact, 5, options).draws());
      benchmark::DoNotOptimize(sample_deviations(*other, yardstick, Against::exact, 5, options).draws());
    }
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kPairs));
}

BENCHMARK_CAPTURE(order_draws, pairs, true)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(order_draws, alone, false)->Unit(benchmark::kMillisecond);

}  // namespace
