// Neumaier's compensated sum, on the GPU and on the host.
#pragma once

#include <cmath>
#include <cstddef>

namespace orderlab::cuda {

/// Sum of x[0..n) from +0.0, with the rounding errors of its additions added at the end.
template <class T>
__host__ __device__ T neumaier_sum(const T* x, std::size_t n) {
  T sum{};
  T correction{};
  for (std::size_t i = 0; i < n; ++i) {
    const T next = sum + x[i];
    if (std::fabs(sum) > std::fabs(x[i]))
      correction += (sum - next) + x[i];
    else
      correction += (x[i] - next) + sum;
    sum = next;
  }
  return sum + correction;
}

}  // namespace orderlab::cuda
