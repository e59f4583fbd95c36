// A histogram in shared memory. Bug: threads count without atomics.
#include <stdio.h>

__global__ void count_letters(const unsigned char* text, int n, unsigned* counts, bool fixed) {
  __shared__ unsigned own[26];
  if (threadIdx.x < 26) own[threadIdx.x] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    if (fixed)
      atomicAdd(&own[text[i] - 'a'], 1u);
    else
      own[text[i] - 'a']++;  // BUG
  }
  __syncthreads();
  if (threadIdx.x < 26) atomicAdd(&counts[threadIdx.x], own[threadIdx.x]);
}

int main(int argc, char** argv) {
  const bool fixed = argc > 1;
  const int n = 500;
  unsigned char h_text[n], *d_text;
  unsigned h_counts[26], *d_counts;
  for (int i = 0; i < n; i++) h_text[i] = 'a' + i * i % 26;
  cudaMalloc(&d_text, n);
  cudaMalloc(&d_counts, sizeof h_counts);
  cudaMemcpy(d_text, h_text, n, cudaMemcpyHostToDevice);
  cudaMemset(d_counts, 0, sizeof h_counts);
  count_letters<<<4, 128>>>(d_text, n, d_counts, fixed);
  cudaMemcpy(h_counts, d_counts, sizeof h_counts, cudaMemcpyDeviceToHost);
  printf("a: %u\n", h_counts[0]);
  cudaFree(d_text);
  cudaFree(d_counts);
  return 0;
}
