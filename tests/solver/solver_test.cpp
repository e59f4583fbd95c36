// Iterative solvers against dense elimination, known counts of iterations, and each other; breakdowns end them.
#include "orderlab/solver.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "orderlab/error.hpp"
#include "orderlab/philox.hpp"
#include "terms/temporary_file.hpp"

using namespace orderlab;

namespace {

using Dense = std::vector<std::vector<double>>;

/// Numbers in (-1, 1) of some seed.
std::vector<double> some_numbers(std::size_t n, std::uint64_t seed) {
  std::vector<double> numbers(n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto words = RandomStream(seed, 0, 0).block(i);
    numbers[i] = (static_cast<double>(words[0]) + 0.5) * 0x1p-31 - 1;
  }
  return numbers;
}

template <class T>
LinearSystem<T> system_of(const Dense& a, const std::vector<double>& b, Preconditioner how = Preconditioner::none) {
  std::vector<Triplet> entries;
  for (std::uint32_t i = 0; i < a.size(); ++i)
    for (std::uint32_t j = 0; j < a[i].size(); ++j)
      if (a[i][j] != 0) entries.push_back({i, j, a[i][j]});
  return {sparse_matrix<T>(a.size(), a.empty() ? 0 : a[0].size(), entries), std::vector<T>(b.begin(), b.end()), how};
}

/// Gaussian elimination with partial pivoting, in long double.
std::vector<double> eliminated(const Dense& a, const std::vector<double>& b) {
  const std::size_t n = b.size();
  std::vector<std::vector<long double>> m(n);
  for (std::size_t i = 0; i < n; ++i) {
    m[i].assign(a[i].begin(), a[i].end());
    m[i].push_back(b[i]);
  }
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k; i < n; ++i)
      if (std::fabs(m[i][k]) > std::fabs(m[pivot][k])) pivot = i;
    std::swap(m[k], m[pivot]);
    for (std::size_t i = k + 1; i < n; ++i)
      for (std::size_t j = n + 1; j-- > k;) m[i][j] -= m[i][k] / m[k][k] * m[k][j];
  }
  std::vector<double> x(n);
  for (std::size_t i = n; i-- > 0;) {
    long double sum = m[i][n];
    for (std::size_t j = i + 1; j < n; ++j) sum -= m[i][j] * static_cast<long double>(x[j]);
    x[i] = static_cast<double>(sum / m[i][i]);
  }
  return x;
}

/// B'B + I, symmetric positive definite; or, not symmetric, B + 2 sqrt(n) I. Some entries are 0.
Dense some_matrix(std::size_t n, bool symmetric, std::uint64_t seed) {
  std::vector<double> numbers = some_numbers(n * n, seed);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (i % 3 == 1) numbers[i] = 0;
  Dense a(n, std::vector<double>(n, 0.0));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      if (!symmetric) a[i][j] = numbers[i * n + j];
      for (std::size_t k = 0; symmetric && k < n; ++k)
        a[i][j] += numbers[k * n + std::min(i, j)] * numbers[k * n + std::max(i, j)];
      if (i == j) a[i][j] += symmetric ? 1 : 2 * std::sqrt(static_cast<double>(n));
    }
  return a;
}

SolverSites sites(const char* order = "halving(4) | arrive | seq(from=zero)") {
  return {SumSite(0, parse_order(order)), SumSite(1, parse_order("seq"))};
}

template <class T>
Solution<T> solved(const Solver& solver, const LinearSystem<T>& system, const SolverSites& where,
                   const SolveLimits& limits, std::uint64_t sample = 0, Reductions reductions = Reductions::drawn,
                   const VisitCheckpoint<T>& visit = {}) {
  ProgramRun run(7, sample, reductions);
  return solve<T>(solver, system, where, limits, run, visit);
}

