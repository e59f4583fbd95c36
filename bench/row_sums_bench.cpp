// Sums without bounds: many rows by one plan, items are rows; one row, items are terms, beside the same with bounds and
// the unordered sum.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>
#include <vector>

#include "bench/unordered_sum.hpp"
#include "orderlab/evaluator.hpp"
#include "orderlab/plan.hpp"
#include "orderlab/terms.hpp"

namespace {

using namespace orderlab;

constexpr std::size_t kTermsOfAllRows = std::size_t{1} << 20;

/// Rows of n terms, which are numbers or products.
struct Rows {
  Rows(std::size_t n, Format format, bool products)
      : x(generate_terms("uniform(0,10)", kTermsOfAllRows, format, 1)),
        y(generate_terms("uniform(0,10)", kTermsOfAllRows, format, 2)),
        view{format, kTermsOfAllRows / n, n, x.view().x, n, products ? y.view().x : nullptr, n},
        sums(view.count) {}

  Terms x;
  Terms y;
  TermRows view;
  std::vector<double> sums;
};

void per_row(benchmark::State& state, const Rows& rows) {
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(rows.view.count));
}

void row_sums(benchmark::State& state, const char* order, Format format, bool products) {
  const auto n = static_cast<std::size_t>(state.range(0));
  Rows rows(n, format, products);
  const RowSums row_sums(compile(parse_order(order), n, {format, format, format}, products));
  for (auto _ : state) {
    row_sums.evaluate(rows.view, rows.sums);
    benchmark::DoNotOptimize(rows.sums.data());
    benchmark::ClobberMemory();
  }
  per_row(state, rows);
}

/// A loop over each row, from left to right.
void plain_loop(benchmark::State& state, Format format) {
  Rows rows(static_cast<std::size_t>(state.range(0)), format, false);
  with_type_of(format, [&](auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    for (auto _ : state) {
      const auto* x = static_cast<const T*>(rows.view.x);
      for (double& sum : rows.sums) {
        T total = x[0];
        for (std::size_t i = 1; i < rows.view.n; ++i) total += x[i];
        sum = static_cast<double>(total);
        x += rows.view.n;
      }
      benchmark::DoNotOptimize(rows.sums.data());
      benchmark::ClobberMemory();
    }
  });
  per_row(state, rows);
}

void per_term(benchmark::State& state) { state.SetItemsProcessed(state.iterations() * state.range(0)); }

Terms one_row(const benchmark::State& state, Format format) {
  return generate_terms("uniform(0,10)", static_cast<std::size_t>(state.range(0)), format, 1);
}

void one_row_alone(benchmark::State& state, const char* order, Format format) {
  const Terms terms = one_row(state, format);
  const auto plan = compile(parse_order(order), terms.size(), {format, format, format});
  for (auto _ : state) benchmark::DoNotOptimize(sum_of(*plan, terms.view()));
  per_term(state);
}

void one_row_with_bounds(benchmark::State& state, const char* order, Format format) {
  const Terms terms = one_row(state, format);
  const auto plan = compile(parse_order(order), terms.size(), {format, format, format});
  for (auto _ : state) {
    const auto evaluator = Evaluator::make(plan, terms.view(), 0);
    benchmark::DoNotOptimize(evaluator->evaluate(0, *evaluator->make_scratch()));
  }
  per_term(state);
}

void one_row_unordered(benchmark::State& state, Format format) {
  const Terms terms = one_row(state, format);
  const void* x = terms.view().x;
  for (auto _ : state) {
    if (format == Format::fp64) benchmark::DoNotOptimize(unordered_sum(static_cast<const double*>(x), terms.size()));
    if (format == Format::fp32) benchmark::DoNotOptimize(unordered_sum(static_cast<const float*>(x), terms.size()));
    if (format == Format::fp16)
      benchmark::DoNotOptimize(unordered_sum_of_halves(static_cast<const std::uint16_t*>(x), terms.size()));
  }
  per_term(state);
}

const bool kRegistered = [] {
  for (const Format format : {Format::fp64, Format::fp32, Format::fp16}) {
    const std::string name(info(format).name);
    const auto row_sizes = [](auto* benchmark) { benchmark->Arg(8)->Arg(32)->Arg(128)->Unit(benchmark::kMicrosecond); };
    const auto terms = [](auto* benchmark) {
      benchmark->Arg(10'000)->Arg(1'000'000)->Arg(10'000'000)->Unit(benchmark::kMicrosecond);
    };
    row_sizes(benchmark::RegisterBenchmark(("rows/" + name + "/plain_loop").c_str(), plain_loop, format));
    for (const char* order : {"seq", "halving(8) | seq", "pairwise", "adjacent(8) | seq", "numpy",
                              "strided(4) | halving(4)", "seq(acc=kahan)", "shuffle | seq"})
      row_sizes(benchmark::RegisterBenchmark(("rows/" + name + "/" + order).c_str(), row_sums, order, format, false));
    for (const char* order : {"seq", "seq(acc=fma)"})
      row_sizes(
          benchmark::RegisterBenchmark(("rows/" + name + "/products/" + order).c_str(), row_sums, order, format, true));
    terms(benchmark::RegisterBenchmark(("one_row/" + name + "/unordered").c_str(), one_row_unordered, format));
    for (const char* order : {"halving(32) | pairwise(128)", "strided(8) | halving(8)", "pairwise(128)", "numpy",
                              "chunks(64) | seq", "seq"}) {
      const std::string row = "one_row/" + name + "/" + order;
      terms(benchmark::RegisterBenchmark((row + "/alone").c_str(), one_row_alone, order, format));
      terms(benchmark::RegisterBenchmark((row + "/with_bounds").c_str(), one_row_with_bounds, order, format));
    }
  }
  return true;
}();

}  // namespace
