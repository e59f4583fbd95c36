// A program with one bug for each value of its argument; 0 has none. check_host.py says what must be found.
#include <cuda_fp16.h>
#include <stdio.h>
#include <stdlib.h>

#include "kernels.cuh"

#define CHECK(call)                                        \
  do {                                                     \
    cudaError_t error = (call);                            \
    if (error != cudaSuccess) {                            \
      printf("error: %s\n", cudaGetErrorString(error));    \
      exit(1);                                             \
    }                                                      \
  } while (0)
#define LAUNCH(kernel, grid, block, ...) kernel<<<grid, block>>>(__VA_ARGS__)

__constant__ float scale[2];
__device__ int launches;

__global__ void fill(float* x, int n, int bug) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n || (bug == 1 && i == n)) x[i] = scale[1];  // BUG 1
  if (i == 0) launches++;
}

// Relies on warps in step, as code from before compute capability 7.0 does.
__global__ void warp_sum(const float* x, float* out) {
  __shared__ volatile float s[64];
  int t = threadIdx.x;
  s[t] = x[t];
  __syncthreads();
  if (t < 32) {
    s[t] += s[t + 32];
    s[t] += s[t + 16];  // STEP
    s[t] += s[t + 8];
    s[t] += s[t + 4];
    s[t] += s[t + 2];
    s[t] += s[t + 1];
  }
  if (t == 0) *out = s[0];
}

int main(int argc, char** argv) {
  const int bug = atoi(argv[1]);
  const int n = 1000;
  float *d_x, *d_out, h_out = -1;
  float h_scale[2] = {0, 0.5f};
  CHECK(cudaMalloc((void**)&d_x, n * sizeof(float)));
  CHECK(cudaMalloc(&d_out, sizeof(float)));
  CHECK(cudaMemcpyToSymbol(scale, h_scale, sizeof h_scale));
  if (bug != 2) CHECK(cudaMemset(d_out, 0, sizeof(float)));
  dim3 blockDim(128), gridDim((n + 127) / 128);
  if (bug == 7) blockDim.x = 2048;
  LAUNCH(fill, gridDim, blockDim, d_x, n, bug);
  if (bug == 3) cudaFree(d_x);
  sum<float><<<4, 64, 64 * sizeof(float)>>>(d_x, d_out, n);
  if (bug == 5) h_out = *d_out;  // BUG 5
  if (bug == 8) warp_sum<<<1, 64>>>(d_x, d_out);
  CHECK(cudaMemcpy(&h_out, d_out, (bug == 4 ? 2 : 1) * sizeof(float), cudaMemcpyDeviceToHost));  // BUG 4
  int count;
  CHECK(cudaMemcpyFromSymbol(&count, launches, sizeof(int)));
  printf("sum %g, %d launch\n", h_out, count);
  if (bug != 6) cudaFree(d_x);
  cudaFree(d_out);
  return bug == 9 ? 5 : 0;
}
