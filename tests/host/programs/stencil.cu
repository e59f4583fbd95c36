// A moving average. Bug: the last thread reads beyond the end.
#include <stdio.h>

__global__ void average(const float* x, float* y, int n, bool fixed) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float left = i > 0 ? x[i - 1] : 0;
  float right = 0;
  if (i + 1 < n || !fixed) right = x[i + 1];  // BUG
  y[i] = (left + x[i] + right) / 3;
}

int main(int argc, char** argv) {
  const bool fixed = argc > 1;
  const int n = 300;
  float h_x[n], h_y[n], *d_x, *d_y;
  for (int i = 0; i < n; i++) h_x[i] = i;
  cudaMalloc(&d_x, sizeof h_x);
  cudaMalloc(&d_y, sizeof h_y);
  cudaMemcpy(d_x, h_x, sizeof h_x, cudaMemcpyHostToDevice);
  average<<<3, 128>>>(d_x, d_y, n, fixed);
  cudaMemcpy(h_y, d_y, sizeof h_y, cudaMemcpyDeviceToHost);
  printf("middle %g\n", h_y[150]);
  cudaFree(d_x);
  cudaFree(d_y);
  return 0;
}
