// Neighbours by shared memory. Bug: threads behind the end miss the barrier, and wait at another.
#include <stdio.h>

__global__ void differences(const int* x, int* y, int n, bool fixed) {
  __shared__ int s[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  if (fixed) {
    s[t] = i < n ? x[i] : 0;
    __syncthreads();
  } else if (i < n) {
    s[t] = x[i];
    __syncthreads();  // BUG
  } else {
    s[t] = 0;
    __syncthreads();
  }
  if (i < n && t > 0) y[i] = s[t] - s[t - 1];
}

int main(int argc, char** argv) {
  const bool fixed = argc > 1;
  const int n = 100;
  int h_x[n], h_y[n], *d_x, *d_y;
  for (int i = 0; i < n; i++) h_x[i] = i * i;
  cudaMalloc(&d_x, sizeof h_x);
  cudaMalloc(&d_y, sizeof h_y);
  cudaMemset(d_y, 0, sizeof h_y);
  cudaMemcpy(d_x, h_x, sizeof h_x, cudaMemcpyHostToDevice);
  differences<<<2, 64>>>(d_x, d_y, n, fixed);
  cudaMemcpy(h_y, d_y, sizeof h_y, cudaMemcpyDeviceToHost);
  printf("last %d\n", h_y[n - 1]);
  cudaFree(d_x);
  cudaFree(d_y);
  return 0;
}
