// Thread blocks that are not checked run a copy of the kernels, which has the variables of the other one: those of the
// whole program, of this source and of a function. The second source has variables of the same names.
#include <cstdio>
#include <string>
#include <vector>

#include "copies.cuh"

__device__ float all = 1;
static __device__ float scale = 2;
static __device__ int sums[4];
namespace {
__constant__ float table[4] = {1, 2, 3, 4};
__device__ int blocks;
__device__ int unchecked_blocks;
}  // namespace

std::vector<std::string> begun = {std::string("once")};  // by code that runs before main
struct Counts {
  static inline int made = 0;
  Counts() { ++made; }
} counts;

template <class T>
__device__ T scaled(T x) {
  static const T kMore = 1;
  return x * scale * all + kMore;
}

__device__ int deep(int depth) {
  int here[64];
  for (int i = 0; i < 64; i++) here[i] = depth * i;
  return depth == 0 ? 0 : deep(depth - 1) + here[(depth - 1) % 64];
}

template <class T>
__global__ void tree(const T* x, T* out, int n) {
  __shared__ T s[64];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? scaled(x[i]) * table[i % 4] : T(0);
  __syncthreads();
  for (int d = blockDim.x / 2; d > 0; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t != 0) return;
  out[blockIdx.x] = s[0];
  atomicAdd(&blocks, 1);
  atomicAdd(&sums[blockIdx.x % 4], 1);
#ifdef DEEP
  atomicAdd(&sums[0], deep(n));
#endif
#ifdef POLLS
  while (*(volatile int*)&blocks == 0) {
  }
#endif
#ifdef ORDERLAB_UNCHECKED_COPY
  atomicAdd(&unchecked_blocks, 1);
#endif
}

int main() {
  const int n = 6400;
  float h_x[n], h_out[100], *x, *out, h_scale = 3;
  for (int i = 0; i < n; i++) h_x[i] = 1.0f / (1 + i);
  cudaMalloc(&x, sizeof h_x);
  cudaMalloc(&out, sizeof h_out);
  cudaMemcpy(x, h_x, sizeof h_x, cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(scale, &h_scale, sizeof h_scale);
  tree<<<100, 64>>>(x, out, n);
  cudaMemcpy(h_out, out, sizeof h_out, cudaMemcpyDeviceToHost);
  double sum = 0;
  for (float each : h_out) sum += each;
  int h_blocks, h_unchecked, h_sums[4];
  cudaMemcpyFromSymbol(&h_blocks, blocks, sizeof(int));
  cudaMemcpyFromSymbol(&h_unchecked, unchecked_blocks, sizeof(int));
  cudaMemcpyFromSymbol(h_sums, sums, sizeof h_sums);
  printf("sum %.9g, %d blocks, %d of remainder 3, %d begun, %d made, more %d\n", sum, h_blocks, h_sums[3],
         (int)begun.size(), Counts::made, more_blocks());
  printf("unchecked copy: %d blocks\n", h_unchecked);
  cudaFree(x);
  cudaFree(out);
}
