// The hot paths beside what people would write instead, in one run: quote ratios, not times.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include "orderlab/exact.hpp"
#include "orderlab/sample.hpp"
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

/// The loop that people write to try random orders.
void std_shuffle_and_loop(benchmark::State& state) {
  const auto n = static_cast<std::size_t>(state.range(0));
  const Terms terms = uniform_terms(n);
  const auto* x = static_cast<const double*>(terms.view().x);
  std::vector<double> values(x, x + n);
  std::mt19937_64 generator(1);
  for (auto _ : state) {
    std::shuffle(values.begin(), values.end(), generator);
    benchmark::DoNotOptimize(std::accumulate(values.begin(), values.end(), 0.0));
  }
  per_term(state, n);
}
BENCHMARK(std_shuffle_and_loop)->Arg(10000)->Arg(1000000);

/// One evaluation of an order on one thread; items are terms.
void one_sample(benchmark::State& state, const char* order) {
  const auto n = static_cast<std::size_t>(state.range(0));
  const Terms terms = uniform_terms(n);
  const auto evaluator = Evaluator::make(parse_order(order), terms.view(), {}, 1);
  const auto scratch = evaluator->make_scratch();
  std::uint64_t sample = 0;
  for (auto _ : state) benchmark::DoNotOptimize(evaluator->evaluate(sample++, *scratch));
  state.counters["arriving"] = static_cast<double>(evaluator->random_count());
  per_term(state, evaluator->random_count());
}
BENCHMARK_CAPTURE(one_sample, random, "random")->Arg(10000)->Arg(1000000);
BENCHMARK_CAPTURE(one_sample, random_tree, "random_tree")->Arg(10000)->Arg(1000000);
BENCHMARK_CAPTURE(one_sample, warp, "warp")->Arg(1000000);

/// A thousand samples of `warp` on 1, 2, ... threads; items are samples.
void sampling_threads(benchmark::State& state) {
  const Terms terms = uniform_terms(1000000);
  const auto evaluator = Evaluator::make(parse_order("warp"), terms.view(), {}, 1);
  const CountingFrame frame = CountingFrame::make(exact_sum(terms.view()), Format::fp64, 1 << 20);
  SampleOptions options;
  options.threads = static_cast<int>(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(sample(*evaluator, frame, options));
  per_term(state, options.end);
}
BENCHMARK(sampling_threads)->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
