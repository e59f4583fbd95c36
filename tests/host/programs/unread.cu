// A result that never comes back.
#include <stdio.h>

__global__ void scale(const float* x, float* y, float* z) {
  y[threadIdx.x] = 2 * x[threadIdx.x];
  z[threadIdx.x] = 3 * x[threadIdx.x];
}

int main() {
  float *d_x, *d_y, *d_z, h_y[32] = {0};
  cudaMalloc(&d_x, sizeof h_y);
  cudaMalloc(&d_y, sizeof h_y);
  cudaMalloc(&d_z, sizeof h_y);
  cudaMemcpy(d_x, h_y, sizeof h_y, cudaMemcpyHostToDevice);
  scale<<<1, 32>>>(d_x, d_y, d_z);  // UNREAD
  cudaMemcpy(h_y, d_y, sizeof h_y, cudaMemcpyDeviceToHost);
  printf("%g\n", h_y[31]);
  cudaFree(d_x);
  cudaFree(d_y);
  cudaFree(d_z);
  return 0;
}
