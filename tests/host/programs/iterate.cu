// Steps that swap two arrays. Bug: the array that was swapped away is freed, and the last step uses it.
#include <stdio.h>

__global__ void step(const float* from, float* to) {
  to[threadIdx.x] = from[threadIdx.x] / 2 + 1;  // STEP
}

int main(int argc, char** argv) {
  const bool fixed = argc > 1;
  float h[64], *d_a, *d_b;
  for (int i = 0; i < 64; i++) h[i] = i;
  cudaMalloc(&d_a, sizeof h);
  cudaMalloc(&d_b, sizeof h);
  cudaMemcpy(d_a, h, sizeof h, cudaMemcpyHostToDevice);
  for (int k = 0; k < 4; k++) {
    step<<<1, 64>>>(d_a, d_b);
    float* d_c = d_a;
    d_a = d_b;
    d_b = d_c;
    if (k == 2 && !fixed) cudaFree(d_b);
  }
  cudaMemcpy(h, d_a, sizeof h, cudaMemcpyDeviceToHost);
  printf("last %g\n", h[63]);
  cudaFree(d_a);
  cudaFree(d_b);
  return 0;
}
