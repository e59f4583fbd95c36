// Sums and products of Eigen: functions for `orderlab probe --library`.
#include <Eigen/Dense>
#include <cstddef>

namespace {

template <class T>
using Vector = Eigen::Matrix<T, Eigen::Dynamic, 1>;
template <class T, int kOrder>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, kOrder>;

template <class T>
auto vector(std::size_t n, const T* x) {
  return Eigen::Map<const Vector<T>>(x, static_cast<Eigen::Index>(n));
}

constexpr Eigen::Index kRows = 16;
constexpr Eigen::Index kRow = 5;

// One row of a matrix times a vector, or a column of another.
template <class T, int kOrder>
T row_times(std::size_t n, const T* x, const T* y, Eigen::Index columns) {
  Matrix<T, kOrder> a = Matrix<T, kOrder>::Zero(kRows, static_cast<Eigen::Index>(n));
  a.row(kRow) = vector(n, x);
  if (columns == 1) return (a * vector(n, y)).eval()(kRow);
  Matrix<T, kOrder> b = Matrix<T, kOrder>::Zero(static_cast<Eigen::Index>(n), columns);
  b.col(kRow) = vector(n, y);
  return (a * b).eval()(kRow, kRow);
}

}  // namespace

extern "C" {

float sum_f(std::size_t n, const float* x) { return vector(n, x).sum(); }
double sum_d(std::size_t n, const double* x) { return vector(n, x).sum(); }
float dot_f(std::size_t n, const float* x, const float* y) { return vector(n, x).dot(vector(n, y)); }
double dot_d(std::size_t n, const double* x, const double* y) { return vector(n, x).dot(vector(n, y)); }
float gemv_rows_f(std::size_t n, const float* x, const float* y) { return row_times<float, Eigen::RowMajor>(n, x, y, 1); }
float gemv_columns_f(std::size_t n, const float* x, const float* y) {
  return row_times<float, Eigen::ColMajor>(n, x, y, 1);
}
double gemv_rows_d(std::size_t n, const double* x, const double* y) {
  return row_times<double, Eigen::RowMajor>(n, x, y, 1);
}
double gemv_columns_d(std::size_t n, const double* x, const double* y) {
  return row_times<double, Eigen::ColMajor>(n, x, y, 1);
}
float gemm_f(std::size_t n, const float* x, const float* y) {
  return row_times<float, Eigen::ColMajor>(n, x, y, kRows);
}

}  // extern "C"
