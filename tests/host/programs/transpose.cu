// Transposes tiles in shared memory. Bug: rows are counted from 1.
#include <stdio.h>

const int TILE = 16;

__global__ void transpose(const int* from, int* to, int n, bool fixed) {
  __shared__ int tile[TILE][TILE + 1];
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  int row = fixed ? threadIdx.y : threadIdx.y + 1;
  tile[row][threadIdx.x] = from[y * n + x];  // BUG
  __syncthreads();
  x = blockIdx.y * TILE + threadIdx.x;
  y = blockIdx.x * TILE + threadIdx.y;
  to[y * n + x] = tile[threadIdx.x][threadIdx.y];
}

int main(int argc, char** argv) {
  const bool fixed = argc > 1;
  const int n = 32;
  static int h[n * n];
  int *d_from, *d_to;
  for (int i = 0; i < n * n; i++) h[i] = i;
  cudaMalloc(&d_from, sizeof h);
  cudaMalloc(&d_to, sizeof h);
  cudaMemcpy(d_from, h, sizeof h, cudaMemcpyHostToDevice);
  transpose<<<dim3(2, 2), dim3(TILE, TILE)>>>(d_from, d_to, n, fixed);
  cudaMemcpy(h, d_to, sizeof h, cudaMemcpyDeviceToHost);
  printf("second row %d %d\n", h[n], h[n + 1]);
  cudaFree(d_from);
  cudaFree(d_to);
  return 0;
}
