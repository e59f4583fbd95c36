// cuBLAS on a simulated GPU, whose calls are kernels. NVIDIA does not publish the orders in which cuBLAS adds.
// Here a product of matrices, or of a matrix and a vector, adds its products in turn, each by a fma from 0 in the type
// of the sums; 16-bit matrices have fp32 sums. dot, asum and nrm2 add rounded products in the order of
// cub::DeviceReduce. Long, as it is a list of names.
#pragma once

#include <cmath>
#include <functional>
#include <source_location>
#include <type_traits>
#include <utility>

#include "cuComplex.h"
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime.h"
#include "library_types.h"
#include "orderlab/library_on_gpu.hpp"

// NOLINTBEGIN(readability-identifier-naming): the names are cuBLAS's
#define ORDERLAB_WHERE const std::source_location& where = std::source_location::current()

#define CUBLAS_VER_MAJOR 12
#define CUBLAS_VERSION 120400
#define ORDERLAB_CUBLAS_STATUSES(X)     \
  X(CUBLAS_STATUS_SUCCESS, 0)           \
  X(CUBLAS_STATUS_NOT_INITIALIZED, 1)   \
  X(CUBLAS_STATUS_ALLOC_FAILED, 3)      \
  X(CUBLAS_STATUS_INVALID_VALUE, 7)     \
  X(CUBLAS_STATUS_ARCH_MISMATCH, 8)     \
  X(CUBLAS_STATUS_MAPPING_ERROR, 11)    \
  X(CUBLAS_STATUS_EXECUTION_FAILED, 13) \
  X(CUBLAS_STATUS_INTERNAL_ERROR, 14)   \
  X(CUBLAS_STATUS_NOT_SUPPORTED, 15)    \
  X(CUBLAS_STATUS_LICENSE_ERROR, 16)
enum cublasStatus_t {
#define ORDERLAB_STATUS(NAME, VALUE) NAME = VALUE,
  ORDERLAB_CUBLAS_STATUSES(ORDERLAB_STATUS)
#undef ORDERLAB_STATUS
};
inline const char* cublasGetStatusName(cublasStatus_t status) {
  switch (status) {
#define ORDERLAB_STATUS(NAME, VALUE) \
  case NAME:                         \
    return #NAME;
    ORDERLAB_CUBLAS_STATUSES(ORDERLAB_STATUS)
#undef ORDERLAB_STATUS
  }
  return "unknown";
}
#undef ORDERLAB_CUBLAS_STATUSES
inline const char* cublasGetStatusString(cublasStatus_t status) { return cublasGetStatusName(status); }

enum cublasOperation_t { CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C };
enum cublasFillMode_t { CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER, CUBLAS_FILL_MODE_FULL };
enum cublasDiagType_t { CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT };
enum cublasSideMode_t { CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT };
enum cublasPointerMode_t { CUBLAS_POINTER_MODE_HOST, CUBLAS_POINTER_MODE_DEVICE };
enum cublasAtomicsMode_t { CUBLAS_ATOMICS_NOT_ALLOWED, CUBLAS_ATOMICS_ALLOWED };
enum cublasMath_t {
  CUBLAS_DEFAULT_MATH,
  CUBLAS_TENSOR_OP_MATH,
  CUBLAS_PEDANTIC_MATH,
  CUBLAS_TF32_TENSOR_OP_MATH,
  CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
};
enum cublasGemmAlgo_t { CUBLAS_GEMM_DFALT = -1, CUBLAS_GEMM_DEFAULT = -1, CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99 };
enum cublasComputeType_t {
  CUBLAS_COMPUTE_16F = 64,
  CUBLAS_COMPUTE_32F = 68,
  CUBLAS_COMPUTE_64F = 70,
  CUBLAS_COMPUTE_32F_FAST_16F = 74,
  CUBLAS_COMPUTE_32F_FAST_16BF = 75,
  CUBLAS_COMPUTE_32F_FAST_TF32 = 77,
  CUBLAS_COMPUTE_32F_PEDANTIC = 69
};

