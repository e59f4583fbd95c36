#include "orderlab/sparse_matrix.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "core/float_environment.hpp"
#include "operation/input_checks.hpp"
#include "orderlab/error.hpp"

namespace orderlab {

template <class T>
SparseMatrix<T> sparse_matrix(std::size_t rows, std::size_t columns, std::span<const Triplet> triplets) {
  const FloatEnvironment environment;
  require_small("sparse matrix: rows", static_cast<double>(rows));
  require_small("sparse matrix: columns", static_cast<double>(columns));
  require_small("sparse matrix: entries", static_cast<double>(triplets.size()));
  for (const Triplet& t : triplets)
    if (t.row >= rows || t.column >= columns)
      throw Error(ErrorKind::usage, "sparse matrix: entry (" + std::to_string(t.row) + ", " + std::to_string(t.column) +
                                        ") is outside " + std::to_string(rows) + " x " + std::to_string(columns));
  std::vector<std::uint32_t> sorted(triplets.size());
  std::iota(sorted.begin(), sorted.end(), 0u);
  const auto place = [&](std::uint32_t i) { return std::pair(triplets[i].row, triplets[i].column); };
  std::stable_sort(sorted.begin(), sorted.end(), [&](auto a, auto b) { return place(a) < place(b); });

  SparseMatrix<T> matrix{rows, columns, std::vector<std::uint32_t>(rows + 1, 0), {}, {}};
  for (std::size_t i = 0; i < sorted.size();) {
    const auto [row, column] = place(sorted[i]);
    double value = triplets[sorted[i]].value;
    for (++i; i < sorted.size() && place(sorted[i]) == std::pair(row, column); ++i) value += triplets[sorted[i]].value;
    ++matrix.row_begin[row + 1];
    matrix.column.push_back(column);
    matrix.value.push_back(static_cast<T>(value));
  }
  std::partial_sum(matrix.row_begin.begin(), matrix.row_begin.end(), matrix.row_begin.begin());
  return matrix;
}

template SparseMatrix<float> sparse_matrix<float>(std::size_t, std::size_t, std::span<const Triplet>);
template SparseMatrix<double> sparse_matrix<double>(std::size_t, std::size_t, std::span<const Triplet>);

}  // namespace orderlab
