// Values in as many registers as there are, while other threads run.
#include "orderlab/simt_thread.hpp"

double keep(const double* x, int n) {
  double own[24];
  for (int j = 0; j < 24; ++j) own[j] = x[j];
#pragma GCC unroll 24
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < 24; ++j) own[j] += x[i] * j;
    orderlab::simt::warp_barrier(~0U, std::source_location::current());
  }
  double sum = 0;
  for (int j = 0; j < 24; ++j) sum += own[j] * x[j];
  return sum;
}
