// Calls of libraries in a stream that does not wait for the default one.
#include <cublas_v2.h>
#include <thrust/execution_policy.h>
#include <thrust/transform.h>

#include <cstdio>
#include <cub/cub.cuh>

template <class T>
__global__ void cublasOwn(T* x, int n) {
  x[threadIdx.x + n] = 1;  // OWN
}

struct Twice {
  __host__ __device__ float operator()(float x) const { return 2 * x; }
};

int main(int argc, char**) {
  float *d_x, *d_sum, h_sum[2];
  void* storage = nullptr;
  size_t bytes = 0;
  cudaMalloc(&d_x, 1024);
  cudaMalloc(&d_sum, 8);
  cudaMemset(d_x, 0, 1024);
  cudaDeviceSynchronize();
  if (argc > 1) cublasOwn<<<1, 256>>>(d_x, 1);
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cub::DeviceReduce::Sum(storage, bytes, d_x, d_sum, 256, stream);
  cudaMalloc(&storage, bytes);
  cublasHandle_t handle;
  cublasCreate(&handle);
  cublasSetStream(handle, stream);
  cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE);
  cublasOwn<<<1, 256, 0, stream>>>(d_x, 0);
  thrust::transform(thrust::cuda::par.on(stream), d_x, d_x + 256, d_x, Twice());
  cub::DeviceReduce::Sum(storage, bytes, d_x, d_sum, 256, stream);
  cublasSasum(handle, 256, d_x, 1, d_sum + 1);
  cudaMemcpyAsync(h_sum, d_sum, 8, cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  printf("sums %g %g\n", h_sum[0], h_sum[1]);
  cublasDestroy(handle);
  cudaFree(d_x);
  cudaFree(d_sum);
  cudaFree(storage);
}
