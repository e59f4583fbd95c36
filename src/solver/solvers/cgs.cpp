// CGS, preconditioned from the right: its residual is that of A x = b.
#include "solver/solver_run.hpp"

namespace orderlab {

namespace {

template <class T>
void conjugate_gradients_squared(SolverRun<T>& run) {
  std::vector<T> r = run.right();
  const std::vector<T> shadow = r;
  std::vector<T> u = r;
  std::vector<T> p = r;
  std::vector<T> q(r.size());
  std::vector<T> v(r.size());
  std::vector<T> both(r.size());
  std::vector<T> p_buffer(r.size());
  std::vector<T> both_buffer(r.size());
  T rho = run.dot(r, r);
  if (!run.start(std::sqrt(rho))) return;
  for (;;) {
    run.multiply(run.precondition(p, p_buffer), v);
    const T shadow_v = run.dot(shadow, v);
    if (shadow_v == T{0}) {
      run.break_down("r0'v is 0");
      return;
    }
    const T alpha = rho / shadow_v;
    for (std::size_t i = 0; i < q.size(); ++i) {
      q[i] = u[i] - alpha * v[i];
      both[i] = u[i] + q[i];
    }
    const std::vector<T>& both_hat = run.precondition(both, both_buffer);
    add_multiple(run.x, alpha, both_hat);
    run.multiply(both_hat, v);
    add_multiple(r, -alpha, v);
    if (!run.advance(run.norm(r))) return;
    const T before = std::exchange(rho, run.dot(shadow, r));
    if (rho == T{0}) {
      run.break_down("rho is 0");
      return;
    }
    const T beta = rho / before;
    for (std::size_t i = 0; i < p.size(); ++i) {
      u[i] = r[i] + beta * q[i];
      p[i] = u[i] + beta * (q[i] + beta * p[i]);
    }
  }
}

}  // namespace

extern const Solver kCgs;
const Solver kCgs{
    .name = "cgs",
    .summary = "conjugate gradients squared, for matrices that need not be symmetric",
    .source = "[Sonneveld1989]",
    ORDERLAB_SOLVE_BOTH(conjugate_gradients_squared),
};

}  // namespace orderlab
