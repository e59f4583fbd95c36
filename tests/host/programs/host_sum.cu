// The host adds up the sums of thread blocks. Bug: it does so in the array of the device.
#include <stdio.h>

__global__ void block_sums(const int* x, int* sums) {
  int sum = x[blockIdx.x * blockDim.x + threadIdx.x];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffff, sum, d);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

int main(int argc, char** argv) {
  const bool fixed = argc > 1;
  int h[128], h_sums[4], *d_x, *d_sums, sum = 0;
  for (int i = 0; i < 128; i++) h[i] = i;
  cudaMalloc(&d_x, sizeof h);
  cudaMalloc(&d_sums, sizeof h_sums);
  cudaMemcpy(d_x, h, sizeof h, cudaMemcpyHostToDevice);
  block_sums<<<4, 32>>>(d_x, d_sums);
  cudaMemcpy(h_sums, d_sums, sizeof h_sums, cudaMemcpyDeviceToHost);
  const int* sums = fixed ? h_sums : d_sums;
  for (int i = 0; i < 4; i++) sum += sums[i];  // BUG
  printf("sum %d\n", sum);
  cudaFree(d_x);
  cudaFree(d_sums);
  return 0;
}