template <class T>
bool equal_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double difference = 0;
  double size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference += (a[i] - b[i]) * (a[i] - b[i]);
    size += b[i] * b[i];
  }
  return std::sqrt(difference / size);
}

}  // namespace

TEST_CASE("every solver finds the solution of elimination, with every way to add and each preconditioner") {
  for (const Solver* solver : solvers()) {
    CAPTURE(std::string(solver->name));
    CHECK(&find_solver(solver->name) == solver);
    CHECK(!solver->summary.empty());
    CHECK(!solver->source.empty());
    for (const std::size_t n : {1U, 2U, 5U, 17U, 40U})
      for (std::uint64_t seed = 1; seed <= 3; ++seed)
        for (const auto how : {Preconditioner::none, Preconditioner::jacobi, Preconditioner::ilu0}) {
          CAPTURE(n);
          CAPTURE(seed);
          const Dense a = some_matrix(n, solver->symmetric, seed);
          const std::vector<double> b = some_numbers(n, seed + 100);
          const std::vector<double> x = eliminated(a, b);
          const LinearSystem<double> system = system_of<double>(a, b, how);
          SolverSites by_atomics{SumSite(0, parse_order("ao")), IndexAddSite(1, coordinate_product(system.matrix()))};
          SolverSites by_rows{SumSite(0, parse_order("shuffle | tree")), SumSite(1, parse_order("shuffle | seq"))};
          const SolveLimits limits{.tolerance = 1e-12, .max_iterations = 5000, .restart = 12};
          for (const SolverSites& where : {sites(), std::move(by_atomics), std::move(by_rows)})
            for (const auto reductions : {Reductions::drawn, Reductions::launch, Reductions::exact}) {
              const Solution<double> solution = solved(*solver, system, where, limits, 3, reductions);
              REQUIRE(solution.end == SolveEnd::converged);
              CHECK(solution.residuals.front() == 1);
              CHECK(solution.residuals.back() <= 1e-12);
              CHECK(system.relative_residual(solution.x) < 1e-10);
              CHECK(distance(solution.x, x) < 1e-9);  // 1e-12 times the condition number, which is below 1000
            }
        }
  }
}

TEST_CASE("iterations are as many as theory says") {
  // CG takes as many steps as there are distinct eigenvalues; so does GMRES, and each GMRES residual is the least.
  const std::size_t n = 60;
  for (const std::size_t distinct : {1U, 2U, 3U, 5U}) {
    Dense a(n, std::vector<double>(n, 0.0));
    for (std::size_t i = 0; i < n; ++i) a[i][i] = 1 + static_cast<double>(i % distinct);
    const LinearSystem<double> system = system_of<double>(a, some_numbers(n, 5));
    const SolveLimits limits{.tolerance = 1e-13, .max_iterations = 100};
    for (const char* name : {"cg", "gmres"}) {
      CAPTURE(std::string(name));
      CHECK(solved(find_solver(name), system, sites(), limits, 0, Reductions::exact).iterations() == distinct);
    }
  }
  const LinearSystem<double> system = system_of<double>(some_matrix(40, false, 9), some_numbers(40, 10));
  const SolveLimits limits{.tolerance = 1e-13, .max_iterations = 1000, .restart = 200};
  const Solution<double> full = solved(find_solver("gmres"), system, sites(), limits);
  CHECK(full.end == SolveEnd::converged);
  CHECK(full.iterations() <= 40);
  for (std::size_t k = 1; k < full.residuals.size(); ++k) CHECK(full.residuals[k] <= full.residuals[k - 1]);
  // One iteration of GMRES(1) takes the residual down by the factor sqrt(1 - (r'Ar)^2 / (r'r w'w)), w = A r.
  const Solution<double> one = solved(find_solver("gmres"), system, sites(), {.max_iterations = 1, .restart = 1});
  std::vector<double> w(40);
  ProgramRun run(1, 0, Reductions::exact);
  const SumSite site(0, parse_order("seq"));
  run.spmv<double>(site, system.matrix(), system.right(), w);
  const double rw = run.dot<double>(site, system.right(), w);
  const double expected =
      std::sqrt(1 - rw * rw / run.dot<double>(site, w, w) / run.dot<double>(site, system.right(), system.right()));
  CHECK(std::fabs(one.residuals.back() - expected) < 1e-14);
  CHECK(one.end == SolveEnd::max_iterations);
  CHECK(std::fabs(system.relative_residual(one.x) - expected) < 1e-14);
}

