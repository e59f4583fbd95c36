// Two streams that share an array. Order 1: an event between them, 2: the default stream, 3: a wait of the host, 0: none.
#include <stdio.h>
#include <stdlib.h>

__global__ void fill(float* x, int n, float value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = value;
}

__global__ void add_up(const float* x, int n, float* out) {
  float sum = 0;
  for (int i = 0; i < n; i++) sum += x[i];
  *out = sum;
}

int main(int argc, char** argv) {
  const int order = atoi(argv[1]);
  const int n = 256;
  float *d_x, *d_out, *h_out;
  cudaMalloc(&d_x, n * sizeof(float));
  cudaMalloc(&d_out, sizeof(float));
  cudaMallocHost(&h_out, sizeof(float));
  cudaMemset(d_x, 0, n * sizeof(float));
  cudaDeviceSynchronize();
  cudaStream_t a, b;
  cudaStreamCreate(&a);
  cudaStreamCreate(&b);
  cudaEvent_t filled;
  cudaEventCreate(&filled);
  fill<<<1, n, 0, a>>>(d_x, n, 1.0f);
  if (order == 1) {
    cudaEventRecord(filled, a);
    cudaStreamWaitEvent(b, filled, 0);
  }
  if (order == 2) fill<<<1, n>>>(d_x, n, 2.0f);
  if (order == 3) cudaStreamSynchronize(a);
  add_up<<<1, 1, 0, b>>>(d_x, n, d_out);  // BUG
  cudaMemcpyAsync(h_out, d_out, sizeof(float), cudaMemcpyDeviceToHost, b);
  cudaStreamSynchronize(b);
  printf("sum %g\n", *h_out);
  cudaDeviceSynchronize();
  cudaEventDestroy(filled);
  cudaStreamDestroy(a);
  cudaStreamDestroy(b);
  cudaFree(d_x);
  cudaFree(d_out);
  cudaFreeHost(h_out);
  return 0;
}
