// Values that a thread keeps in as many registers as there are while others run.
#include <cstdio>

__global__ void keep(const double* x, double* out) {
  double own[24];
#pragma GCC unroll 24
  for (int i = 0; i < 24; i++) own[i] = x[i] + threadIdx.x;
#pragma GCC unroll 4
  for (int turn = 0; turn < 4; turn++) {
    __syncthreads();
#pragma GCC unroll 24
    for (int i = 0; i < 24; i++) own[i] = own[i] * 2 + threadIdx.x;
  }
  double sum = 0;
#pragma GCC unroll 24
  for (int i = 0; i < 24; i++) sum += own[i];
  out[threadIdx.x] = sum;
}

int main() {
  double h_x[24], h_out[64], *d_x, *d_out;
  for (int i = 0; i < 24; i++) h_x[i] = i;
  cudaMalloc(&d_x, sizeof h_x);
  cudaMalloc(&d_out, sizeof h_out);
  cudaMemcpy(d_x, h_x, sizeof h_x, cudaMemcpyHostToDevice);
  keep<<<1, 64>>>(d_x, d_out);
  cudaMemcpy(h_out, d_out, sizeof h_out, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int t = 0; t < 64; t++) wrong += h_out[t] != 16 * (276 + 24 * t) + 15 * 24 * t;
  printf("wrong %d\n", wrong);
  cudaFree(d_x);
  cudaFree(d_out);
}
