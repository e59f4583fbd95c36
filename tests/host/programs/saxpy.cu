// a x + y. Bugs: copies in the wrong direction, beyond the end, and of as many bytes as there are numbers.
#include <stdio.h>

#include <string>

__global__ void saxpy(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];  // SIZE
}

int main(int argc, char** argv) {
  const std::string bug = argv[1];
  const int n = 1000;
  static float x[n], y[n];
  float *d_x, *d_y;
  for (int i = 0; i < n; i++) x[i] = y[i] = 1;
  cudaMalloc(&d_x, n * sizeof(float));
  cudaMalloc(&d_y, n * sizeof(float));
  cudaMemcpy(d_x, x, bug == "size" ? n : n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(d_y, y, n * sizeof(float), cudaMemcpyHostToDevice);
  saxpy<<<(n + 255) / 256, 256>>>(n, 2, d_x, d_y);
  if (bug == "direction") cudaMemcpy(y, d_y, n * sizeof(float), cudaMemcpyHostToDevice);  // DIRECTION
  if (bug == "longer") cudaMemcpy(y, d_y, n * sizeof(double), cudaMemcpyDeviceToHost);  // LONGER
  cudaMemcpy(y, d_y, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("last %g\n", y[n - 1]);
  cudaFree(d_x);
  cudaFree(d_y);
  return 0;
}