TEST_CASE("runs in launch order and with exact sums do not depend on the sample, drawn ones do") {
  const LinearSystem<double> system = system_of<double>(some_matrix(40, true, 3), some_numbers(40, 4));
  const LinearSystem<float> narrow = system_of<float>(some_matrix(40, true, 3), some_numbers(40, 4));
  for (const Solver* solver : solvers()) {
    CAPTURE(std::string(solver->name));
    const SolveLimits limits{.tolerance = 1e-6, .max_iterations = 25, .restart = 10};
    const auto run = [&](std::uint64_t sample, Reductions reductions, const char* order = "ao") {
      return solved(*solver, system, sites(order), limits, sample, reductions);
    };
    CHECK(equal_bits(run(1, Reductions::launch).x, run(2, Reductions::launch).x));
    CHECK(equal_bits(run(1, Reductions::exact).x, run(2, Reductions::exact).x));
    CHECK(equal_bits(run(1, Reductions::exact).x, run(1, Reductions::exact, "shuffle | tree").x));
    CHECK(equal_bits(run(1, Reductions::drawn).x, run(1, Reductions::drawn).x));
    CHECK(!equal_bits(run(1, Reductions::drawn).x, run(2, Reductions::drawn).x));
    CHECK(!equal_bits(solved(*solver, narrow, sites("ao"), limits, 1).x,
                      solved(*solver, narrow, sites("ao"), limits, 2).x));
  }
}

TEST_CASE("x at checkpoints is the iterate of a run that ends there") {
  const LinearSystem<double> system =
      system_of<double>(some_matrix(60, true, 8), some_numbers(60, 4), Preconditioner::jacobi);
  for (const Solver* solver : solvers()) {
    CAPTURE(std::string(solver->name));
    SolveLimits limits{.tolerance = 1e-14, .max_iterations = 60, .restart = 7};
    std::vector<std::uint64_t> seen;
    solved<double>(*solver, system, sites(), limits, 5, Reductions::drawn,
                   [&](std::uint64_t k, std::span<const double> x) {
                     seen.push_back(k);
                     SolveLimits shorter = limits;
                     shorter.max_iterations = k;
                     CHECK(equal_bits(solved(*solver, system, sites(), shorter, 5).x, {x.begin(), x.end()}));
                   });
    REQUIRE(seen.size() >= 4);
    CHECK(std::vector<std::uint64_t>(seen.begin(), seen.begin() + 4) == std::vector<std::uint64_t>{1, 2, 5, 10});
  }
  CHECK(is_checkpoint(5000));
  for (const std::uint64_t k : {0U, 3U, 11U, 15U, 25U, 110U}) CHECK(!is_checkpoint(k));
}

