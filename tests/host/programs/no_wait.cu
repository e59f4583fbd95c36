// The host reads what a kernel is still writing: managed memory, pinned memory behind an asynchronous copy.
#include <stdio.h>

#include <string>

__global__ void square(float* x) { x[threadIdx.x] *= x[threadIdx.x]; }

__global__ void count_up(int* counts) {
  atomicAdd_system(&counts[0], 1);
  atomicMax_system(&counts[1], threadIdx.x);
}

int greatest(int* cell, int value) {
  int old, expected;
  do {
    expected = *cell;
    old = __sync_val_compare_and_swap(cell, expected, expected > value ? expected : value);
  } while (old != expected);
  return old;
}

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
  int* counts;
  cudaMallocManaged(&counts, 2 * sizeof(int));
  counts[0] = counts[1] = 0;
  count_up<<<1, 32, 0, stream>>>(counts);
  if (bug == "atomic") printf("counts %d\n", counts[0]);  // ATOMIC
  __sync_fetch_and_add(&counts[0], 10);
  greatest(&counts[1], 100);
  cudaStreamSynchronize(stream);
  printf("counts %d %d\n", counts[0], counts[1]);
  cudaFree(counts);
  cudaStreamDestroy(stream);
  cudaFree(x);
  cudaFreeHost(pinned);
  return 0;
}
