// Exact results of many short rows; items are contributions.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <vector>

#include "operation/exact_rows.hpp"
#include "orderlab/philox.hpp"
#include "orderlab/terms.hpp"

namespace {

using namespace orderlab;

/// `count` contributions to rows drawn uniformly: Poisson lengths, of mean count / outputs.
Contributions random_rows(std::size_t outputs, std::size_t count, Format format, const char* distribution,
                          bool initial) {
  Contributions rows;
  rows.row_begin.assign(outputs + 1, 0);
  const RandomStream stream(1, streams::kTerms, 0);
  for (std::size_t i = 0; i < count; ++i) ++rows.row_begin[1 + IndexGenerator(stream, i)() % outputs];
  for (std::size_t r = 0; r < outputs; ++r) rows.row_begin[r + 1] += rows.row_begin[r];
  rows.unit.assign(count, 0);
  rows.units = 1;
  rows.values = generate_terms(distribution, count, format, 1);
  if (initial) rows.initial = generate_terms(distribution, outputs, format, 2);
  return rows;
}

void exact_rows_of(benchmark::State& state, Format format, Format result, const char* distribution, bool initial,
                   bool mean) {
  constexpr std::size_t kCount = 1'000'000;
  const auto outputs = kCount / static_cast<std::size_t>(state.range(0));
  const Contributions rows = random_rows(outputs, kCount, format, distribution, initial);
  std::vector<std::uint32_t> counts;
  for (std::size_t r = 0; mean && r < outputs; ++r)
    counts.push_back(static_cast<std::uint32_t>(rows.row_length(r) + 1));
  for (auto _ : state)
    benchmark::DoNotOptimize(exact_rows(rows, Combine::add, result, serial_loop, counts).high.data());
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kCount));
}

/// Into results that are there already, so that no memory is new.
void exact_rows_again(benchmark::State& state, Format format) {
  constexpr std::size_t kCount = 1'000'000;
  const auto outputs = kCount / static_cast<std::size_t>(state.range(0));
  const Contributions rows = random_rows(outputs, kCount, format, "normal(0,1)", true);
  ExactRows out(format, outputs);
  for (auto _ : state) {
    exact_rows(rows, Combine::add, out);
    benchmark::DoNotOptimize(out.high.data());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kCount));
}

constexpr const char* kNormal = "normal(0,1)";

BENCHMARK_CAPTURE(exact_rows_of, fp32_initial, Format::fp32, Format::fp32, kNormal, true, false)
    ->Arg(1)
    ->Arg(4)
    ->Arg(64);
BENCHMARK_CAPTURE(exact_rows_of, fp32, Format::fp32, Format::fp32, kNormal, false, false)->Arg(1)->Arg(1000);
BENCHMARK_CAPTURE(exact_rows_of, fp32_mean, Format::fp32, Format::fp32, kNormal, true, true)->Arg(1)->Arg(4);
BENCHMARK_CAPTURE(exact_rows_of, fp16_initial, Format::fp16, Format::fp16, kNormal, true, false)->Arg(1)->Arg(4);
BENCHMARK_CAPTURE(exact_rows_of, fp64_initial, Format::fp64, Format::fp64, kNormal, true, false)
    ->Arg(1)
    ->Arg(4)
    ->Arg(64)
    ->Arg(1000);
BENCHMARK_CAPTURE(exact_rows_again, fp32, Format::fp32)->Arg(1)->Arg(4);
BENCHMARK_CAPTURE(exact_rows_again, fp16, Format::fp16)->Arg(1)->Arg(4);
BENCHMARK_CAPTURE(exact_rows_again, fp64, Format::fp64)->Arg(1)->Arg(4);

}  // namespace
