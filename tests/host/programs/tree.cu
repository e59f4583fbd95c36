// The maximum by a tree in shared memory. Bug: no barrier between its levels.
#include <stdio.h>

__global__ void largest(const int* x, int* out, bool fixed) {
  __shared__ int s[256];
  int t = threadIdx.x;
  s[t] = x[t];
  __syncthreads();
  for (int d = 128; d > 0; d /= 2) {
    if (t < d && s[t + d] > s[t]) s[t] = s[t + d];  // BUG
    if (fixed) __syncthreads();
  }
  if (t == 0) *out = s[0];
}

int main(int argc, char** argv) {
  const bool fixed = argc > 1;
  int h[256], *d_x, *d_out, most;
  for (int i = 0; i < 256; i++) h[i] = i * 37 % 256;
  cudaMalloc(&d_x, sizeof h);
  cudaMalloc(&d_out, sizeof(int));
  cudaMemcpy(d_x, h, sizeof h, cudaMemcpyHostToDevice);
  largest<<<1, 256>>>(d_x, d_out, fixed);
  cudaMemcpy(&most, d_out, sizeof most, cudaMemcpyDeviceToHost);
  printf("largest %d\n", most);
  cudaFree(d_x);
  cudaFree(d_out);
  return 0;
}
