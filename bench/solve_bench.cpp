// Conjugate gradients in drawn orders beside the same loop with plain sums; items are iterations.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <vector>

#include "orderlab/order.hpp"
#include "orderlab/solver.hpp"
#include "orderlab/terms.hpp"

namespace {

using namespace orderlab;

constexpr std::uint64_t kIterations = 20;

LinearSystem<double> poisson() {
  const MatrixCall call = parse_matrix("poisson2d(256)");
  const CoordinateMatrix matrix = call.formula->make(call.arguments);
  const Terms drawn = generate_terms("uniform(-1,1)", matrix.rows, Format::fp64, 1);
  std::vector<double> right(matrix.rows);
  for (std::size_t i = 0; i < right.size(); ++i) right[i] = drawn.view().left(i);
  return {sparse_matrix<double>(matrix.rows, matrix.columns, matrix.entries), std::move(right)};
}

SumSite dots() { return {0, parse_order("halving(128) | arrive(uniform) | seq(from=zero)")}; }

void solve_in_drawn_orders(benchmark::State& state, const LinearSystem<double>& system, const SolverSites& sites) {
  const SolveLimits limits{.max_iterations = kIterations};
  std::uint64_t sample = 0;
  for (auto _ : state) {
    ProgramRun run(1, sample++);
    benchmark::DoNotOptimize(solve<double>(find_solver("cg"), system, sites, limits, run));
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kIterations));
}

void cg_drawn_rows(benchmark::State& state) {
  solve_in_drawn_orders(state, poisson(), {dots(), SumSite(1, parse_order("seq"))});
}
BENCHMARK(cg_drawn_rows)->Unit(benchmark::kMillisecond);

void cg_drawn_coo(benchmark::State& state) {
  const LinearSystem<double> system = poisson();
  solve_in_drawn_orders(state, system, {dots(), IndexAddSite(1, coordinate_product(system.matrix()))});
}
BENCHMARK(cg_drawn_coo)->Unit(benchmark::kMillisecond);

double plain_dot(const std::vector<double>& x, const std::vector<double>& y) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  return sum;
}

void plain_product(const SparseMatrix<double>& a, const std::vector<double>& x, std::vector<double>& y) {
  for (std::size_t i = 0; i < a.rows; ++i) {
    double sum = 0;
    for (std::uint32_t e = a.row_begin[i]; e < a.row_begin[i + 1]; ++e) sum += a.value[e] * x[a.column[e]];
    y[i] = sum;
  }
}

void cg_plain(benchmark::State& state) {
  const LinearSystem<double> system = poisson();
  const std::size_t n = system.size();
  for (auto _ : state) {
    std::vector<double> x(n, 0.0);
    std::vector<double> r = system.right();
    std::vector<double> p = r;
    std::vector<double> q(n);
    double rr = plain_dot(r, r);
    for (std::uint64_t k = 0; k < kIterations; ++k) {
      plain_product(system.matrix(), p, q);
      const double alpha = rr / plain_dot(p, q);
      for (std::size_t i = 0; i < n; ++i) x[i] += alpha * p[i];
      for (std::size_t i = 0; i < n; ++i) r[i] -= alpha * q[i];
      const double next = plain_dot(r, r);
      const double beta = next / rr;
      rr = next;
      for (std::size_t i = 0; i < n; ++i) p[i] = r[i] + beta * p[i];
    }
    benchmark::DoNotOptimize(x.data());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kIterations));
}
BENCHMARK(cg_plain)->Unit(benchmark::kMillisecond);

}  // namespace
