// Sums by atomics of several kinds. Those of integers do not depend on the order in which they arrive.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <stdio.h>

#include <string>

template <class T>
__global__ void add(T* out) {
  atomicAdd(out, T(1.0 / (1 + blockIdx.x)));
}

__global__ void count(int* out) { atomicAdd(out, blockIdx.x); }

__global__ void add_halves(__half2* out) {
  atomicAdd(out, __floats2half2_rn(1.0f / (1 + blockIdx.x), 2.0f / (1 + blockIdx.x)));
}

__global__ void add_bfloat16(__nv_bfloat16* out) { atomicAdd(out, __float2bfloat16(1.0f / (1 + blockIdx.x))); }

__global__ void add_shared(float* out) {
  __shared__ float sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, 1.0f / (1 + threadIdx.x));
  __syncthreads();
  if (threadIdx.x == 0) *out = sum;
}

// Before compute capability 6.0 there was no atomicAdd of doubles: the loop of CUDA's guide.
__global__ void add_by_loop(double* out) {
  unsigned long long* bits = (unsigned long long*)out;
  unsigned long long old = *bits, assumed;
  do {
    assumed = old;
    old = atomicCAS(bits, assumed, __double_as_longlong(1.0 / (1 + blockIdx.x) + __longlong_as_double(assumed)));
  } while (assumed != old);
}

int main(int argc, char** argv) {
  const std::string kind = argv[1];
  unsigned long long bits = 0, *d_bits;
  cudaMalloc(&d_bits, sizeof bits);
  cudaMemset(d_bits, 0, sizeof bits);
  if (kind == "launches")
    for (int i = 0; i < 3; i++) add<<<20, 1>>>((float*)d_bits);
  if (kind == "integers") count<<<64, 1>>>((int*)d_bits);
  if (kind == "shared") add_shared<<<1, 128>>>((float*)d_bits);
  if (kind == "double") add<<<64, 1>>>((double*)d_bits);
  if (kind == "halves") add_halves<<<64, 1>>>((__half2*)d_bits);
  if (kind == "bfloat16") add_bfloat16<<<64, 1>>>((__nv_bfloat16*)d_bits);
  if (kind == "loop") add_by_loop<<<64, 1>>>((double*)d_bits);
  cudaMemcpy(&bits, d_bits, sizeof bits, cudaMemcpyDeviceToHost);
  printf("bits %llu\n", bits);
  cudaFree(d_bits);
  return 0;
}
