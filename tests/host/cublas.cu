// What cuBLAS's functions give, on numbers that no order rounds.
#include <cublasLt.h>
#include <cublas_v2.h>

#include <cstdio>
#include <vector>

template <class T>
void show(const char* name, const T* d, int n) {
  std::vector<T> h(n);
  cublasGetVector(n, sizeof(T), d, 1, h.data(), 1);
  printf("%s", name);
  for (T x : h) printf(" %g", (double)(float)x);
  printf("\n");
}

int main(int argc, char**) {
  const int m = 3, n = 2, k = 4;
  std::vector<float> a(m * k), b(k * n), c(m * n, 1);
  for (int i = 0; i < m * k; i++) a[i] = i;
  for (int i = 0; i < k * n; i++) b[i] = 0.5f * i - 1;
  float *d_a, *d_b, *d_c, *d_r;
  cudaMalloc(&d_a, 64);
  cudaMalloc(&d_b, 64);
  cudaMalloc(&d_c, 64);
  cudaMalloc(&d_r, 64);
  cublasSetMatrix(m, k, sizeof(float), a.data(), m, d_a, m);
  cublasSetMatrix(k, n, sizeof(float), b.data(), k, d_b, k);
  cublasSetMatrix(m, n, sizeof(float), c.data(), m, d_c, m);
  cublasHandle_t handle;
  cublasCreate(&handle);
  float alpha = 2, beta = -1;
  cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &alpha, d_a, m, d_b, k, &beta, d_c, m);
  show("gemm", d_c, m * n);
  beta = 0;
  cublasSgemm(handle, CUBLAS_OP_T, CUBLAS_OP_T, m, n, k, &alpha, d_a, k, d_b, n, &beta, d_r, m);
  show("transposed", d_r, m * n);
  cublasSgemv(handle, CUBLAS_OP_T, m, k, &alpha, d_a, m, d_b, 1, &beta, d_r, 1);
  show("gemv", d_r, k);
  float r[3];
  int place;
  cublasSdot(handle, 8, d_b, 1, d_a, 1, &r[0]);
  cublasSnrm2(handle, 2, d_b + 2, 3, &r[1]);
  cublasSasum(handle, 4, d_b, 2, &r[2]);
  cublasIsamax(handle, 8, d_b, 1, &place);
  printf("numbers %g %g %g %d\n", r[0], r[1], r[2], place);
  cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE);
  cublasSdot(handle, 8, d_b, 1, d_a, 1, d_r + 15);
  cublasSscal(handle, 2, d_r + 15, d_a, 2);
  cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST);
  show("scaled", d_a, 4);
  cublasSaxpy(handle, 3, &alpha, d_b, -1, d_a, 1);
  show("axpy", d_a, 4);
  __half h_half[4] = {1.0f, 2.0f, 3.0f, 4.0f}, one = 1.0f, zero = 0.0f, *d_half;
  cudaMalloc(&d_half, 2 * sizeof h_half);
  cudaMemcpy(d_half, h_half, sizeof h_half, cudaMemcpyHostToDevice);
  cublasHgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, d_half, 2, d_half, 2, &zero, d_half + 4, 2);
  show("half", d_half + 4, 4);
  cublasLtHandle_t light;
  cublasLtCreate(&light);
  cublasLtMatmulDesc_t product;
  cublasLtMatmulDescCreate(&product, CUBLAS_COMPUTE_32F, CUDA_R_32F);
  const cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_RELU_BIAS;
  cublasLtMatmulDescSetAttribute(product, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue, sizeof epilogue);
  const float* d_bias = d_b + 6;
  cublasLtMatmulDescSetAttribute(product, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &d_bias, sizeof d_bias);
  cublasLtMatrixLayout_t square;
  cublasLtMatrixLayoutCreate(&square, CUDA_R_32F, 2, 2, 2);
  cublasLtMatmul(light, product, &alpha, d_b, square, d_b + 2, square, &beta, d_c, square, d_c, square, nullptr, nullptr, 0, 0);
  show("relu", d_c, 4);
  cublasLtMatrixLayoutDestroy(square);
  cublasLtMatmulDescDestroy(product);
  cublasLtDestroy(light);
  cublasDestroy(handle);
  if (argc > 1) {
    cublasCreate(&handle);
    cublasSasum(handle, 17, d_b, 1, &r[0]);  // BUG
  }
  for (void* p : {(void*)d_a, (void*)d_b, (void*)d_c, (void*)d_r, (void*)d_half}) cudaFree(p);
}
