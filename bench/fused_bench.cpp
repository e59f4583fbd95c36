// Fused sums: the plain model beside vectors, for one long row, for one with its error bound, and for many rows; items
// are products. `row_sums` is all work for rows of fp16, bf16, fp8 or fp32 numbers, with a plan made before.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>
#include <vector>

#include "orderlab/fused.hpp"
#include "orderlab/plan.hpp"
#include "orderlab/terms.hpp"
#include "run/fused_steps.hpp"

namespace {

using namespace orderlab;

constexpr std::size_t kProducts = std::size_t{1} << 15;
constexpr std::size_t kRows = 64;

Terms products(const FusedUnit& unit) {
  Terms terms = generate_terms("normal(0,1)", kProducts, unit.terms, 1);
  terms.multiply_by(generate_terms("normal(0,1)", kProducts, unit.terms, 2));
  return terms;
}

Format format_of_sums(const FusedUnit& unit) { return unit.terms == Format::fp64 ? Format::fp64 : Format::fp32; }

void per_product(benchmark::State& state) {
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kProducts));
}

void plain_model(benchmark::State& state, const FusedUnit& unit) {
  const Terms terms = products(unit);
  std::vector<Factors> factors;
  for (std::size_t i = 0; i < kProducts; ++i) factors.push_back({terms.view().left(i), terms.view().right(i)});
  for (auto _ : state) benchmark::DoNotOptimize(fused_sum(unit, format_of_sums(unit), factors));
  per_product(state);
}

void in_vectors(benchmark::State& state, const FusedUnit& unit, std::size_t rows, bool errors) {
  std::vector<double> factors(2 * kProducts);
  write_factors(products(unit).view(), factors.data());
  const std::size_t n = kProducts / rows;
  for (auto _ : state) {
    std::vector<double> sums(rows);
    std::vector<double> bounds(errors ? rows : 0);
    add_fused(unit, format_of_sums(unit), {factors.data(), rows, n, n}, sums, bounds);
    benchmark::DoNotOptimize(sums.data());
  }
  per_product(state);
}

void rows_of_terms(benchmark::State& state, const FusedUnit& unit) {
  const Terms terms = products(unit);
  const std::size_t n = kProducts / kRows;
  const Format sums = format_of_sums(unit);
  const RowSums row_sums(
      compile(parse_order("fused(" + std::string(unit.name) + ")"), n, {unit.terms, sums, sums}, true));
  std::vector<double> results(kRows);
  for (auto _ : state) {
    row_sums.evaluate({unit.terms, kRows, n, terms.view().x, n, terms.view().y, n}, results);
    benchmark::DoNotOptimize(results.data());
  }
  per_product(state);
}

const bool kFusedRegistered = [] {
  for (const char* name : {"h100_fp16", "v100_fp16", "h100_e4m3_wgmma", "h100_e4m3_mma", "mi300_fp16", "mi100_fp16",
                           "mi250_fp16", "amx_bf16", "avx512_bf16", "mi100_fp32", "a100_fp64"}) {
    const FusedUnit& unit = *find_fused_unit(name);
    const std::string prefix = "fused/" + std::string(name);
    const auto add = [&](const char* what, auto function, auto... arguments) {
      benchmark::RegisterBenchmark((prefix + what).c_str(), function, unit, arguments...)
          ->Unit(benchmark::kMicrosecond);
    };
    add("/plain", plain_model);
    add("/one_row", in_vectors, std::size_t{1}, false);
    add("/one_row_with_bound", in_vectors, std::size_t{1}, true);
    add("/rows", in_vectors, kRows, false);
    add("/row_sums", rows_of_terms);
  }
  return true;
}();

}  // namespace
