// Random orders beside the loop that people write instead, and on one thread and two: quote ratios, not times.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "orderlab/order.hpp"
#include "orderlab/sample.hpp"
#include "orderlab/terms.hpp"
#include "vectors/permutation.hpp"

namespace {

using namespace orderlab;

Terms uniform_terms(std::size_t n, Format format = Format::fp64) {
  return generate_terms("uniform(0,10)", n, format, 1);
}

void per_item(benchmark::State& state, std::size_t items) {
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(items));
}

/// The loop that people write to try random orders; items are terms.
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
  per_item(state, n);
}
BENCHMARK(std_shuffle_and_loop)->Arg(1000)->Arg(10000)->Arg(1000000);

/// Bounded draws alone: items are draws.
void draws(benchmark::State& state) {
  std::array<std::uint32_t, kDrawsAhead> picks;
  std::uint64_t sample = 0;
  for (auto _ : state) {
    draw_below(RandomStream(1, streams::kFirstStage, sample++), 1000000, ~0u, 0, picks);
    benchmark::DoNotOptimize(picks);
  }
  per_item(state, picks.size());
}
BENCHMARK(draws);

/// A shuffle alone: items are numbers.
void shuffle(benchmark::State& state) {
  std::vector<double> values(static_cast<std::size_t>(state.range(0)));
  std::iota(values.begin(), values.end(), 0.0);
  std::uint64_t sample = 0;
  for (auto _ : state) {
    shuffle_values(std::span(values), RandomStream(1, streams::kFirstStage, sample++));
    benchmark::DoNotOptimize(values.data());
  }
  per_item(state, values.size());
}
BENCHMARK(shuffle)->Arg(1000)->Arg(10000)->Arg(1000000);

/// Samples of an order on one thread, as many together as the evaluator can; items are partial sums that the first
/// random stage sees.
void samples(benchmark::State& state, const char* order, Format format) {
  const auto n = static_cast<std::size_t>(state.range(0));
  const Terms terms = uniform_terms(n, format);
  const auto evaluator = Evaluator::make(parse_order(order), terms.view(), {format, format, format}, 1);
  const auto scratch = evaluator->make_scratch();
  std::array<Evaluation, Evaluator::kTogether> results;
  std::uint64_t sample = 0;
  for (auto _ : state) {
    evaluator->evaluate_all(sample, results, *scratch);
    benchmark::DoNotOptimize(results);
    sample += results.size();
  }
  state.counters["arriving"] = static_cast<double>(evaluator->random_count());
  per_item(state, results.size() * evaluator->random_count());
}
BENCHMARK_CAPTURE(samples, random, "random", Format::fp64)->Arg(1000)->Arg(10000)->Arg(1000000);
BENCHMARK_CAPTURE(samples, random_fp32, "random", Format::fp32)->Arg(10000)->Arg(1000000);
BENCHMARK_CAPTURE(samples, random_fp16, "random", Format::fp16)->Arg(10000)->Arg(1000000);
BENCHMARK_CAPTURE(samples, random_tree, "random_tree", Format::fp64)->Arg(1000)->Arg(10000)->Arg(1000000);
BENCHMARK_CAPTURE(samples, warp, "warp", Format::fp64)->Arg(1000000);
BENCHMARK_CAPTURE(samples, spa_slots, "tile(64,2) | halving(64) | arrive(slots(1280,0.2)) | seq(acc=atomic)",
                  Format::fp64)
    ->Arg(1000000);

/// One evaluation by itself; items as above.
void one_sample(benchmark::State& state, const char* order) {
  const auto n = static_cast<std::size_t>(state.range(0));
  const Terms terms = uniform_terms(n);
  const auto evaluator = Evaluator::make(parse_order(order), terms.view(), {}, 1);
  const auto scratch = evaluator->make_scratch();
  std::uint64_t sample = 0;
  for (auto _ : state) benchmark::DoNotOptimize(evaluator->evaluate(sample++, *scratch));
  per_item(state, evaluator->random_count());
}
BENCHMARK_CAPTURE(one_sample, random, "random")->Arg(10000)->Arg(1000000);
BENCHMARK_CAPTURE(one_sample, warp, "warp")->Arg(1000000);

/// What `orderlab sample` does, on so many threads; items are samples, about as many partial sums for each order as far
/// as there are a million samples at most.
void sampling(benchmark::State& state, const std::string& order) {
  constexpr std::uint64_t kPartialSums = 100'000'000;
  const auto n = static_cast<std::size_t>(state.range(0));
  const Terms terms = uniform_terms(n);
  const auto evaluator = Evaluator::make(parse_order(order), terms.view(), {}, 1);
  const CountingFrame frame = CountingFrame::make(exact_sum(terms.view()), Format::fp64, 1 << 20);
  SampleOptions options;
  options.end = std::clamp<std::uint64_t>(kPartialSums / evaluator->random_count(), 32, 1'000'000);
  options.threads = static_cast<int>(state.range(1));
  for (auto _ : state) benchmark::DoNotOptimize(sample(*evaluator, frame, options));
  per_item(state, options.end);
}

// Every named order that is random.
const int registered = [] {
  for (const NamedOrder& order : named_orders())
    if (parse_order(order.name).random())
      benchmark::RegisterBenchmark(("sampling/" + std::string(order.name)).c_str(), sampling, std::string(order.name))
          ->ArgsProduct({{1000, 1000000}, {1, 2}})
          ->ArgNames({"n", "threads"})
          ->UseRealTime()
          ->Unit(benchmark::kMillisecond);
  return 0;
}();

}  // namespace
