// Fixed stages, as the evaluator runs them, beside the unordered sum of the same terms: quote ratios, not times.
#include <benchmark/benchmark.h>

#include <string>

#include "bench/unordered_sum.hpp"
#include "orderlab/evaluator.hpp"
#include "orderlab/plan.hpp"
#include "orderlab/terms.hpp"

namespace {

using namespace orderlab;

void per_term(benchmark::State& state, std::size_t n) {
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(n));
}

/// What memory and the machine's adders allow.
void unordered_terms(benchmark::State& state, Format format) {
  const auto n = static_cast<std::size_t>(state.range(0));
  const Terms terms = generate_terms("uniform(0,10)", n, format, 1);
  const void* x = terms.view().x;
  for (auto _ : state) {
    if (format == Format::fp64) benchmark::DoNotOptimize(unordered_sum(static_cast<const double*>(x), n));
    if (format == Format::fp32) benchmark::DoNotOptimize(unordered_sum(static_cast<const float*>(x), n));
    if (format == Format::fp16)
      benchmark::DoNotOptimize(unordered_sum_of_halves(static_cast<const std::uint16_t*>(x), n));
    if (format == Format::bf16)
      benchmark::DoNotOptimize(unordered_sum_of_bfloats(static_cast<const std::uint16_t*>(x), n));
  }
  per_term(state, n);
}

/// Everything that is done once for terms and the plan of a fixed order; items are terms.
void fixed_order(benchmark::State& state, const char* order, Format format) {
  const auto n = static_cast<std::size_t>(state.range(0));
  const Terms terms = generate_terms("uniform(0,10)", n, format, 1);
  const Order parsed = parse_order(order);
  const auto plan = compile(parsed, n, {format, format, format});
  for (auto _ : state) benchmark::DoNotOptimize(Evaluator::make(plan, terms.view(), 1));
  per_term(state, n);
}

/// The sum alone, without height and bounds.
void fixed_order_alone(benchmark::State& state, const char* order, Format format) {
  const auto n = static_cast<std::size_t>(state.range(0));
  const Terms terms = generate_terms("uniform(0,10)", n, format, 1);
  const auto plan = compile(parse_order(order), n, {format, format, format});
  for (auto _ : state) benchmark::DoNotOptimize(sum_of(*plan, terms.view()));
  per_term(state, n);
}

/// The plan itself; items are plans.
void compile_order(benchmark::State& state, const char* order) {
  const Order parsed = parse_order(order);
  for (auto _ : state) benchmark::DoNotOptimize(compile(parsed, static_cast<std::size_t>(state.range(0)), {}));
  state.SetItemsProcessed(state.iterations());
}

const bool kRegistered = [] {
  const char* const orders[] = {"halving(32) | pairwise(128)",
                                "strided(8) | halving(8)",
                                "tile(256,4) | halving(256) | pairwise(128)",
                                "pairwise(128)",
                                "pairwise",
                                "numpy",
                                "adjacent(32) | pairwise(128)",
                                "seq(32) | pairwise(128)",
                                "chunks(64) | seq"};
  for (const char* order : orders)
    benchmark::RegisterBenchmark(("compile/" + std::string(order)).c_str(), compile_order, order)->Arg(8)->Arg(10'000);
  for (const Format format : {Format::fp64, Format::fp32, Format::fp16, Format::bf16}) {
    const std::string name(info(format).name);
    const auto sizes = [&](auto* benchmark) {
      for (const std::int64_t n : {1'000, 10'000, 100'000, 1'000'000, 10'000'000, 100'000'000}) benchmark->Arg(n);
      benchmark->Unit(benchmark::kMicrosecond);
    };
    sizes(benchmark::RegisterBenchmark(("unordered_terms/" + name).c_str(), unordered_terms, format));
    for (const char* order : orders) {
      sizes(benchmark::RegisterBenchmark(("fixed_order/" + name + "/" + order).c_str(), fixed_order, order, format));
      sizes(benchmark::RegisterBenchmark(("fixed_order_alone/" + name + "/" + order).c_str(), fixed_order_alone, order,
                                         format));
    }
  }
  return true;
}();

}  // namespace
