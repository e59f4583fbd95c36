// GMRES(m): modified Gram-Schmidt, Givens rotations, preconditioned from the right.
#include <algorithm>

#include "solver/solver_run.hpp"

namespace orderlab {

namespace {

/// The Hessenberg matrix of one cycle, made triangular by Givens rotations, and the rotated right-hand side.
template <class T>
class RotatedHessenberg {
 public:
  explicit RotatedHessenberg(T norm) : g_{norm} {}

  /// Takes the next column, one number longer than the one before. False where it is singular to the last bit.
  bool add_column(std::vector<T> h) {
    const std::size_t j = columns_.size();
    for (std::size_t i = 0; i < j; ++i) {
      const T upper = cosines_[i] * h[i] + sines_[i] * h[i + 1];
      h[i + 1] = cosines_[i] * h[i + 1] - sines_[i] * h[i];
      h[i] = upper;
    }
    const T length = std::sqrt(h[j] * h[j] + h[j + 1] * h[j + 1]);
    if (!(length > T{0})) return false;
    cosines_.push_back(h[j] / length);
    sines_.push_back(h[j + 1] / length);
    h[j] = length;
    h.pop_back();
    columns_.push_back(std::move(h));
    g_.push_back(-sines_[j] * g_[j]);
    g_[j] = cosines_[j] * g_[j];
    return true;
  }

  T residual() const { return std::abs(g_.back()); }

  /// Factors of the basis vectors in the best correction.
  std::vector<T> factors() const {
    std::vector<T> y(g_.begin(), g_.end() - 1);
    for (std::size_t j = y.size(); j-- > 0;) {
      y[j] /= columns_[j][j];
      for (std::size_t i = 0; i < j; ++i) y[i] -= columns_[j][i] * y[j];
    }
    return y;
  }

 private:
  std::vector<std::vector<T>> columns_;
  std::vector<T> cosines_;
  std::vector<T> sines_;
  std::vector<T> g_;
};

template <class T>
class RestartedGmres {
 public:
  explicit RestartedGmres(SolverRun<T>& run) : run_(run), w_(run.size()), buffer_(run.size()) {}

  void solve() {
    std::vector<T> r = run_.right();
    T norm = run_.norm(r);
    if (!run_.start(norm)) return;
    while (cycle(r, norm)) {
      run_.multiply(run_.x, w_);
      for (std::size_t i = 0; i < r.size(); ++i) r[i] = run_.right()[i] - w_[i];
      norm = run_.norm(r);
      if (norm == T{0}) return run_.solved();
    }
  }

 private:
  /// From the residual r to the next restart. False when the solver must return.
  bool cycle(const std::vector<T>& r, T norm) {
    basis_.assign(1, r);
    for (T& v : basis_[0]) v /= norm;
    RotatedHessenberg<T> hessenberg(norm);
    bool goes_on = true;
    for (std::uint64_t j = 0; goes_on && j < run_.restart(); ++j) {
      std::vector<T> h = next_column();
      const T length = h.back();
      if (!hessenberg.add_column(std::move(h))) {
        goes_on = run_.break_down("the Hessenberg matrix is singular, or not finite");
        break;
      }
      goes_on = run_.advance(hessenberg.residual(), [&]() -> const std::vector<T>& { return iterate(hessenberg); });
      if (length == T{0}) break;
      basis_.push_back(w_);
      for (T& v : basis_.back()) v /= length;
    }
    run_.x = iterate(hessenberg);
    return goes_on;
  }

  /// A M^-1 times the last vector of the basis, made orthogonal to all of it, in w_; its factors, and what is left.
  std::vector<T> next_column() {
    run_.multiply(run_.precondition(basis_.back(), buffer_), w_);
    std::vector<T> h;
    for (const std::vector<T>& v : basis_) {
      h.push_back(run_.dot(w_, v));
      add_multiple(w_, -h.back(), v);
    }
    h.push_back(run_.norm(w_));
    return h;
  }

  /// x with the correction of the cycle so far.
  const std::vector<T>& iterate(const RotatedHessenberg<T>& hessenberg) {
    std::vector<T> correction(run_.size(), T{0});
    const std::vector<T> y = hessenberg.factors();
    for (std::size_t j = 0; j < y.size(); ++j) add_multiple(correction, y[j], basis_[j]);
    const std::vector<T>& preconditioned = run_.precondition(correction, buffer_);
    iterate_ = run_.x;
    for (std::size_t i = 0; i < iterate_.size(); ++i) iterate_[i] += preconditioned[i];
    return iterate_;
  }

  SolverRun<T>& run_;
  std::vector<T> w_;
  std::vector<T> buffer_;
  std::vector<T> iterate_;
  std::vector<std::vector<T>> basis_;
};

template <class T>
void restarted_gmres(SolverRun<T>& run) {
  RestartedGmres<T>(run).solve();
}

}  // namespace

extern const Solver kGmres;
const Solver kGmres{
    .name = "gmres",
    .summary = "GMRES with restarts, modified Gram-Schmidt; for matrices that need not be symmetric",
    .source = "[SaadSchultz1986]",
    .restarts = true,
    ORDERLAB_SOLVE_BOTH(restarted_gmres),
};

}  // namespace orderlab
