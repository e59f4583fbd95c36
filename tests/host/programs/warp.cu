// A scan in a warp by shared memory. Bug: its lanes are taken to run in step.
#include <stdio.h>

__global__ void scan(const int* x, int* y, bool fixed) {
  __shared__ int s[32];
  int t = threadIdx.x;
  s[t] = x[t];
  __syncwarp();
  for (int d = 1; d < 32; d *= 2) {
    int left = t >= d ? s[t - d] : 0;  // BUG
    if (fixed) __syncwarp();
    s[t] += left;
    if (fixed) __syncwarp();
  }
  y[t] = s[t];
}

int main(int argc, char** argv) {
  const bool fixed = argc > 1;
  int h[32], *d_x, *d_y;
  for (int i = 0; i < 32; i++) h[i] = 1;
  cudaMalloc(&d_x, sizeof h);
  cudaMalloc(&d_y, sizeof h);
  cudaMemcpy(d_x, h, sizeof h, cudaMemcpyHostToDevice);
  scan<<<1, 32>>>(d_x, d_y, fixed);
  cudaMemcpy(h, d_y, sizeof h, cudaMemcpyDeviceToHost);
  printf("last %d\n", h[31]);
  cudaFree(d_x);
  cudaFree(d_y);
  return 0;
}
