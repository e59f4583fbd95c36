// Reductions of OpenMP: a loop that is a parallel region, and a loop inside one.
#include <omp.h>

#include "jobs.hh"

template <class T>
T in_region(const Job& job, const T* x) {
  T s = 0;
  int team = 0;
  const long n = static_cast<long>(job.terms);
#pragma omp parallel num_threads(job.workers)
  {
#pragma omp single nowait
    team = omp_get_num_threads();
#pragma omp for reduction(+ : s) schedule(static)
    for (long i = 0; i < n; ++i) s += x[i];
  }
  if (team != job.workers) leave(3);
  return s;
}

template <class T>
T combined(const Job& job, const T* x) {
  T s = 0;
  const long n = static_cast<long>(job.terms);
#pragma omp parallel for reduction(+ : s) schedule(static) num_threads(job.workers)
  for (long i = 0; i < n; ++i) s += x[i];
  return s;
}

int main(int, char** argv) {
#ifdef __clang__
  const std::string version = "libomp, clang " __clang_version__;
#else
  const std::string version = "libgomp, g++ " __VERSION__;
#endif
  omp_set_dynamic(0);
  return run_jobs(argv[1], version, true, [](const Job& job, const auto* x, const auto*, auto* sums) {
    if (job.call == "for")
      sums[0] = in_region(job, x);
    else if (job.call == "parallel_for")
      sums[0] = combined(job, x);
    else
      leave(4);
  });
}
