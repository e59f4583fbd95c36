// BiCGStab, preconditioned from the right: its residual is that of A x = b.
#include "solver/solver_run.hpp"

namespace orderlab {

namespace {

template <class T>
void stabilized_biconjugate_gradients(SolverRun<T>& run) {
  std::vector<T> r = run.right();
  const std::vector<T> shadow = r;
  std::vector<T> p = r;
  std::vector<T> v(r.size());
  std::vector<T> t(r.size());
  std::vector<T> p_buffer(r.size());
  std::vector<T> s_buffer(r.size());
  T rho = run.dot(r, r);
  if (!run.start(std::sqrt(rho))) return;
  for (;;) {
    const std::vector<T>& p_hat = run.precondition(p, p_buffer);
    run.multiply(p_hat, v);
    const T shadow_v = run.dot(shadow, v);
    if (shadow_v == T{0}) {
      run.break_down("r0'v is 0");
      return;
    }
    const T alpha = rho / shadow_v;
    add_multiple(run.x, alpha, p_hat);
    add_multiple(r, -alpha, v);  // s
    const std::vector<T>& s_hat = run.precondition(r, s_buffer);
    run.multiply(s_hat, t);
    const T tt = run.dot(t, t);
    if (tt == T{0}) {  // s is 0 unless A is singular: half an iteration was enough
      if (run.advance(run.norm(r))) run.break_down("t't is 0: the matrix is singular");
      return;
    }
    const T omega = run.dot(t, r) / tt;
    add_multiple(run.x, omega, s_hat);
    add_multiple(r, -omega, t);
    if (!run.advance(run.norm(r))) return;
    const T before = std::exchange(rho, run.dot(shadow, r));
    if (rho == T{0} || omega == T{0}) {
      run.break_down(rho == T{0} ? "rho is 0" : "omega is 0");
      return;
    }
    const T beta = rho / before * (alpha / omega);
    for (std::size_t i = 0; i < p.size(); ++i) p[i] = r[i] + beta * (p[i] - omega * v[i]);
  }
}

}  // namespace

extern const Solver kBicgstab;
const Solver kBicgstab{
    .name = "bicgstab",
    .summary = "BiCGStab, for matrices that need not be symmetric",
    .source = "[VanderVorst1992]",
    ORDERLAB_SOLVE_BOTH(stabilized_biconjugate_gradients),
};

}  // namespace orderlab
