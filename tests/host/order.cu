// Work of several streams that shares memory or seems to, pointers to functions, and wrong calls of the host.
#include <cstdio>
#include <cstring>
#include <thread>

typedef int (*Function)(int);
static __device__ int twice(int x) { return 2 * x; }
__device__ int thrice(int x) { return 3 * x; }
__device__ Function table[2] = {twice, thrice};

// Names of instructions and registers.
static int rep = 2, cl = 3;
static __device__ int al;
extern "C" __global__ void add(int* x, int shift) {
  x[blockIdx.x] += 1 << shift;
  if (blockIdx.x == 99) al = x[0];
}

__global__ void fill(int* x, int n, int first, int step) {
  const int i = first + step * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) x[i] = 1;
}
__global__ void count(int* x) { atomicAdd(x, 1); }
__global__ void equal(int* x) { atomicAdd(x, table[0] == twice && table[1] == thrice && table[0](3) == 6); }
__global__ void child(int* x, int i) { x[i] = 1; }  // CHILD
__global__ void parent(int* x, int i) {
  if (blockIdx.x == 99) child<<<1, 1>>>(x, i);
}
__global__ void spin(long long clocks) {
  const long long start = clock64();
  while (clock64() - start < clocks) {
  }
}

int main(int argc, char** argv) {
  const int n = 100000;
  int *d_x, *pinned, value = 0;
  cudaMalloc(&d_x, n * sizeof(int));
  cudaMallocHost(&pinned, 400);
  cudaMemset(d_x, 0, n * sizeof(int));
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  const auto is = [&](const char* kind) { return argc > 1 && strcmp(argv[1], kind) == 0; };
  if (is("between")) {
    fill<<<1, 32, 0, first>>>(d_x, 64, 0, 2);
    fill<<<1, 32, 0, second>>>(d_x, 64, 1, 2);
  }
  if (is("parts")) {
    fill<<<20, 128, 0, first>>>(d_x, n, 0, 2);
    fill<<<20, 128, 0, second>>>(d_x, n, 1, 2);  // PARTS
  }
  if (is("count")) {
    count<<<1, 32, 0, first>>>(d_x);
    count<<<1, 32, 0, second>>>(d_x);
  }
  if (is("read")) {
    count<<<1, 32, 0, first>>>(d_x);
    cudaMemcpyAsync(pinned, d_x, 4, cudaMemcpyDeviceToHost, second);  // READ
  }
  if (is("functions")) equal<<<100, 1>>>(d_x);
  if (is("names")) {
    rep += argc;
    cl += argc;
    add<<<100, 1>>>(d_x, cl);
    printf("rep %d\n", rep);
  }
  if (is("child")) parent<<<100, 1>>>(d_x, n);
  if (is("spin")) spin<<<2, 1>>>(1000);
  if (is("freed")) {
    cudaFreeHost(pinned);
    cudaMemcpy(d_x, pinned, 400, cudaMemcpyHostToDevice);  // FREED
  }
  if (is("longer")) cudaMemcpy(d_x, pinned, 404, cudaMemcpyHostToDevice);  // LONGER
  if (is("registered")) {
    static char memory[300];
    cudaHostRegister(memory + 100, 100, 0);
    cudaHostRegister(memory, 300, 0);  // REGISTERED
  }
  if (is("thread")) {
    std::thread([] { cudaSetDevice(7); }).join();
    printf("last %s\n", cudaGetErrorString(cudaGetLastError()));
  }
  cudaDeviceSynchronize();
  cudaMemcpy(&value, d_x, sizeof(int), cudaMemcpyDeviceToHost);
  printf("value %d\n", value);
  cudaFree(d_x);
}