struct cublasContext {
  cublasPointerMode_t mode = CUBLAS_POINTER_MODE_HOST;
  cublasMath_t math = CUBLAS_DEFAULT_MATH;
  cudaStream_t stream = nullptr;
};
typedef cublasContext* cublasHandle_t;
inline cublasStatus_t cublasCreate(cublasHandle_t* handle) {
  *handle = new cublasContext;
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasDestroy(cublasHandle_t handle) {
  delete handle;
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream) {
  handle->stream = stream;
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t* stream) {
  *stream = handle->stream;
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode) {
  handle->mode = mode;
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t* mode) {
  *mode = handle->mode;
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode) {
  handle->math = mode;
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t* mode) {
  *mode = handle->math;
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasSetAtomicsMode(cublasHandle_t, cublasAtomicsMode_t) { return CUBLAS_STATUS_SUCCESS; }
inline cublasStatus_t cublasSetWorkspace(cublasHandle_t, void*, std::size_t) { return CUBLAS_STATUS_SUCCESS; }
inline cublasStatus_t cublasGetVersion(cublasHandle_t, int* version) {
  *version = CUBLAS_VERSION;
  return CUBLAS_STATUS_SUCCESS;
}

// ---- Copies of vectors and matrices, column by column
inline cublasStatus_t cublasSetVector(int n, int bytes, const void* x, int x_step, void* y, int y_step,
                                      ORDERLAB_WHERE) {
  return cudaMemcpy2D((char*)y, static_cast<std::size_t>(y_step) * bytes, (const char*)x,
                      static_cast<std::size_t>(x_step) * bytes, bytes, n, cudaMemcpyHostToDevice, where) == cudaSuccess
             ? CUBLAS_STATUS_SUCCESS
             : CUBLAS_STATUS_MAPPING_ERROR;
}
inline cublasStatus_t cublasGetVector(int n, int bytes, const void* x, int x_step, void* y, int y_step,
                                      ORDERLAB_WHERE) {
  const bool is_one = x_step == 1 && y_step == 1;
  const cudaError_t error =
      is_one ? cudaMemcpy((char*)y, (const char*)x, static_cast<std::size_t>(n) * bytes, cudaMemcpyDeviceToHost, where)
             : cudaMemcpy2D((char*)y, static_cast<std::size_t>(y_step) * bytes, (const char*)x,
                            static_cast<std::size_t>(x_step) * bytes, bytes, n, cudaMemcpyDeviceToHost, where);
  return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}
inline cublasStatus_t cublasSetMatrix(int rows, int columns, int bytes, const void* a, int lda, void* b, int ldb,
                                      ORDERLAB_WHERE) {
  return cudaMemcpy2D((char*)b, static_cast<std::size_t>(ldb) * bytes, (const char*)a,
                      static_cast<std::size_t>(lda) * bytes, static_cast<std::size_t>(rows) * bytes, columns,
                      cudaMemcpyHostToDevice, where) == cudaSuccess
             ? CUBLAS_STATUS_SUCCESS
             : CUBLAS_STATUS_MAPPING_ERROR;
}
inline cublasStatus_t cublasGetMatrix(int rows, int columns, int bytes, const void* a, int lda, void* b, int ldb,
                                      ORDERLAB_WHERE) {
  return cudaMemcpy2D((char*)b, static_cast<std::size_t>(ldb) * bytes, (const char*)a,
                      static_cast<std::size_t>(lda) * bytes, static_cast<std::size_t>(rows) * bytes, columns,
                      cudaMemcpyDeviceToHost, where) == cudaSuccess
             ? CUBLAS_STATUS_SUCCESS
             : CUBLAS_STATUS_MAPPING_ERROR;
}

namespace orderlab::host_program::cublas {

/// A factor, which the host gives or which lies in device memory.
template <class T>
struct Scalar {
  T value{};
  const T* address = nullptr;

  Scalar(cublasHandle_t handle, const T* given) {
    if (handle->mode == CUBLAS_POINTER_MODE_DEVICE)
      address = given;
    else
      value = *given;
  }
  T get() const { return address == nullptr ? value : *address; }
};

/// A column-major matrix as an operation takes it.
template <class T>
struct Matrix {
  const T* data;
  std::ptrdiff_t lead;
  bool transposed;

  const T& operator()(std::ptrdiff_t row, std::ptrdiff_t column) const {
    return transposed ? data[column + row * lead] : data[row + column * lead];
  }
};

/// C = alpha A B + beta C, one thread for each number of C; sums of S.
template <class S, class T, class U, class F>
cublasStatus_t multiply(const char* name, int m, int n, int k, F alpha, Matrix<T> a, Matrix<T> b, F beta, U* c, int ldc,
                        std::ptrdiff_t step_a, std::ptrdiff_t step_b, std::ptrdiff_t step_c, int count,
                        const LibraryCall& call) {
  if (m < 0 || n < 0 || k < 0 || count < 0 || ldc < std::max(1, m)) return CUBLAS_STATUS_INVALID_VALUE;
  const std::ptrdiff_t numbers = static_cast<std::ptrdiff_t>(m) * n;
  for_each_index(name, static_cast<std::size_t>(numbers * count), call, [=](std::size_t i) {
    const auto which = static_cast<std::ptrdiff_t>(i) / std::max<std::ptrdiff_t>(numbers, 1);
    const auto row = static_cast<std::ptrdiff_t>(i) % m;
    const auto column = static_cast<std::ptrdiff_t>(i) / m % n;
    const Matrix<T> left{a.data + which * step_a, a.lead, a.transposed};
    const Matrix<T> right{b.data + which * step_b, b.lead, b.transposed};
    S sum = 0;
    for (int l = 0; l < k; ++l) sum = std::fma(static_cast<S>(left(row, l)), static_cast<S>(right(l, column)), sum);
    U& result = c[row + column * static_cast<std::ptrdiff_t>(ldc) + which * step_c];
    const S scale = static_cast<S>(beta.get());
    const S product = static_cast<S>(alpha.get()) * sum;
    result = static_cast<U>(scale == 0 ? product : std::fma(scale, static_cast<S>(result), product));
  });
  return CUBLAS_STATUS_SUCCESS;
}

/// Items of a vector with a step, which may be negative, as functions of them.
template <class T, class F>
struct Items {
  const T* x;
  const T* y;
  std::ptrdiff_t x_step;
  std::ptrdiff_t y_step;
  F function;

  auto operator[](std::ptrdiff_t i) const { return function(x[i * x_step], y[i * y_step]); }
};
template <class T>
T* first_of(T* x, int n, int step) {
  return step < 0 ? x - static_cast<std::ptrdiff_t>(n - 1) * step : x;
}

/// finish(sum of f(x, y)) where the pointer mode says.
template <class T, class F, class G>
cublasStatus_t sum(cublasHandle_t handle, const char* name, int n, const T* x, int x_step, const T* y, int y_step,
                   T* result, F f, G finish, const LibraryCall& call) {
  const Items<T, F> items{first_of(x, n, x_step), first_of(y, n, y_step), x_step, y_step, f};
  const ScratchMemory<T> total(1, call);
  reduce_on_gpu<T>(name, items, total.data(), static_cast<std::size_t>(std::max(n, 0)), std::plus<>(), T(0), call);
  T* const source = total.data();
  if (handle->mode == CUBLAS_POINTER_MODE_DEVICE)
    for_each_index(name, 1, call, [=](std::size_t) { *result = finish(*source); });
  else
    *result = finish(total.first());
  return CUBLAS_STATUS_SUCCESS;
}

/// Number of the first item of greatest or least magnitude, from 1.
template <class T>
cublasStatus_t extreme(cublasHandle_t handle, const char* name, int n, const T* x, int step, int* result, bool greatest,
                       const LibraryCall& call) {
  const ScratchMemory<int> found(1, call);
  int* const place = found.data();
  const bool is_for_device = handle->mode == CUBLAS_POINTER_MODE_DEVICE;
  for_each_block(name, 1, call, [=](std::size_t) {
    int best = 0;
    for (int i = 1; i < n; ++i) {
      const T a = std::abs(x[static_cast<std::ptrdiff_t>(i) * step]);
      const T b = std::abs(x[static_cast<std::ptrdiff_t>(best) * step]);
      if (greatest ? b < a : a < b) best = i;
    }
    *place = n > 0 ? best + 1 : 0;
    if (is_for_device) *result = *place;
  });
  if (!is_for_device) *result = found.first();
  return CUBLAS_STATUS_SUCCESS;
}

template <class T, class F>
cublasStatus_t each_item(const char* name, int n, const LibraryCall& call, F f) {
  for_each_index(name, static_cast<std::size_t>(std::max(n, 0)), call,
                 [=](std::size_t i) { f(static_cast<std::ptrdiff_t>(i)); });
  return CUBLAS_STATUS_SUCCESS;
}

}  // namespace orderlab::host_program::cublas

#define ORDERLAB_BLAS(P, I, T)                                                                                        \
  inline cublasStatus_t cublas##P##gemm(cublasHandle_t handle, cublasOperation_t ta, cublasOperation_t tb, int m,     \
                                        int n, int k, const T* alpha, const T* a, int lda, const T* b, int ldb,       \
                                        const T* beta, T* c, int ldc, ORDERLAB_WHERE) {                               \
    using namespace orderlab::host_program::cublas;                                                                   \
    return multiply<T>("cublas" #P "gemm", m, n, k, Scalar<T>(handle, alpha), Matrix<T>{a, lda, ta != CUBLAS_OP_N},   \
                       Matrix<T>{b, ldb, tb != CUBLAS_OP_N}, Scalar<T>(handle, beta), c, ldc, 0, 0, 0, 1,             \
                       {where, handle->stream});                                                                      \
  }                                                                                                                   \
  inline cublasStatus_t cublas##P##gemmStridedBatched(                                                                \
      cublasHandle_t handle, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k, const T* alpha,         \
      const T* a, int lda, long long step_a, const T* b, int ldb, long long step_b, const T* beta, T* c, int ldc,     \
      long long step_c, int count, ORDERLAB_WHERE) {                                                                  \
    using namespace orderlab::host_program::cublas;                                                                   \
    return multiply<T>("cublas" #P "gemmStridedBatched", m, n, k, Scalar<T>(handle, alpha),                           \
                       Matrix<T>{a, lda, ta != CUBLAS_OP_N}, Matrix<T>{b, ldb, tb != CUBLAS_OP_N},                    \
                       Scalar<T>(handle, beta), c, ldc, step_a, step_b, step_c, count, {where, handle->stream});      \
  }                                                                                                                   \
  inline cublasStatus_t cublas##P##gemv(cublasHandle_t handle, cublasOperation_t t, int m, int n, const T* alpha,     \
                                        const T* a, int lda, const T* x, int x_step, const T* beta, T* y, int y_step, \
                                        ORDERLAB_WHERE) {                                                             \
    using namespace orderlab::host_program::cublas;                                                                   \
    const int rows = t == CUBLAS_OP_N ? m : n;                                                                        \
    const int columns = t == CUBLAS_OP_N ? n : m;                                                                     \
    const Scalar<T> scale(handle, alpha);                                                                             \
    const Scalar<T> kept(handle, beta);                                                                               \
    const Matrix<T> matrix{a, lda, t != CUBLAS_OP_N};                                                                 \
    const T* const first = first_of(x, columns, x_step);                                                              \
    T* const out = first_of(y, rows, y_step);                                                                         \
    return each_item<T>("cublas" #P "gemv", rows, {where, handle->stream}, [=](std::ptrdiff_t row) {                  \
      T sum = 0;                                                                                                      \
      for (int i = 0; i < columns; ++i)                                                                               \
        sum = std::fma(matrix(row, i), first[static_cast<std::ptrdiff_t>(i) * x_step], sum);                          \
      T& result = out[row * y_step];                                                                                  \
      result = kept.get() == 0 ? scale.get() * sum : std::fma(kept.get(), result, scale.get() * sum);                 \
    });                                                                                                               \
  }                                                                                                                   \
  inline cublasStatus_t cublas##P##ger(cublasHandle_t handle, int m, int n, const T* alpha, const T* x, int x_step,   \
                                       const T* y, int y_step, T* a, int lda, ORDERLAB_WHERE) {                       \
    using namespace orderlab::host_program::cublas;                                                                   \
    const Scalar<T> scale(handle, alpha);                                                                             \
    return each_item<T>("cublas" #P "ger", m * n, {where, handle->stream}, [=](std::ptrdiff_t i) {                    \
      T& result = a[i % m + i / m * lda];                                                                             \
      result = std::fma(scale.get() * x[i % m * x_step], y[i / m * y_step], result);                                  \
    });                                                                                                               \
  }                                                                                                                   \
  inline cublasStatus_t cublas##P##geam(cublasHandle_t handle, cublasOperation_t ta, cublasOperation_t tb, int m,     \
                                        int n, const T* alpha, const T* a, int lda, const T* beta, const T* b,        \
                                        int ldb, T* c, int ldc, ORDERLAB_WHERE) {                                     \
    using namespace orderlab::host_program::cublas;                                                                   \
    const Scalar<T> of_a(handle, alpha);                                                                              \
    const Scalar<T> of_b(handle, beta);                                                                               \
    const Matrix<T> left{a, lda, ta != CUBLAS_OP_N};                                                                  \
    const Matrix<T> right{b, ldb, tb != CUBLAS_OP_N};                                                                 \
    return each_item<T>("cublas" #P "geam", m * n, {where, handle->stream}, [=](std::ptrdiff_t i) {                   \
      const T first = of_a.get() == 0 ? T(0) : of_a.get() * left(i % m, i / m);                                       \
      c[i % m + i / m * ldc] = of_b.get() == 0 ? first : std::fma(of_b.get(), right(i % m, i / m), first);            \
    });                                                                                                               \
  }                                                                                                                   \
  inline cublasStatus_t cublas##P##axpy(cublasHandle_t handle, int n, const T* alpha, const T* x, int x_step, T* y,   \
                                        int y_step, ORDERLAB_WHERE) {                                                 \
    using namespace orderlab::host_program::cublas;                                                                   \
    const Scalar<T> scale(handle, alpha);                                                                             \
    const T* const in = first_of(x, n, x_step);                                                                       \
    T* const out = first_of(y, n, y_step);                                                                            \
    return each_item<T>("cublas" #P "axpy", n, {where, handle->stream}, [=](std::ptrdiff_t i) {                       \
      out[i * y_step] = std::fma(scale.get(), in[i * x_step], out[i * y_step]);                                       \
    });                                                                                                               \
  }                                                                                                                   \
  inline cublasStatus_t cublas##P##scal(cublasHandle_t handle, int n, const T* alpha, T* x, int step,                 \
                                        ORDERLAB_WHERE) {                                                             \
    using namespace orderlab::host_program::cublas;                                                                   \
    const Scalar<T> scale(handle, alpha);                                                                             \
    return each_item<T>("cublas" #P "scal", step > 0 ? n : 0, {where, handle->stream},                                \
                        [=](std::ptrdiff_t i) { x[i * step] *= scale.get(); });                                       \
  }                                                                                                                   \
  inline cublasStatus_t cublas##P##copy(cublasHandle_t handle, int n, const T* x, int x_step, T* y, int y_step,       \
                                        ORDERLAB_WHERE) {                                                             \
    using namespace orderlab::host_program::cublas;                                                                   \
    const T* const in = first_of(x, n, x_step);                                                                       \
    T* const out = first_of(y, n, y_step);                                                                            \
    return each_item<T>("cublas" #P "copy", n, {where, handle->stream},                                               \
                        [=](std::ptrdiff_t i) { out[i * y_step] = in[i * x_step]; });                                 \
  }                                                                                                                   \
  inline cublasStatus_t cublas##P##swap(cublasHandle_t handle, int n, T* x, int x_step, T* y, int y_step,             \
                                        ORDERLAB_WHERE) {                                                             \
    using namespace orderlab::host_program::cublas;                                                                   \
    T* const a = first_of(x, n, x_step);                                                                              \
    T* const b = first_of(y, n, y_step);                                                                              \
    return each_item<T>("cublas" #P "swap", n, {where, handle->stream},                                               \
                        [=](std::ptrdiff_t i) { std::swap(a[i * x_step], b[i * y_step]); });                          \
  }                                                                                                                   \
  inline cublasStatus_t cublas##P##dot(cublasHandle_t handle, int n, const T* x, int x_step, const T* y, int y_step,  \
                                       T* result, ORDERLAB_WHERE) {                                                   \
    return orderlab::host_program::cublas::sum(                                                                       \
        handle, "cublas" #P "dot", n, x, x_step, y, y_step, result,                                                   \
        [](T a, T b) { return orderlab::simt::cuda::unfused(a * b); }, [](T all) { return all; },                     \
        {where, handle->stream});                                                                                     \
  }                                                                                                                   \
  inline cublasStatus_t cublas##P##asum(cublasHandle_t handle, int n, const T* x, int step, T* result,                \
                                        ORDERLAB_WHERE) {                                                             \
    return orderlab::host_program::cublas::sum(                                                                       \
        handle, "cublas" #P "asum", n, x, step, x, step, result, [](T a, T) { return std::abs(a); },                  \
        [](T all) { return all; }, {where, handle->stream});                                                          \
  }                                                                                                                   \
  inline cublasStatus_t cublas##P##nrm2(cublasHandle_t handle, int n, const T* x, int step, T* result,                \
                                        ORDERLAB_WHERE) {                                                             \
    return orderlab::host_program::cublas::sum(                                                                       \
        handle, "cublas" #P "nrm2", n, x, step, x, step, result,                                                      \
        [](T a, T b) { return orderlab::simt::cuda::unfused(a * b); }, [](T all) { return std::sqrt(all); },          \
        {where, handle->stream});                                                                                     \
  }                                                                                                                   \
  inline cublasStatus_t cublasI##I##amax(cublasHandle_t handle, int n, const T* x, int step, int* result,             \
                                         ORDERLAB_WHERE) {                                                            \
    return orderlab::host_program::cublas::extreme(handle, "cublasI" #I "amax", n, x, step, result, true,             \
                                                   {where, handle->stream});                                          \
  }                                                                                                                   \
  inline cublasStatus_t cublasI##I##amin(cublasHandle_t handle, int n, const T* x, int step, int* result,             \
                                         ORDERLAB_WHERE) {                                                            \
    return orderlab::host_program::cublas::extreme(handle, "cublasI" #I "amin", n, x, step, result, false,            \
                                                   {where, handle->stream});                                          \
  }
