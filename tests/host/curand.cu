// Random numbers of both generators: check_libraries.py knows what cuRAND gives.
#include <curand.h>
#include <curand_kernel.h>

#include <cstdio>
#include <vector>

__global__ void draw(float* uniform, unsigned* bits, double* moments, int n) {
  curandState state;
  curand_init(1234, threadIdx.x, 0, &state);
  if (threadIdx.x < n) uniform[threadIdx.x] = curand_uniform(&state);
  curandState ahead;
  curand_init(1234, threadIdx.x, 1, &ahead);
  if (threadIdx.x == 0) bits[8] = curand(&state) == curand(&ahead);
  curandStatePhilox4_32_10_t philox;
  curand_init(0, 0, threadIdx.x, &philox);
  if (threadIdx.x < 8) bits[threadIdx.x] = curand(&philox);
  for (int i = 0; i < 1000; i++) {
    const float x = curand_normal(&state);
    const double y = curand_normal_double(&philox);
    moments[2 * threadIdx.x] += x + y;
    moments[2 * threadIdx.x + 1] += x * x + y * y;
  }
}

int main() {
  const int n = 10;
  float *d_uniform, h_uniform[n];
  unsigned *d_bits, h_bits[9];
  double* d_moments;
  cudaMalloc(&d_uniform, sizeof h_uniform);
  cudaMalloc(&d_bits, sizeof h_bits);
  cudaMallocManaged(&d_moments, 64 * sizeof(double));
  for (int i = 0; i < 64; i++) d_moments[i] = 0;
  curandGenerator_t generator;
  curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT);
  curandSetPseudoRandomGeneratorSeed(generator, 1234ULL);
  curandGenerateUniform(generator, d_uniform, n);
  cudaMemcpy(h_uniform, d_uniform, sizeof h_uniform, cudaMemcpyDeviceToHost);
  printf("host");
  for (float x : h_uniform) printf(" %.4f", x);
  std::vector<float> normal(20000);
  curandGenerator_t other;
  curandCreateGeneratorHost(&other, CURAND_RNG_PSEUDO_PHILOX4_32_10);
  curandGenerateNormal(other, normal.data(), normal.size(), 3, 2);
  double mean = 0;
  for (float x : normal) mean += x / normal.size();
  printf("\nmean %.1f\n", mean);
  draw<<<1, 32>>>(d_uniform, d_bits, d_moments, n);
  cudaMemcpy(h_uniform, d_uniform, sizeof h_uniform, cudaMemcpyDeviceToHost);
  cudaMemcpy(h_bits, d_bits, sizeof h_bits, cudaMemcpyDeviceToHost);
  printf("kernel");
  for (float x : h_uniform) printf(" %.4f", x);
  printf("\nphilox");
  for (int i = 0; i < 8; i++) printf(" %08x", h_bits[i]);
  double sum = 0, squares = 0;
  for (int i = 0; i < 32; i++) sum += d_moments[2 * i], squares += d_moments[2 * i + 1];
  printf("\nahead %u\nmoments %.1f %.1f\n", h_bits[8], 1 + sum / 64000, squares / 64000);
  curandDestroyGenerator(generator);
  curandDestroyGenerator(other);
  cudaFree(d_uniform);
  cudaFree(d_bits);
  cudaFree(d_moments);
}
