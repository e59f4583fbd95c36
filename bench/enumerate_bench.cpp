// Exact distributions: time by number of partial sums, beside what brute force would take (m! sequential sums).
#include <benchmark/benchmark.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "engine/extremes.hpp"
#include "orderlab/enumerate.hpp"
#include "orderlab/terms.hpp"

namespace {

using namespace orderlab;

OrderSpace space_of(const char* order, std::size_t m) {
  const Terms terms = generate_terms("normal(0,1)", m, Format::fp32, 1);
  const Formats fp32{Format::fp32, Format::fp32, Format::fp32};
  return *order_space(*Evaluator::make(parse_order(order), terms.view(), fp32, 1)).space;
}

void walk(benchmark::State& state, const char* order) {
  const OrderSpace space = space_of(order, static_cast<std::size_t>(state.range(0)));
  WalkOptions options;
  options.memory_bytes = 0x1p33;
  for (auto _ : state) {
    const auto all = enumerate(space, options);
    state.counters["distinct"] = static_cast<double>(all->results.size());
    state.counters["peak_MiB"] = static_cast<double>(all->peak_bytes) / 0x1p20;
  }
}
BENCHMARK_CAPTURE(walk, sequences, "random")->Arg(10)->Arg(20)->Arg(22)->Arg(24)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(walk, trees, "random_tree")->Arg(14)->Arg(16)->Arg(17)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(walk, halving, "shuffle | halving(16)")->Arg(16)->Unit(benchmark::kMillisecond);

/// All 10! sequences one by one.
void brute_force(benchmark::State& state) {
  std::vector<double> doubles = space_of("random", 10).partial_sums;
  std::vector<float> x(doubles.begin(), doubles.end());
  for (auto _ : state) {
    std::sort(x.begin(), x.end());
    do benchmark::DoNotOptimize(std::accumulate(x.begin(), x.end(), 0.0F));
    while (std::next_permutation(x.begin(), x.end()));
  }
}
BENCHMARK(brute_force)->Unit(benchmark::kMillisecond);

void extreme_orders(benchmark::State& state) {
  const OrderSpace space = space_of("random", static_cast<std::size_t>(state.range(0)));
  WalkOptions options;
  options.memory_bytes = 0x1p33;
  for (auto _ : state) benchmark::DoNotOptimize(extremes(space, options));
}
BENCHMARK(extreme_orders)->Arg(20)->Arg(24)->Unit(benchmark::kMillisecond);

}  // namespace
