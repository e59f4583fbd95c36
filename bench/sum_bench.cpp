// The hot paths beside what people would write instead, in one run: quote ratios, not times.
#include <benchmark/benchmark.h>

#include "orderlab/evaluator.hpp"
#include "orderlab/order.hpp"
#include "orderlab/terms.hpp"
#include "unordered_sum.hpp"

namespace {

using namespace orderlab;

Terms uniform_terms(std::size_t n) { return generate_terms("uniform(0,10)", n, Format::fp64, 1); }

void per_term(benchmark::State& state, std::size_t n) {
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(n));
}

/// What memory and adders allow.
void unordered(benchmark::State& state) {
  const auto n = static_cast<std::size_t>(state.range(0));
  const Terms terms = uniform_terms(n);
  const auto* x = static_cast<const double*>(terms.view().x);
  for (auto _ : state) benchmark::DoNotOptimize(unordered_sum(x, n));
  per_term(state, n);
}
BENCHMARK(unordered)->Arg(1000)->Arg(1000000);

/// The fixed part: everything up to the first random stage, once per input; items are terms.
void fixed_part(benchmark::State& state, const char* order) {
  const auto n = static_cast<std::size_t>(state.range(0));
  const Terms terms = uniform_terms(n);
  const Order parsed = parse_order(order);
  for (auto _ : state) benchmark::DoNotOptimize(Evaluator::make(parsed, terms.view(), {}, 1));
  per_term(state, n);
}
BENCHMARK_CAPTURE(fixed_part, halving, "halving(32) | seq")->Arg(1000000);
BENCHMARK_CAPTURE(fixed_part, tile, "tile(256,4) | halving(256) | seq")->Arg(1000000);
BENCHMARK_CAPTURE(fixed_part, pairwise, "pairwise(128)")->Arg(1000000);
BENCHMARK_CAPTURE(fixed_part, numpy, "numpy")->Arg(1000000);

}  // namespace
