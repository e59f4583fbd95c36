// Work in rounds. Bug: each round allocates an array, and only the last is freed.
#include <stdio.h>

__global__ void fill(int* x, int value) { x[threadIdx.x] = value; }

int main(int argc, char** argv) {
  const bool fixed = argc > 1;
  int h[32], *d_x = 0;
  for (int round = 0; round < 3; round++) {
    cudaMalloc(&d_x, sizeof h);  // BUG
    fill<<<1, 32>>>(d_x, round);
    cudaMemcpy(h, d_x, sizeof h, cudaMemcpyDeviceToHost);
    if (round < 2 && fixed) cudaFree(d_x);
  }
  printf("%d\n", h[0]);
  cudaFree(d_x);
  return 0;
}
