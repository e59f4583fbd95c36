#include "solver/incomplete_lu.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

#include "core/stop.hpp"
#include "orderlab/error.hpp"

namespace orderlab {

namespace {

constexpr std::uint32_t kAbsent = 0xffffffff;

template <class T>
std::uint32_t diagonal_entry(const SparseMatrix<T>& matrix, std::size_t row) {
  const auto begin = matrix.column.begin() + matrix.row_begin[row];
  const auto end = matrix.column.begin() + matrix.row_begin[row + 1];
  const auto place = std::lower_bound(begin, end, row);
  return place == end || *place != row ? kAbsent : static_cast<std::uint32_t>(place - matrix.column.begin());
}

[[noreturn]] void refuse_pivot(std::size_t row, const char* what) {
  throw Error(ErrorKind::usage, "preconditioner ilu0: row " + std::to_string(row + 1) + " of the matrix " + what +
                                    ", by which it would divide; use none");
}

}  // namespace

template <class T>
SparseMatrix<T> incomplete_lu(SparseMatrix<T> matrix) {
  std::vector<std::uint32_t> place(matrix.columns, kAbsent);  // of each column in the row that is eliminated
  std::vector<std::uint32_t> diagonal(matrix.rows);
  for (std::size_t i = 0; i < matrix.rows; ++i) {
    stop_point();
    diagonal[i] = diagonal_entry(matrix, i);
    if (diagonal[i] == kAbsent) refuse_pivot(i, "has a 0 on the diagonal");
    for (std::uint32_t e = matrix.row_begin[i]; e < matrix.row_begin[i + 1]; ++e) place[matrix.column[e]] = e;
    for (std::uint32_t e = matrix.row_begin[i]; e < diagonal[i]; ++e) {
      const std::uint32_t above = matrix.column[e];
      matrix.value[e] /= matrix.value[diagonal[above]];
      for (std::uint32_t u = diagonal[above] + 1; u < matrix.row_begin[above + 1]; ++u)
        if (const std::uint32_t here = place[matrix.column[u]]; here != kAbsent)
          matrix.value[here] -= matrix.value[e] * matrix.value[u];
    }
    for (std::uint32_t e = matrix.row_begin[i]; e < matrix.row_begin[i + 1]; ++e) place[matrix.column[e]] = kAbsent;
    const T pivot = matrix.value[diagonal[i]];
    if (pivot == T{0} || !std::isfinite(pivot)) refuse_pivot(i, pivot == T{0} ? "gets the pivot 0" : "gets no pivot");
  }
  return matrix;
}

template <class T>
void solve_triangular(const SparseMatrix<T>& factors, const std::vector<T>& a, std::vector<T>& y) {
  stop_point();
  for (std::size_t i = 0; i < factors.rows; ++i) {
    T sum = a[i];
    for (std::uint32_t e = factors.row_begin[i]; factors.column[e] < i; ++e)
      sum -= factors.value[e] * y[factors.column[e]];
    y[i] = sum;
  }
  for (std::size_t i = factors.rows; i-- > 0;) {
    T sum = y[i];
    std::uint32_t e = diagonal_entry(factors, i);
    const T pivot = factors.value[e];
    for (++e; e < factors.row_begin[i + 1]; ++e) sum -= factors.value[e] * y[factors.column[e]];
    y[i] = sum / pivot;
  }
}

template SparseMatrix<float> incomplete_lu(SparseMatrix<float>);
template SparseMatrix<double> incomplete_lu(SparseMatrix<double>);
template void solve_triangular(const SparseMatrix<float>&, const std::vector<float>&, std::vector<float>&);
template void solve_triangular(const SparseMatrix<double>&, const std::vector<double>&, std::vector<double>&);

}  // namespace orderlab
