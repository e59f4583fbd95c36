#include "simt/first_kernels.hpp"

#include "orderlab/cuda_on_host.hpp"

namespace orderlab::cuda {

template <class T>
__global__ void block_tree(const T* __restrict__ x, unsigned n, T* partials, unsigned* ticket, T* out) {
  extern __shared__ __align__(16) unsigned char dynamic_shared[];
  T* s = reinterpret_cast<T*>(dynamic_shared);
  __shared__ bool last;
  const unsigned t = threadIdx.x;
  T m = 0;
  for (unsigned i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) m += x[i];
  s[t] = m;
  __syncthreads();
  for (unsigned k = blockDim.x / 2; k > 0; k /= 2) {
    if (t < k) s[t] += s[t + k];
    __syncthreads();
  }
  if (t == 0) {
    partials[blockIdx.x] = s[0];
    __threadfence();
    last = atomicInc(ticket, gridDim.x) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && t == 0) {
    T sum = 0;
    for (unsigned b = 0; b < gridDim.x; ++b) sum += partials[b];
    *out = sum;
  }
}

}  // namespace orderlab::cuda

double run_block_tree(orderlab::simt::Device& device, std::span<const double> x, unsigned grid, unsigned block) {
  const double* in = device.input(x);
  double* partials = device.zeros<double>(grid);
  unsigned* ticket = device.zeros<unsigned>(1);
  double* out = device.zeros<double>(1);
  device.launch("block_tree", orderlab::cuda::block_tree<double>, grid, block, block * sizeof(double), in,
                static_cast<unsigned>(x.size()), partials, ticket, out);
  return device.read(out, 1)[0];
}
