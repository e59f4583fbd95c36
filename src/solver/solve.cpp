#include <algorithm>
#include <string>

#include "core/float_environment.hpp"
#include "core/pass.hpp"
#include "orderlab/error.hpp"
#include "orderlab/exact.hpp"
#include "solver/solver_run.hpp"

namespace orderlab {

namespace {

template <class T>
std::vector<T> diagonal_of(const SparseMatrix<T>& matrix) {
  std::vector<T> diagonal(matrix.rows, T{0});
  for (std::size_t i = 0; i < matrix.rows; ++i) {
    for (std::uint32_t e = matrix.row_begin[i]; e < matrix.row_begin[i + 1]; ++e)
      if (matrix.column[e] == i) diagonal[i] = matrix.value[e];
    if (diagonal[i] == T{0})
      throw Error(ErrorKind::usage, "preconditioner jacobi: row " + std::to_string(i + 1) +
                                        " of the matrix has a 0 on the diagonal, by which it would divide; use none");
  }
  return diagonal;
}

}  // namespace

bool is_checkpoint(std::uint64_t iteration) {
  if (iteration == 0) return false;
  while (iteration % 10 == 0) iteration /= 10;
  return iteration == 1 || iteration == 2 || iteration == 5;
}

template <ProgramNumber T>
LinearSystem<T>::LinearSystem(SparseMatrix<T> matrix, std::vector<T> right, Preconditioner preconditioner)
    : matrix_(std::move(matrix)), right_(std::move(right)), preconditioner_(preconditioner) {
  const FloatEnvironment environment;
  const std::string shape = std::to_string(matrix_.rows) + " x " + std::to_string(matrix_.columns);
  if (matrix_.rows != matrix_.columns)
    throw Error(ErrorKind::usage, "the matrix is " + shape + "; a system to solve has as many columns as rows");
  if (matrix_.rows == 0) throw Error(ErrorKind::usage, "the matrix is " + shape + ": there is nothing to solve");
  if (right_.size() != matrix_.rows)
    throw Error(ErrorKind::usage, "the right-hand side has " + std::to_string(right_.size()) +
                                      " numbers; a matrix of " + shape + " needs " + std::to_string(matrix_.rows));
  if (preconditioner == Preconditioner::jacobi) diagonal_ = diagonal_of(matrix_);
  if (preconditioner == Preconditioner::ilu0) factors_ = incomplete_lu(matrix_);
}

template <ProgramNumber T>
double LinearSystem<T>::relative_residual(std::span<const T> x) const {
  const FloatEnvironment environment;
  double residual = 0;
  double right = 0;
  each_in_pass(size(), [&](std::size_t i) {
    ExactSum row;
    row.add(static_cast<double>(right_[i]));
    for (std::uint32_t e = matrix_.row_begin[i]; e < matrix_.row_begin[i + 1]; ++e)
      row.add_product(-static_cast<double>(matrix_.value[e]), static_cast<double>(x[matrix_.column[e]]));
    const double r = row.value().to_double();
    residual += r * r;
    right += static_cast<double>(right_[i]) * static_cast<double>(right_[i]);
  });
  return residual == 0 ? 0 : std::sqrt(residual) / std::sqrt(right);
}

template <ProgramNumber T>
Solution<T> solve(const Solver& solver, const LinearSystem<T>& system, const SolverSites& sites,
                  const SolveLimits& limits, ProgramRun& run, const VisitCheckpoint<T>& visit) {
  const FloatEnvironment environment;
  SolverRun<T> solver_run(system, sites, limits, run, visit);
  if constexpr (std::is_same_v<T, float>)
    solver.solve_fp32(solver_run);
  else
    solver.solve_fp64(solver_run);
  return std::move(solver_run).take();
}

template class LinearSystem<float>;
template class LinearSystem<double>;
template Solution<float> solve(const Solver&, const LinearSystem<float>&, const SolverSites&, const SolveLimits&,
                               ProgramRun&, const VisitCheckpoint<float>&);
template Solution<double> solve(const Solver&, const LinearSystem<double>&, const SolverSites&, const SolveLimits&,
                                ProgramRun&, const VisitCheckpoint<double>&);

}  // namespace orderlab
