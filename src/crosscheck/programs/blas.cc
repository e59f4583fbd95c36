// Sums and products of a BLAS, by one thread unless the job says otherwise.
#include <cblas.h>

#include "jobs.hh"

static double dot(int n, const double* x, const double* y) { return cblas_ddot(n, x, 1, y, 1); }
static float dot(int n, const float* x, const float* y) { return cblas_sdot(n, x, 1, y, 1); }
static double asum(int n, const double* x) { return cblas_dasum(n, x, 1); }
static float asum(int n, const float* x) { return cblas_sasum(n, x, 1); }

int main(int, char** argv) {
  const std::string version = std::string(openblas_get_config()) + ", kernels of " + openblas_get_corename();
  return run_jobs(argv[1], version, true, [](const Job& job, const auto* x, const auto* y, auto* sums) {
    openblas_set_num_threads(job.workers);
    const int n = static_cast<int>(job.terms);
    if (job.call == "dot")
      sums[0] = dot(n, x, y);
    else if (job.call == "asum")
      sums[0] = asum(n, x);
    else
      leave(4);
  });
}
