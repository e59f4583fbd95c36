// Sums and scans of CUB and Thrust of the numbers of a file, as bits: check_libraries.py compares them with the orders
// `cub` and `thrust` and with the operation cumsum.
#include <cub/cub.cuh>
#include <thrust/device_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>

#include <cstdio>
#include <fstream>
#include <vector>

template <class T>
void sums(const char* file) {
  std::ifstream stream(file, std::ios::binary);
  std::vector<char> bytes(std::istreambuf_iterator<char>(stream), {});
  std::vector<T> h_x(bytes.size() / sizeof(T));
  memcpy(h_x.data(), bytes.data(), bytes.size());
  const int n = (int)h_x.size();
  T *d_x, *d_out, h_sum;
  cudaMalloc(&d_x, (n + 1) * sizeof(T));
  cudaMalloc(&d_out, n * sizeof(T));
  void* d_storage = nullptr;
  size_t storage_bytes = 0;
  cub::DeviceReduce::Sum(d_storage, storage_bytes, d_x, d_out, n);
  cudaMalloc(&d_storage, storage_bytes);
  for (int offset = 0; offset < 2; offset++) {
    cudaMemcpy(d_x + offset, h_x.data(), n * sizeof(T), cudaMemcpyHostToDevice);
    cub::DeviceReduce::Sum(d_storage, storage_bytes, d_x + offset, d_out, n);
    cudaMemcpy(&h_sum, d_out, sizeof(T), cudaMemcpyDeviceToHost);
    printf("cub%d %.17g\n", offset, (double)h_sum);
  }
  cub::DeviceScan::InclusiveSum(d_storage, storage_bytes, d_x + 1, d_out, n);
  std::vector<T> h_scan(n);
  cudaMemcpy(h_scan.data(), d_out, n * sizeof(T), cudaMemcpyDeviceToHost);
  std::ofstream(std::string(file) + ".scan", std::ios::binary).write((const char*)h_scan.data(), n * sizeof(T));
  thrust::device_vector<T> v = h_x;
  printf("thrust %.17g\n", (double)thrust::reduce(v.begin(), v.end()));
  printf("thrust_pointer %.17g\n",
         (double)thrust::reduce(thrust::device, thrust::raw_pointer_cast(v.data()), thrust::raw_pointer_cast(v.data()) + n));
  thrust::inclusive_scan(v.begin(), v.end(), v.begin());
  thrust::host_vector<T> scanned = v;
  printf("scans %s\n", memcmp(scanned.data(), h_scan.data(), n * sizeof(T)) == 0 ? "equal" : "differ");
  cudaFree(d_x);
  cudaFree(d_out);
  cudaFree(d_storage);
}

int main(int, char** argv) {
  sums<float>(argv[1]);
  sums<double>(argv[2]);
}
