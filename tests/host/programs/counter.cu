// Counts what is odd. Bug: thread blocks add to one counter without an atomic.
#include <stdio.h>

__device__ int odd;

__global__ void count_odd(const int* x, int n, bool fixed) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int all = __syncthreads_count(i < n && x[i] % 2 == 1);
  if (threadIdx.x > 0) return;
  if (fixed)
    atomicAdd(&odd, all);
  else
    odd += all;  // BUG
}

int main(int argc, char** argv) {
  const bool fixed = argc > 1;
  const int n = 1000;
  int h[n], *d_x, count;
  for (int i = 0; i < n; i++) h[i] = i;
  cudaMalloc(&d_x, sizeof h);
  cudaMemcpy(d_x, h, sizeof h, cudaMemcpyHostToDevice);
  count_odd<<<8, 128>>>(d_x, n, fixed);
  cudaMemcpyFromSymbol(&count, odd, sizeof count);
  printf("odd %d\n", count);
  cudaFree(d_x);
  return 0;
}
