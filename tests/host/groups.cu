// Cooperative groups, 16-bit floats, managed memory, lambdas with launches, occupancy: what must compile and run.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_bf16.h>
#include <cub/cub.cuh>
#include <cuda_fp16.h>
#include <helper_cuda.h>
#include <helper_functions.h>
#include <helper_math.h>

namespace cg = cooperative_groups;

__global__ void tiles(const int* x, int* out) {
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<32>(block);
  int v = cg::reduce(tile, x[block.thread_rank()], cg::plus<int>());
  auto half = cg::tiled_partition<16>(tile);
  int top = cg::reduce(half, (int)block.thread_rank(), cg::greater<int>());
  if (tile.thread_rank() == 0) atomicAdd(&out[0], v);
  if (block.thread_rank() == blockDim.x - 1) out[1] = top;
}

// Sums over tiles of 8; products over the lanes that are not a multiple of 3; differences, whose order shows.
__global__ void scans(int* sums, int* products, float* differences) {
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  int t = threadIdx.x;
  sums[t] = 100 * cg::inclusive_scan(tile, t) + cg::exclusive_scan(tile, t);
  cg::coalesced_group some = cg::binary_partition(cg::tiled_partition<16>(cg::this_thread_block()), t % 3 != 0);
  products[t] = cg::exclusive_scan(some, t, [](int a, int b) { return a * b; });
  differences[t] = cg::inclusive_scan(tile, (float)(1 << t % 8), [](float a, float b) { return a - b; });
}

__global__ void grid_sum(int* x, int n) {
  cg::grid_group grid = cg::this_grid();
  int i = grid.thread_rank();
  for (int d = n / 2; d > 0; d /= 2) {
    if (i < d) x[i] += x[i + d];
    grid.sync();
  }
}

template <int Threads>
__global__ void cub_sums(const int* x, int* out) {
  using Reduce = cub::BlockReduce<int, Threads>;
  using Scan = cub::BlockScan<int, Threads>;
  __shared__ union {
    typename Reduce::TempStorage reduce;
    typename Scan::TempStorage scan;
  } storage;
  int sum = Reduce(storage.reduce).Sum(threadIdx.x + 1);
  __syncthreads();
  int before, all;
  Scan(storage.scan).ExclusiveSum(threadIdx.x + 1, before, all);
  if (threadIdx.x == 0) out[0] = sum == all ? sum : -1;
  if (threadIdx.x == Threads - 1) out[1] = before;
}

__global__ void halves(__half2* out, float4 v) {
  *out = __floats2half2_rn(v.x + v.y, v.z + v.w);
}

int main(int argc, char** argv) {
  findCudaDevice(argc, (const char**)argv);
  int n = 256;
  if (checkCmdLineFlag(argc, (const char**)argv, "n")) n = getCmdLineArgumentInt(argc, (const char**)argv, "n");
  int *x, *out;
  checkCudaErrors(cudaMallocManaged(&x, n * sizeof(int)));
  checkCudaErrors(cudaMallocManaged(&out, 2 * sizeof(int)));
  for (int i = 0; i < n; i++) x[i] = i;
  out[0] = 0;
  [&](int threads) { tiles<<<1, threads>>>(x, out); }(n);
  checkCudaErrors(cudaDeviceSynchronize());
  printf("tiles %d %d\n", out[0], out[1]);
  void* arguments[] = {&x, &n};
  checkCudaErrors(cudaLaunchCooperativeKernel((void*)grid_sum, n / 64, 64, arguments));
  cudaDeviceSynchronize();
  printf("grid %d\n", x[0]);
  cub_sums<100><<<1, 100>>>(x, out);
  cudaDeviceSynchronize();
  printf("cub %d %d\n", out[0], out[1]);
  __half2* h;
  cudaMallocManaged(&h, sizeof(__half2));
  halves<<<1, 1>>>(h, make_float4(1) + make_float4(0.5f, 1, 2, 3));
  cudaDeviceSynchronize();
  printf("halves %g %g\n", __low2float(*h), __high2float(*h));
  int *sums, *products;
  float* differences;
  cudaMallocManaged(&sums, 16 * sizeof(int));
  cudaMallocManaged(&products, 16 * sizeof(int));
  cudaMallocManaged(&differences, 16 * sizeof(float));
  scans<<<1, 16>>>(sums, products, differences);
  cudaDeviceSynchronize();
  printf("scans %d %d %d, %d %d %d", sums[0], sums[8], sums[15], products[1], products[4], products[7]);
  for (int i = 0; i < 4; i++) printf(" %g", differences[i]);
  printf("\n");
  cudaFree(sums);
  cudaFree(products);
  cudaFree(differences);
  cudaFree(x);
  cudaFree(out);
  cudaFree(h);
  return 0;
}