TEST_CASE("what cannot be solved ends, and says why") {
  const SolveLimits limits{.max_iterations = 200, .restart = 5};
  for (const Solver* solver : solvers()) {
    CAPTURE(std::string(solver->name));
    const auto end_of = [&](const Dense& a, const std::vector<double>& b) {
      return solved(*solver, system_of<double>(a, b), sites("seq"), limits);
    };
    const Solution<double> zero = end_of({{0, 0}, {0, 0}}, {1, 2});
    CHECK(zero.end == SolveEnd::breakdown);
    CHECK(!zero.breakdown.empty());
    CHECK(end_of({{0, 1}, {-1, 0}}, {1, 0}).end ==
          (std::string(solver->name) == "gmres" ? SolveEnd::converged : SolveEnd::breakdown));
    CHECK(end_of({{1, 0}, {0, 0}}, {1, 1}).end != SolveEnd::converged);                   // inconsistent
    CHECK(end_of({{1e300, 0}, {0, 1e-300}}, {1e200, 1e200}).end == SolveEnd::breakdown);  // overflows
    const Solution<double> nothing = end_of({{2, 1}, {1, 2}}, {0, 0});
    CHECK(nothing.end == SolveEnd::converged);
    CHECK(nothing.iterations() == 0);
    CHECK(nothing.x == std::vector<double>{0, 0});
    const Solution<double> one = end_of({{-4}}, {2});
    CHECK(one.end == SolveEnd::converged);
    CHECK(one.iterations() == 1);
    CHECK(one.x == std::vector<double>{-0.5});
    std::stop_source stop;
    stop.request_stop();
    SolveLimits stopped = limits;
    stopped.stop = stop.get_token();
    CHECK(solved(*solver, system_of<double>({{2, 1}, {1, 3}}, {1, 1}), sites("seq"), stopped).end == SolveEnd::stopped);
  }
  CHECK(contains(message_of(ErrorKind::usage, [] { system_of<double>({{1, 2}}, {1}); }), "1 x 2"));
  CHECK(contains(message_of(ErrorKind::usage, [] { system_of<double>({}, {}); }), "nothing to solve"));
  CHECK(contains(message_of(ErrorKind::usage, [] { system_of<double>({{1}}, {1, 2}); }), "has 2 numbers"));
  CHECK(contains(message_of(ErrorKind::usage,
                            [] {
                              system_of<double>({{1, 0}, {1, 0}}, {1, 2}, Preconditioner::jacobi);
                            }),
                 "row 2 of the matrix has a 0 on the diagonal"));
  CHECK(contains(message_of(ErrorKind::usage, [] { find_solver("gc"); }), "did you mean cg?"));
}

TEST_CASE("ILU(0) of a matrix whose factors need no fill solves it in one step") {
  Dense a(30, std::vector<double>(30, 0.0));  // tridiagonal, not symmetric: LU fills nothing
  const std::vector<double> numbers = some_numbers(90, 5);
  for (std::size_t i = 0; i < 30; ++i) {
    a[i][i] = 4 + numbers[i];
    if (i > 0) a[i][i - 1] = numbers[30 + i];
    if (i + 1 < 30) a[i][i + 1] = numbers[60 + i];
  }
  const std::vector<double> b = some_numbers(30, 6);
  const LinearSystem<double> system = system_of<double>(a, b, Preconditioner::ilu0);
  for (const char* name : {"cgs", "bicgstab", "gmres"}) {
    const Solution<double> solution = solved(find_solver(name), system, sites(), {.tolerance = 1e-12});
    CHECK(solution.end == SolveEnd::converged);
    CHECK(solution.iterations() == 1);
    CHECK(distance(solution.x, eliminated(a, b)) < 1e-13);
  }
}

TEST_CASE("ILU(0) without a pivot is refused, and names the row") {
  const auto refusal = [](const Dense& a) {
    try {
      system_of<double>(a, std::vector<double>(a.size(), 1), Preconditioner::ilu0);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string end = ", by which it would divide; use none";
  CHECK(refusal({{1, 2}, {3, 0}}) == "preconditioner ilu0: row 2 of the matrix has a 0 on the diagonal" + end);
  CHECK(refusal({{1, 2}, {2, 4}}) == "preconditioner ilu0: row 2 of the matrix gets the pivot 0" + end);
  CHECK(refusal({{1e-300, 1e300}, {1e300, 1}}) == "preconditioner ilu0: row 2 of the matrix gets no pivot" + end);
  CHECK(refusal({{2, 1}, {1, 2}}).empty());
}