ORDERLAB_BLAS(S, s, float)
ORDERLAB_BLAS(D, d, double)
#undef ORDERLAB_BLAS

// ---- Matrices of 16-bit floats, and of types that are known as the program runs
inline cublasStatus_t cublasHgemm(cublasHandle_t handle, cublasOperation_t ta, cublasOperation_t tb, int m, int n,
                                  int k, const __half* alpha, const __half* a, int lda, const __half* b, int ldb,
                                  const __half* beta, __half* c, int ldc, ORDERLAB_WHERE) {
  using namespace orderlab::host_program::cublas;
  return multiply<float>("cublasHgemm", m, n, k, Scalar<__half>(handle, alpha),
                         Matrix<__half>{a, lda, ta != CUBLAS_OP_N}, Matrix<__half>{b, ldb, tb != CUBLAS_OP_N},
                         Scalar<__half>(handle, beta), c, ldc, 0, 0, 0, 1, {where, handle->stream});
}
template <class Compute>
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t ta, cublasOperation_t tb, int m,
                                          int n, int k, const void* alpha, const void* a, cudaDataType type_a, int lda,
                                          long long step_a, const void* b, cudaDataType type_b, int ldb,
                                          long long step_b, const void* beta, void* c, cudaDataType type_c, int ldc,
                                          long long step_c, int count, Compute compute, cublasGemmAlgo_t,
                                          ORDERLAB_WHERE) {
  using namespace orderlab::host_program::cublas;
  const auto with = [&]<class S, class F, class T, class U>(S, F, T, U) {
    return multiply<S>("cublasGemmEx", m, n, k, Scalar<F>(handle, (const F*)alpha),
                       Matrix<T>{(const T*)a, lda, ta != CUBLAS_OP_N}, Matrix<T>{(const T*)b, ldb, tb != CUBLAS_OP_N},
                       Scalar<F>(handle, (const F*)beta), (U*)c, ldc, step_a, step_b, step_c, count,
                       {where, handle->stream});
  };
  const bool half_factors = static_cast<int>(compute) == CUBLAS_COMPUTE_16F ||
                            (std::is_same_v<Compute, cudaDataType> && static_cast<int>(compute) == CUDA_R_16F);
  if (type_a != type_b) return CUBLAS_STATUS_NOT_SUPPORTED;
  if (type_a == CUDA_R_32F && type_c == CUDA_R_32F) return with(0.0F, 0.0F, 0.0F, 0.0F);
  if (type_a == CUDA_R_64F && type_c == CUDA_R_64F) return with(0.0, 0.0, 0.0, 0.0);
  if (type_a == CUDA_R_16F && type_c == CUDA_R_16F)
    return half_factors ? with(0.0F, __half(), __half(), __half()) : with(0.0F, 0.0F, __half(), __half());
  if (type_a == CUDA_R_16F && type_c == CUDA_R_32F) return with(0.0F, 0.0F, __half(), 0.0F);
  if (type_a == CUDA_R_16BF && type_c == CUDA_R_16BF) return with(0.0F, 0.0F, __nv_bfloat16(), __nv_bfloat16());
  if (type_a == CUDA_R_16BF && type_c == CUDA_R_32F) return with(0.0F, 0.0F, __nv_bfloat16(), 0.0F);
  return CUBLAS_STATUS_NOT_SUPPORTED;
}
template <class Compute>
cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k,
                            const void* alpha, const void* a, cudaDataType type_a, int lda, const void* b,
                            cudaDataType type_b, int ldb, const void* beta, void* c, cudaDataType type_c, int ldc,
                            Compute compute, cublasGemmAlgo_t algorithm, ORDERLAB_WHERE) {
  return cublasGemmStridedBatchedEx(handle, ta, tb, m, n, k, alpha, a, type_a, lda, 0, b, type_b, ldb, 0, beta, c,
                                    type_c, ldc, 0, 1, compute, algorithm, where);
}
inline cublasStatus_t cublasSgemmEx(cublasHandle_t handle, cublasOperation_t ta, cublasOperation_t tb, int m, int n,
                                    int k, const float* alpha, const void* a, cudaDataType type_a, int lda,
                                    const void* b, cudaDataType type_b, int ldb, const float* beta, void* c,
                                    cudaDataType type_c, int ldc, ORDERLAB_WHERE) {
  return cublasGemmEx(handle, ta, tb, m, n, k, alpha, a, type_a, lda, b, type_b, ldb, beta, c, type_c, ldc,
                      CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT, where);
}
#define cublasCreate_v2 cublasCreate
#define cublasDestroy_v2 cublasDestroy
#define cublasSgemm_v2 cublasSgemm
#define cublasDgemm_v2 cublasDgemm
#define cublasSetStream_v2 cublasSetStream
#undef ORDERLAB_WHERE
// NOLINTEND(readability-identifier-naming)
