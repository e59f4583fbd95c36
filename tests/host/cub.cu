// What CUB's functions of warps, thread blocks and the device give.
#include <cub/cub.cuh>

#include <cstdio>
#include <vector>

struct pair {
  double a, b;
};
struct add_pairs {
  __host__ __device__ pair operator()(const pair& x, const pair& y) const { return {x.a + y.a, x.b + y.b}; }
};

__global__ void blocks(const int* in, int* out, double* sums) {
  using Load = cub::BlockLoad<int, 64, 4>;
  using Scan = cub::BlockScan<int, 64>;
  using Sort = cub::BlockRadixSort<int, 64, 4>;
  using Store = cub::BlockStore<int, 64, 4>;
  using Pairs = cub::BlockReduce<pair, 64>;
  using Warp = cub::WarpScan<int>;
  __shared__ union {
    Load::TempStorage load;
    Scan::TempStorage scan;
    Sort::TempStorage sort;
    Store::TempStorage store;
    Pairs::TempStorage pairs;
    Warp::TempStorage warps[2];
  } storage;
  int items[4];
  Load(storage.load).Load(in, items);
  __syncthreads();
  Sort(storage.sort).SortDescending(items);
  __syncthreads();
  Scan(storage.scan).InclusiveSum(items, items);
  __syncthreads();
  Store(storage.store).Store(out, items);
  __syncthreads();
  const pair sum = Pairs(storage.pairs).Reduce(pair{1.0 * threadIdx.x, 0.5}, add_pairs());
  if (threadIdx.x == 0) sums[0] = sum.a, sums[1] = sum.b;
  __syncthreads();
  int before, all;
  Warp(storage.warps[threadIdx.x / 32]).ExclusiveSum(threadIdx.x, before, all);
  if (threadIdx.x == 63) out[256] = before, out[257] = all;
}

struct below {
  int limit;
  __device__ bool operator()(int x) const { return x < limit; }
};

template <class F>
void twice(F f) {
  void* storage = nullptr;
  size_t bytes = 0;
  f(storage, bytes);
  cudaMalloc(&storage, bytes);
  f(storage, bytes);
  cudaFree(storage);
}

void show(const char* name, const int* d, int n) {
  std::vector<int> h(n);
  cudaMemcpy(h.data(), d, n * sizeof(int), cudaMemcpyDeviceToHost);
  printf("%s", name);
  for (int x : h) printf(" %d", x);
  printf("\n");
}

int main() {
  const int n = 8;
  const int h_x[n] = {5, -2, 9, 5, 0, 7, -2, 3};
  int *d_x, *d_out, *d_count, *d_values;
  cudaMalloc(&d_x, 300 * sizeof(int));
  cudaMalloc(&d_out, 300 * sizeof(int));
  cudaMalloc(&d_count, sizeof(int));
  cudaMalloc(&d_values, 300 * sizeof(int));
  cudaMemcpy(d_x, h_x, sizeof h_x, cudaMemcpyHostToDevice);
  twice([&](void* s, size_t& b) { cub::DeviceReduce::Min(s, b, d_x, d_out, n); });
  show("min", d_out, 1);
  cub::KeyValuePair<int, int>*d_place, h_place;
  cudaMalloc(&d_place, sizeof h_place);
  twice([&](void* s, size_t& b) { cub::DeviceReduce::ArgMax(s, b, d_x, d_place, n); });
  cudaMemcpy(&h_place, d_place, sizeof h_place, cudaMemcpyDeviceToHost);
  printf("argmax %d %d\n", h_place.key, h_place.value);
  twice([&](void* s, size_t& b) { cub::DeviceScan::ExclusiveSum(s, b, d_x, d_out, n); });
  show("scan", d_out, n);
  twice([&](void* s, size_t& b) { cub::DeviceRadixSort::SortKeys(s, b, d_x, d_out, n); });
  show("sorted", d_out, n);
  cub::CountingInputIterator<int> places(0);
  std::vector<int> h_places = {0, 1, 2, 3, 4, 5, 6, 7};
  cudaMemcpy(d_values, h_places.data(), sizeof h_x, cudaMemcpyHostToDevice);
  twice([&](void* s, size_t& b) {
    cub::DeviceRadixSort::SortPairsDescending(s, b, d_x, d_out, d_values, d_out + n, n);
  });
  show("descending", d_out, 2 * n);
  twice([&](void* s, size_t& b) { cub::DeviceSelect::If(s, b, d_x, d_out, d_count, n, below{4}); });
  show("below", d_out, 4);
  show("count", d_count, 1);
  twice([&](void* s, size_t& b) { cub::DeviceHistogram::HistogramEven(s, b, d_x, d_out, 4, 0, 9, n); });
  show("histogram", d_out, 3);
  const int h_ends[] = {0, 3, 3, 8};
  cudaMemcpy(d_values, h_ends, sizeof h_ends, cudaMemcpyHostToDevice);
  twice([&](void* s, size_t& b) { cub::DeviceSegmentedReduce::Sum(s, b, d_x, d_out, 3, d_values, d_values + 1); });
  show("segments", d_out, 3);
  std::vector<int> h_items(256);
  for (int i = 0; i < 256; i++) h_items[i] = i * 37 % 256;
  cudaMemcpy(d_x, h_items.data(), 1024, cudaMemcpyHostToDevice);
  double *d_sums, h_sums[2];
  cudaMalloc(&d_sums, sizeof h_sums);
  blocks<<<1, 64>>>(d_x, d_out, d_sums);
  show("block", d_out, 3);
  show("all", d_out + 255, 3);
  cudaMemcpy(h_sums, d_sums, sizeof h_sums, cudaMemcpyDeviceToHost);
  printf("pairs %g %g\n", h_sums[0], h_sums[1]);
  for (void* p : {(void*)d_x, (void*)d_out, (void*)d_count, (void*)d_values, (void*)d_place, (void*)d_sums}) cudaFree(p);
}
