// Iterative solvers of A x = b whose sums are those of a ProgramRun, and matrices as lists of entries: read from Matrix
// Market files, or generated.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "orderlab/parameters.hpp"
#include "orderlab/program.hpp"
#include "orderlab/sparse_matrix.hpp"

namespace orderlab {

/// Entries in any order; those of one place are added.
struct CoordinateMatrix {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<Triplet> entries;
};

/// A Matrix Market file in coordinate format: real, integer or pattern (all entries 1); general, symmetric or
/// skew-symmetric, of which both triangles are returned.
///
/// Errors: input, "FILE:LINE: what is wrong, what would be right", for everything else, numbers that are not finite,
///         and another number of entries than the file says; nothing is skipped or guessed.
/// Source: [Boisvert1997].
CoordinateMatrix read_matrix_market(const std::string& path);

/// A matrix made by formula.
struct MatrixFormula {
  std::string_view name;
  std::span<const Parameter> parameters;
  std::string_view summary;
  CoordinateMatrix (*make)(const Arguments& arguments);
};

std::span<const MatrixFormula* const> matrix_formulas();

/// A formula with its arguments.
struct MatrixCall {
  const MatrixFormula* formula = nullptr;
  Arguments arguments;
};

/// Reads "poisson2d(64)". Error(usage) with the nearest name.
MatrixCall parse_matrix(std::string_view text);

/// Canonical text; parse_matrix reads it back.
std::string to_string(const MatrixCall& call);

/// D A D, D = diag(d). Symmetric matrices stay symmetric to the last bit.
///
/// Shape: a square matrix with a row for each d.
CoordinateMatrix scaled(CoordinateMatrix matrix, std::span<const double> d);

enum class Preconditioner : std::uint8_t {
  none,
  jacobi,  ///< divides by the diagonal
  ilu0,    ///< solves with the incomplete LU factors without fill, each row left to right
};

constexpr std::string_view name_of(Preconditioner preconditioner) {
  constexpr std::string_view kNames[] = {"none", "jacobi", "ilu0"};
  return kNames[static_cast<std::size_t>(preconditioner)];
}

/// Why a solver stopped.
enum class SolveEnd : std::uint8_t {
  converged,       ///< |r| <= tolerance |r0|, by the solver's own residual
  max_iterations,  ///< that many were done
  breakdown,       ///< it cannot go on: a division by 0, or a residual that is not finite
  stopped,         ///< a stop was requested
};

constexpr std::string_view name_of(SolveEnd end) {
  constexpr std::string_view kNames[] = {"converged", "max_iterations", "breakdown", "stopped"};
  return kNames[static_cast<std::size_t>(end)];
}

/// A x = b in numbers of type T. Immutable: threads can share it.
template <ProgramNumber T>
class LinearSystem {
 public:
  /// Errors: usage for a matrix that is not square or has no rows, a right-hand side of another length, and with jacobi
  ///         for a 0 on the diagonal, with ilu0 for a pivot that is 0 or not finite.
  LinearSystem(SparseMatrix<T> matrix, std::vector<T> right, Preconditioner preconditioner = Preconditioner::none);

  std::size_t size() const { return right_.size(); }
  const SparseMatrix<T>& matrix() const { return matrix_; }
  const std::vector<T>& right() const { return right_; }
  Preconditioner preconditioner() const { return preconditioner_; }
  const std::vector<T>& diagonal() const { return diagonal_; }  ///< empty unless it is jacobi
  const SparseMatrix<T>& factors() const { return factors_; }   ///< L and U in one matrix; empty unless it is ilu0

  /// |b - A x| / |b|, b - A x exact in each row and rounded once; 0 for b = 0 and x = 0.
  double relative_residual(std::span<const T> x) const;

 private:
  SparseMatrix<T> matrix_;
  std::vector<T> right_;
  Preconditioner preconditioner_;
  std::vector<T> diagonal_;
  SparseMatrix<T> factors_;
};

/// The places of a solver that add: dot products and norms, products with the matrix.
struct SolverSites {
  SumSite dots;
  std::variant<SumSite, IndexAddSite> products;  ///< rows added by an order, or coordinate_product(matrix)
};

struct SolveLimits {
  double tolerance = 1e-8;
  std::uint64_t max_iterations = 100'000;
  std::uint64_t restart = 30;  ///< gmres only: iterations between restarts
  std::stop_token stop = {};
};

/// What one run of a solver gave.
template <ProgramNumber T>
struct Solution {
  SolveEnd end = SolveEnd::converged;
  std::string breakdown = {};  ///< what happened, where it broke down
  /// |r| / |r0| by the solver's own residual, before the first iteration and after each.
  std::vector<double> residuals;
  std::vector<T> x;

  std::uint64_t iterations() const { return residuals.size() - 1; }
};

/// Called with x after iterations that are checkpoints.
template <ProgramNumber T>
using VisitCheckpoint = std::function<void(std::uint64_t iteration, std::span<const T> x)>;

/// 1, 2, 5, 10, 20, 50, ...
bool is_checkpoint(std::uint64_t iteration);

template <ProgramNumber T>
class SolverRun;

/// A solver as it lists itself.
struct Solver {
  std::string_view name;
  std::string_view summary;
  std::string_view source;
  bool restarts = false;   ///< SolveLimits::restart says how often
  bool symmetric = false;  ///< for symmetric positive definite matrices
  void (*solve_fp32)(SolverRun<float>& run);
  void (*solve_fp64)(SolverRun<double>& run);
};

std::span<const Solver* const> solvers();

/// Error(usage) with the nearest name.
const Solver& find_solver(std::string_view name);

/// Solves from x = 0. All that adds more than two numbers is a sum of `run`.
template <ProgramNumber T>
Solution<T> solve(const Solver& solver, const LinearSystem<T>& system, const SolverSites& sites,
                  const SolveLimits& limits, ProgramRun& run, const VisitCheckpoint<T>& visit = {});

}  // namespace orderlab
