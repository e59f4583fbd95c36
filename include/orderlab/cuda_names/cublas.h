// The old interface of cuBLAS, without handles: factors by value, results returned, orders as in cublas_v2.h.
#pragma once

#include "cublas_v2.h"

// NOLINTBEGIN(readability-identifier-naming): the names are cuBLAS's
#define ORDERLAB_WHERE const std::source_location& where = std::source_location::current()
typedef cublasStatus_t cublasStatus;
inline cublasStatus_t orderlab_last_cublas_status = CUBLAS_STATUS_SUCCESS;
inline cublasHandle_t orderlab_cublas_handle() {
  static cublasContext context;
  return &context;
}
inline cublasOperation_t orderlab_cublas_operation(char c) { return c == 'n' || c == 'N' ? CUBLAS_OP_N : CUBLAS_OP_T; }
inline cublasStatus_t cublasInit() { return CUBLAS_STATUS_SUCCESS; }
inline cublasStatus_t cublasShutdown() { return CUBLAS_STATUS_SUCCESS; }
inline cublasStatus_t cublasGetError() { return std::exchange(orderlab_last_cublas_status, CUBLAS_STATUS_SUCCESS); }
template <class T>
cublasStatus_t cublasAlloc(int n, int bytes, T** pointer, ORDERLAB_WHERE) {
  return cudaMalloc(pointer, static_cast<std::size_t>(n) * static_cast<std::size_t>(bytes), where) == cudaSuccess
             ? CUBLAS_STATUS_SUCCESS
             : CUBLAS_STATUS_ALLOC_FAILED;
}
inline cublasStatus_t cublasFree(const void* pointer, ORDERLAB_WHERE) {
  cudaFree(pointer, where);
  return CUBLAS_STATUS_SUCCESS;
}
#define ORDERLAB_OLD_BLAS(P, I, T)                                                                                     \
  inline void cublas##P##gemm(char ta, char tb, int m, int n, int k, T alpha, const T* a, int lda, const T* b,         \
                              int ldb, T beta, T* c, int ldc, ORDERLAB_WHERE) {                                        \
    orderlab_last_cublas_status =                                                                                      \
        cublas##P##gemm(orderlab_cublas_handle(), orderlab_cublas_operation(ta), orderlab_cublas_operation(tb), m, n,  \
                        k, &alpha, a, lda, b, ldb, &beta, c, ldc, where);                                              \
  }                                                                                                                    \
  inline void cublas##P##gemv(char t, int m, int n, T alpha, const T* a, int lda, const T* x, int x_step, T beta,      \
                              T* y, int y_step, ORDERLAB_WHERE) {                                                      \
    cublas##P##gemv(orderlab_cublas_handle(), orderlab_cublas_operation(t), m, n, &alpha, a, lda, x, x_step, &beta, y, \
                    y_step, where);                                                                                    \
  }                                                                                                                    \
  inline void cublas##P##axpy(int n, T alpha, const T* x, int x_step, T* y, int y_step, ORDERLAB_WHERE) {              \
    cublas##P##axpy(orderlab_cublas_handle(), n, &alpha, x, x_step, y, y_step, where);                                 \
  }                                                                                                                    \
  inline void cublas##P##scal(int n, T alpha, T* x, int step, ORDERLAB_WHERE) {                                        \
    cublas##P##scal(orderlab_cublas_handle(), n, &alpha, x, step, where);                                              \
  }                                                                                                                    \
  inline T cublas##P##dot(int n, const T* x, int x_step, const T* y, int y_step, ORDERLAB_WHERE) {                     \
    T result = 0;                                                                                                      \
    cublas##P##dot(orderlab_cublas_handle(), n, x, x_step, y, y_step, &result, where);                                 \
    return result;                                                                                                     \
  }                                                                                                                    \
  inline T cublas##P##asum(int n, const T* x, int step, ORDERLAB_WHERE) {                                              \
    T result = 0;                                                                                                      \
    cublas##P##asum(orderlab_cublas_handle(), n, x, step, &result, where);                                             \
    return result;                                                                                                     \
  }                                                                                                                    \
  inline T cublas##P##nrm2(int n, const T* x, int step, ORDERLAB_WHERE) {                                              \
    T result = 0;                                                                                                      \
    cublas##P##nrm2(orderlab_cublas_handle(), n, x, step, &result, where);                                             \
    return result;                                                                                                     \
  }                                                                                                                    \
  inline int cublasI##I##amax(int n, const T* x, int step, ORDERLAB_WHERE) {                                           \
    int result = 0;                                                                                                    \
    cublasI##I##amax(orderlab_cublas_handle(), n, x, step, &result, where);                                            \
    return result;                                                                                                     \
  }
ORDERLAB_OLD_BLAS(S, s, float)
ORDERLAB_OLD_BLAS(D, d, double)
#undef ORDERLAB_OLD_BLAS
#undef ORDERLAB_WHERE
// NOLINTEND(readability-identifier-naming)
