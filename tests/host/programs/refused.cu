// A launch without the dynamic shared memory that its kernel uses; or with more threads than the kernel's bounds allow.
#include <stdio.h>

__global__ void uses_shared(float* x) {
  extern __shared__ float s[];
  s[threadIdx.x] = 1;  // NO SHARED
  x[threadIdx.x] = s[threadIdx.x];
}

__global__ void __launch_bounds__(64) bounded(float* x) { x[threadIdx.x] = 1; }

int main(int argc, char** argv) {
  float *d_x, h_x[128];
  cudaMalloc(&d_x, sizeof h_x);
  if (argc == 1)
    uses_shared<<<1, 128>>>(d_x);
  else
    bounded<<<1, 128>>>(d_x);  // BOUNDS
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
  cudaMemcpy(h_x, d_x, sizeof h_x, cudaMemcpyDeviceToHost);
  cudaFree(d_x);
  return 0;
}
