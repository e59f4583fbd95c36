// All results of one row; items are rows.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <vector>

#include "operation/row_outcomes.hpp"
#include "orderlab/philox.hpp"
#include "orderlab/terms.hpp"

namespace {

using namespace orderlab;

void find_outcomes(benchmark::State& state, const std::vector<std::uint32_t>& row_begin, Format format) {
  const std::size_t rows = row_begin.size() - 1;
  const Terms values = generate_terms("normal(0,1)", row_begin.back(), format, 1);
  const Terms initial = generate_terms("normal(0,1)", rows, format, 2);
  std::vector<std::uint32_t> units;
  for (std::uint32_t i = 0; i < row_begin.back(); ++i) units.push_back(i);
  RowOutcomeFinder finder({.format = format});
  RowOutcomes outcomes;
  for (auto _ : state)
    for (std::size_t r = 0; r < rows; ++r) {
      const std::size_t n = row_begin[r + 1] - row_begin[r];
      benchmark::DoNotOptimize(finder.find(values.view().part(row_begin[r], n),
                                           std::span(units).subspan(row_begin[r], n), initial.view().left(r),
                                           outcomes));
      benchmark::DoNotOptimize(outcomes.bits.data());
    }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(rows));
}

/// Rows of that many units, of one number each.
void equal_rows(benchmark::State& state, Format format) {
  const auto k = static_cast<std::uint32_t>(state.range(0));
  std::vector<std::uint32_t> row_begin;
  for (std::uint32_t r = 0; r <= (k < 10 ? 1000U : 4U); ++r) row_begin.push_back(r * k);
  find_outcomes(state, row_begin, format);
}

/// As many rows as contributions, each in a row drawn uniformly: Poisson lengths of mean 1.
void poisson_rows(benchmark::State& state, Format format) {
  constexpr std::size_t kRows = 100'000;
  std::vector<std::uint32_t> row_begin(kRows + 1);
  const RandomStream stream(1, streams::kTerms, 0);
  for (std::size_t i = 0; i < kRows; ++i) ++row_begin[1 + IndexGenerator(stream, i)() % kRows];
  for (std::size_t r = 0; r < kRows; ++r) row_begin[r + 1] += row_begin[r];
  find_outcomes(state, row_begin, format);
}

BENCHMARK_CAPTURE(equal_rows, fp32, Format::fp32)->Arg(1)->Arg(2)->Arg(3)->Arg(4)->Arg(6)->Arg(8)->Arg(12);
BENCHMARK_CAPTURE(equal_rows, fp64, Format::fp64)->Arg(2)->Arg(8);
BENCHMARK_CAPTURE(equal_rows, fp16, Format::fp16)->Arg(2)->Arg(8);
BENCHMARK_CAPTURE(poisson_rows, fp32, Format::fp32);
BENCHMARK_CAPTURE(poisson_rows, bf16, Format::bf16);

}  // namespace
