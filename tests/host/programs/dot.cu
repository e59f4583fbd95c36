// A dot product. Bug: threads behind the end leave their place in shared memory unset, and thread 0 adds all of it.
#include <stdio.h>

__global__ void dot(const double* a, const double* b, int n, double* out, bool fixed) {
  extern __shared__ double products[];
  if (fixed) products[threadIdx.x] = 0;
  if (threadIdx.x < n) products[threadIdx.x] = a[threadIdx.x] * b[threadIdx.x];
  __syncthreads();
  if (threadIdx.x > 0) return;
  double sum = 0;
  for (unsigned i = 0; i < blockDim.x; i++) sum += products[i];  // BUG
  *out = sum;
}

int main(int argc, char** argv) {
  const bool fixed = argc > 1;
  const int n = 50;
  double h[n], *d_a, *d_out, sum;
  for (int i = 0; i < n; i++) h[i] = i;
  cudaMalloc(&d_a, sizeof h);
  cudaMalloc(&d_out, sizeof sum);
  cudaMemcpy(d_a, h, sizeof h, cudaMemcpyHostToDevice);
  dot<<<1, 64, 64 * sizeof(double)>>>(d_a, d_a, n, d_out, fixed);
  cudaMemcpy(&sum, d_out, sizeof sum, cudaMemcpyDeviceToHost);
  printf("dot %g\n", sum);
  cudaFree(d_a);
  cudaFree(d_out);
  return 0;
}
