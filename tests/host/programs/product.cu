// A matrix product that adds to its result. Bug: nothing sets the result first.
#include <stdio.h>

__global__ void multiply(const float* a, const float* b, float* c, int n) {
  int row = threadIdx.y, column = threadIdx.x;
  for (int k = 0; k < n; k++) c[row * n + column] += a[row * n + k] * b[k * n + column];  // BUG
}

int main(int argc, char** argv) {
  const bool fixed = argc > 1;
  const int n = 8;
  float h[n * n], *d_a, *d_c;
  for (int i = 0; i < n * n; i++) h[i] = i % 3;
  cudaMalloc(&d_a, sizeof h);
  cudaMalloc(&d_c, sizeof h);
  cudaMemcpy(d_a, h, sizeof h, cudaMemcpyHostToDevice);
  if (fixed) cudaMemset(d_c, 0, sizeof h);
  multiply<<<1, dim3(n, n)>>>(d_a, d_a, d_c, n);
  cudaMemcpy(h, d_c, sizeof h, cudaMemcpyDeviceToHost);
  printf("first %g\n", h[0]);
  cudaFree(d_a);
  cudaFree(d_c);
  return 0;
}
