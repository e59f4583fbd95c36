// Two GPUs: a kernel of one reads an array of the other.
#include <stdio.h>

#include <string>

__global__ void twice(const float* from, float* to) {
  to[threadIdx.x] = 2 * from[threadIdx.x];  // READ
 }

int main(int argc, char** argv) {
  const std::string kind = argc > 1 ? argv[1] : "";
  int count, can;
  cudaGetDeviceCount(&count);
  printf("%d GPUs\n", count);
  if (count < 2) return 4;
  float *d_from, *d_to, h[32];
  for (int i = 0; i < 32; i++) h[i] = i;
  cudaMalloc(&d_from, sizeof h);
  cudaMemcpy(d_from, h, sizeof h, cudaMemcpyHostToDevice);
  cudaSetDevice(1);
  cudaMalloc(&d_to, sizeof h);
  if (kind == "copies") {
    float* d_copy;
    cudaMalloc(&d_copy, sizeof h);
    cudaMemcpyPeer(d_copy, 1, d_from, 0, sizeof h);
    twice<<<1, 32>>>(d_copy, d_to);
    cudaFree(d_copy);
  } else {
    cudaDeviceCanAccessPeer(&can, 1, 0);
    if (kind != "no_access" && can) printf("peer %d", cudaDeviceEnablePeerAccess(0, 0));
    if (kind == "twice") printf(" %s\n", cudaGetErrorName(cudaDeviceEnablePeerAccess(0, 0)));
    twice<<<1, 32>>>(d_from, d_to);
  }
  cudaMemcpy(h, d_to, sizeof h, cudaMemcpyDeviceToHost);
  printf("last %g, %s\n", h[31], cudaGetErrorString(cudaSetDevice(2)));
  if (kind == "stream") {
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaSetDevice(0);
    twice<<<1, 32, 0, stream>>>(d_from, d_from);  // STREAM
  }
  cudaFree(d_from);
  cudaFree(d_to);
  return 0;
}
