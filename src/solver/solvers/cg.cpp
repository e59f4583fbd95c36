// Conjugate gradients, with a preconditioner or without.
#include "solver/solver_run.hpp"

namespace orderlab {

namespace {

template <class T>
void conjugate_gradients(SolverRun<T>& run) {
  std::vector<T> r = run.right();
  std::vector<T> buffer(r.size());
  std::vector<T> q(r.size());
  T rr = run.dot(r, r);
  if (!run.start(std::sqrt(rr))) return;
  const std::vector<T>* z = &run.precondition(r, buffer);
  std::vector<T> p = *z;
  T rho = run.preconditioned() ? run.dot(r, *z) : rr;
  for (;;) {
    run.multiply(p, q);
    const T pq = run.dot(p, q);
    if (pq == T{0} || rho == T{0}) {
      run.break_down(pq == T{0} ? "p'Ap is 0: the matrix is not positive definite"
                                : "r'z is 0: the preconditioner is not positive definite");
      return;
    }
    const T alpha = rho / pq;
    add_multiple(run.x, alpha, p);
    add_multiple(r, -alpha, q);
    rr = run.dot(r, r);
    if (!run.advance(std::sqrt(rr))) return;
    z = &run.precondition(r, buffer);
    const T before = std::exchange(rho, run.preconditioned() ? run.dot(r, *z) : rr);
    const T beta = rho / before;
    for (std::size_t i = 0; i < p.size(); ++i) p[i] = (*z)[i] + beta * p[i];
  }
}

}  // namespace

extern const Solver kConjugateGradients;
const Solver kConjugateGradients{
    .name = "cg",
    .summary = "conjugate gradients, for symmetric positive definite matrices",
    .source = "[HestenesStiefel1952]",
    .symmetric = true,
    ORDERLAB_SOLVE_BOTH(conjugate_gradients),
};

}  // namespace orderlab
