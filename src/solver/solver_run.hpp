// What solvers work with: the sums of a run, and the record of residuals that says when to stop.
#pragma once

#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

#include "core/pass.hpp"
#include "orderlab/solver.hpp"
#include "solver/incomplete_lu.hpp"
#include "vectors/slices.hpp"

namespace orderlab {

template <ProgramNumber T>
class SolverRun {
 public:
  using Numbers = std::vector<T>;

  SolverRun(const LinearSystem<T>& system, const SolverSites& sites, const SolveLimits& limits, ProgramRun& run,
            const VisitCheckpoint<T>& visit)
      : x(system.size(), T{0}),
        system_(system),
        sites_(sites),
        limits_(limits),
        run_(run),
        visit_(visit),
        iterations_(limits.max_iterations) {}

  Numbers x;  ///< the iterate, from 0

  std::size_t size() const { return system_.size(); }
  const Numbers& right() const { return system_.right(); }
  std::uint64_t restart() const { return limits_.restart; }
  bool preconditioned() const { return system_.preconditioner() != Preconditioner::none; }

  T dot(const Numbers& a, const Numbers& b) { return run_.template dot<T>(sites_.dots, a, b); }
  T norm(const Numbers& a) { return std::sqrt(dot(a, a)); }

  /// y = A a.
  void multiply(const Numbers& a, Numbers& y) {
    std::visit([&](const auto& site) { run_.template spmv<T>(site, system_.matrix(), a, y); }, sites_.products);
  }

  /// M^-1 a, in `buffer`; `a` itself without a preconditioner.
  const Numbers& precondition(const Numbers& a, Numbers& buffer) const {
    if (!preconditioned()) return a;
    if (system_.preconditioner() == Preconditioner::ilu0) {
      solve_triangular(system_.factors(), a, buffer);
      return buffer;
    }
    for (std::size_t i = 0; i < a.size(); ++i) buffer[i] = a[i] / system_.diagonal()[i];
    return buffer;
  }

  /// Before the first iteration, with |r0|. As `advance`.
  bool start(T norm) {
    first_ = norm;
    return record(norm == T{0} ? 0 : 1, std::isfinite(norm));
  }

  /// After an iteration, with |r|. False when the solver must return.
  bool advance(T norm) {
    return advance(norm, [this]() -> const Numbers& { return x; });
  }

  /// The same where the iterate has to be made: `iterate()` returns it.
  template <class Iterate>
  bool advance(T norm, const Iterate& iterate) {
    const double relative = static_cast<double>(norm) / static_cast<double>(first_);
    const bool goes_on = record(relative, std::isfinite(relative));
    const std::uint64_t done = solution_.iterations();
    if (visit_ && solution_.end != SolveEnd::breakdown && is_checkpoint(done)) visit_(done, iterate());
    return goes_on;
  }

  /// The residual turned out to be 0.
  void solved() {
    solution_.residuals.back() = 0;
    solution_.end = SolveEnd::converged;
  }

  /// False, for the solver to return.
  bool break_down(std::string_view what) {
    solution_.end = SolveEnd::breakdown;
    solution_.breakdown = what;
    return false;
  }

  Solution<T> take() && {
    solution_.x = std::move(x);
    return std::move(solution_);
  }

 private:
  bool record(double relative, bool finite) {
    if (!finite) {
      if (solution_.residuals.empty()) solution_.residuals.push_back(1);
      return break_down("the residual is not finite");
    }
    solution_.residuals.push_back(relative);
    if (solution_.iterations() > 0) iterations_.did(1);
    if (relative <= limits_.tolerance) return end(SolveEnd::converged);
    if (solution_.iterations() >= limits_.max_iterations) return end(SolveEnd::max_iterations);
    if (limits_.stop.stop_requested()) return end(SolveEnd::stopped);
    return true;
  }
  bool end(SolveEnd why) {
    solution_.end = why;
    return false;
  }

  const LinearSystem<T>& system_;
  const SolverSites& sites_;
  const SolveLimits& limits_;
  ProgramRun& run_;
  const VisitCheckpoint<T>& visit_;
  Pass iterations_;
  T first_ = 0;
  Solution<T> solution_;
};

/// y += a x, rounded twice.
template <class T>
void add_multiple(std::vector<T>& y, T a, const std::vector<T>& x) {
  stop_point();
  add_multiple(y.data(), a, x.data(), y.size());
}

/// The entry of the registry for a function template of both types.
#define ORDERLAB_SOLVE_BOTH(function) .solve_fp32 = function<float>, .solve_fp64 = function<double>

}  // namespace orderlab
