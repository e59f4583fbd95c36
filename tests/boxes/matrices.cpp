// One element of the matrix products of a BLAS: functions for `orderlab probe --library`.
#include <cstddef>
#include <vector>

extern "C" {

void sgemv_(const char* transposed, const int* m, const int* n, const float* alpha, const float* a, const int* lda,
            const float* x, const int* incx, const float* beta, float* y, const int* incy);
void dgemv_(const char* transposed, const int* m, const int* n, const double* alpha, const double* a, const int* lda,
            const double* x, const int* incx, const double* beta, double* y, const int* incy);
void sgemm_(const char* transposed_a, const char* transposed_b, const int* m, const int* n, const int* k,
            const float* alpha, const float* a, const int* lda, const float* b, const int* ldb, const float* beta,
            float* c, const int* ldc);
void dgemm_(const char* transposed_a, const char* transposed_b, const int* m, const int* n, const int* k,
            const double* alpha, const double* a, const int* lda, const double* b, const int* ldb, const double* beta,
            double* c, const int* ldc);

}  // extern "C"

namespace {

constexpr int kRows = 16;
constexpr int kRow = 5;
constexpr int kOne = 1;

// x is a row of a matrix whose columns (transposed: rows) are in turn in memory.
template <class T>
std::vector<T> matrix(std::size_t n, const T* x, bool transposed) {
  std::vector<T> a(n * kRows, T{0});
  for (std::size_t i = 0; i < n; ++i) a[transposed ? kRow * n + i : i * kRows + kRow] = x[i];
  return a;
}

template <class T, class Gemv>
T gemv(std::size_t n, const T* x, const T* y, bool transposed, Gemv call) {
  const std::vector<T> a = matrix(n, x, transposed);
  std::vector<T> result(kRows, T{0});
  const int count = static_cast<int>(n);
  const T one = 1;
  const T zero = 0;
  if (transposed)
    call("T", &count, &kRows, &one, a.data(), &count, y, &kOne, &zero, result.data(), &kOne);
  else
    call("N", &kRows, &count, &one, a.data(), &kRows, y, &kOne, &zero, result.data(), &kOne);
  return result[kRow];
}

template <class T, class Gemm>
T gemm(std::size_t n, const T* x, const T* y, Gemm call) {
  const std::vector<T> a = matrix(n, x, false);
  const std::vector<T> b = matrix(n, y, true);
  std::vector<T> c(kRows * kRows, T{0});
  const int count = static_cast<int>(n);
  const T one = 1;
  const T zero = 0;
  call("N", "N", &kRows, &kRows, &count, &one, a.data(), &kRows, b.data(), &count, &zero, c.data(), &kRows);
  return c[kRow * kRows + kRow];
}

}  // namespace

extern "C" {

float gemv_f(std::size_t n, const float* x, const float* y) { return gemv(n, x, y, false, sgemv_); }
float gemv_transposed_f(std::size_t n, const float* x, const float* y) { return gemv(n, x, y, true, sgemv_); }
double gemv_d(std::size_t n, const double* x, const double* y) { return gemv(n, x, y, false, dgemv_); }
double gemv_transposed_d(std::size_t n, const double* x, const double* y) { return gemv(n, x, y, true, dgemv_); }
float gemm_f(std::size_t n, const float* x, const float* y) { return gemm(n, x, y, sgemm_); }
double gemm_d(std::size_t n, const double* x, const double* y) { return gemm(n, x, y, dgemm_); }

}  // extern "C"
