// The host reads what a kernel is still writing: managed memory, pinned memory behind an asynchronous copy.
#include <stdio.h>

#include <string>

__global__ void square(float* x) { x[threadIdx.x] *= x[threadIdx.x]; }

int main(int argc, char** argv) {
  const std::string bug = argv[1];
  float *x, *pinned;
  cudaMallocManaged(&x, 32 * sizeof(float));
  cudaMallocHost(&pinned, 32 * sizeof(float));
  for (int i = 0; i < 32; i++) x[i] = i;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  square<<<1, 32, 0, stream>>>(x);
  if (bug != "managed") cudaStreamSynchronize(stream);
  printf("managed %g\n", x[5]);  // MANAGED
  cudaMemcpyAsync(pinned, x, 32 * sizeof(float), cudaMemcpyDefault, stream);
  if (bug != "pinned") cudaStreamSynchronize(stream);
  printf("pinned %g\n", pinned[3]);  // PINNED
  cudaStreamDestroy(stream);
  cudaFree(x);
  cudaFreeHost(pinned);
  return 0;
}
