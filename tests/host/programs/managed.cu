// Variables of host and device, memory of the host that is registered, kernels that launch kernels.
#include <stdio.h>
#include <stdlib.h>

__managed__ int counter = 5;
__device__ __managed__ float table[4] = {1, 2, 3, 4};

__global__ void leaf(int* out, int value) { atomicAdd(out, value + counter); }

__global__ void tree(int* out, int depth, bool waits) {
  atomicAdd(out, 1);
  if (threadIdx.x == 0 && depth > 0) {
    tree<<<1, 2>>>(out, depth - 1, waits);
    leaf<<<2, 3>>>(out, 10);
    if (waits) cudaDeviceSynchronize();  // WAITS
  }
}

__global__ void use_table(float* x) {
  x[threadIdx.x] += table[threadIdx.x];
  if (threadIdx.x == 0) counter = 7;
}

int main(int argc, char** argv) {
  float* h_x = (float*)malloc(4 * sizeof(float));
  float* d_x;
  for (int i = 0; i < 4; i++) h_x[i] = 10 * i;
  cudaHostRegister(h_x, 4 * sizeof(float), cudaHostRegisterMapped);
  cudaHostGetDevicePointer(&d_x, h_x, 0);
  table[2] = 100;
  use_table<<<1, 4>>>(d_x);
  cudaDeviceSynchronize();
  printf("registered %g %g %g %g, counter %d\n", h_x[0], h_x[1], h_x[2], h_x[3], counter);
  cudaHostUnregister(h_x);
  int *d_out, h_out = 0;
  cudaMalloc(&d_out, sizeof(int));
  cudaMemcpy(d_out, &h_out, sizeof(int), cudaMemcpyHostToDevice);
  tree<<<1, 2>>>(d_out, 2, argc > 1);
  cudaMemcpy(&h_out, d_out, sizeof(int), cudaMemcpyDeviceToHost);
  printf("tree %d\n", h_out);
  cudaFree(d_out);
  free(h_x);
  return 0;
}
