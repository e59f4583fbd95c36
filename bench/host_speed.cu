// Kernels of the usual kinds, each timed: what bench/host_speed.py runs under `orderlab host`.
#include <cstdio>
#include <cstdlib>
#include <ctime>

__global__ void elementwise(const float* x, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2.0f * x[i] + 1.0f;
}

__global__ void row_product(const float* x, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 256; k++) sum += x[k] * x[(i + k) % n];
  if (i < n) out[i] = sum;
}

__global__ void tree(const float* x, float* out, int n) {
  extern __shared__ float s[];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? x[i] : 0;
  __syncthreads();
  for (int d = blockDim.x / 2; d > 0; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}

__global__ void shuffles(const float* x, float* out, int n) {
  __shared__ float s[32];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  float v = i < n ? x[i] : 0;
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xFFFFFFFF, v, d);
  if (t % 32 == 0) s[t / 32] = v;
  __syncthreads();
  if (t >= 32) return;
  v = t < blockDim.x / 32 ? s[t] : 0;
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xFFFFFFFF, v, d);
  if (t == 0) out[blockIdx.x] = v;
}

__global__ void atomics(const float* x, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(out, x[i]);
}

__global__ void tiles(const float* a, const float* b, float* c, int n) {
  __shared__ float s_a[16][16], s_b[16][16];
  int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += 16) {
    s_a[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x];
    s_b[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + column];
    __syncthreads();
    for (int j = 0; j < 16; j++) sum += s_a[threadIdx.y][j] * s_b[j][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

template <class Launch>
void timed(const char* name, double threads, Launch launch) {
  double best = 0;
  for (int run = 0; run < 3; run++) {
    const clock_t start = clock();  // of the processors: machines are shared
    launch();
    double rate = threads * CLOCKS_PER_SEC / (clock() - start);
    if (rate > best) best = rate;
  }
  printf("%s %.4g\n", name, best);
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 1 << 20, side = 256, launches = 2000;
  float *x, *out;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  float* h_x = new float[n];
  for (int i = 0; i < n; i++) h_x[i] = 1.0f / (1 + i % 1000);
  cudaMemcpy(x, h_x, n * sizeof(float), cudaMemcpyHostToDevice);
  timed("elementwise", n, [&] { elementwise<<<n / 256, 256>>>(x, out, n); });
  timed("row_product", n / 16, [&] { row_product<<<n / 256 / 16, 256>>>(x, out, n); });
  timed("tree_256", n, [&] { tree<<<n / 256, 256, 256 * sizeof(float)>>>(x, out, n); });
  timed("tree_1024", n, [&] { tree<<<n / 1024, 1024, 1024 * sizeof(float)>>>(x, out, n); });
  timed("shuffles", n, [&] { shuffles<<<n / 256, 256>>>(x, out, n); });
  timed("atomics", n / 4, [&] {
    cudaMemset(out, 0, sizeof(float));
    atomics<<<n / 256 / 4, 256>>>(x, out, n);
  });
  timed("tiles", side * side, [&] { tiles<<<dim3(side / 16, side / 16), dim3(16, 16)>>>(x, x, out, side); });
  timed("launches", launches, [&] {
    for (int i = 0; i < launches; i++) elementwise<<<1, 32>>>(x, out, n);
  });
  cudaFree(x);
  cudaFree(out);
  delete[] h_x;
}
