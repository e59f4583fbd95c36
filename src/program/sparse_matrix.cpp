#include "orderlab/sparse_matrix.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "core/float_environment.hpp"
#include "core/pass.hpp"
#include "operation/input_checks.hpp"
#include "orderlab/error.hpp"

namespace orderlab {

namespace {

/// Numbers of triplets in their order, those of row r from begin[r] on.
struct TripletRows {
  std::vector<std::uint32_t> begin;
  std::vector<std::uint32_t> list;
};

TripletRows by_row(std::size_t rows, std::span<const Triplet> triplets) {
  TripletRows result{std::vector<std::uint32_t>(rows + 1, 0), std::vector<std::uint32_t>(triplets.size())};
  each_in_pass(triplets.size(), [&](std::size_t i) { ++result.begin[triplets[i].row + 1]; });
  std::partial_sum(result.begin.begin(), result.begin.end(), result.begin.begin());
  std::vector<std::uint32_t> next(result.begin.begin(), result.begin.end() - 1);
  each_in_pass(triplets.size(),
               [&](std::size_t i) { result.list[next[triplets[i].row]++] = static_cast<std::uint32_t>(i); });
  return result;
}

}  // namespace

template <class T>
SparseMatrix<T> sparse_matrix(std::size_t rows, std::size_t columns, std::span<const Triplet> triplets) {
  const FloatEnvironment environment;
  require_small("sparse matrix: rows", static_cast<double>(rows));
  require_small("sparse matrix: columns", static_cast<double>(columns));
  require_small("sparse matrix: entries", static_cast<double>(triplets.size()));
  each_in_pass(triplets.size(), [&](std::size_t i) {
    const Triplet& t = triplets[i];
    if (t.row >= rows || t.column >= columns)
      throw Error(ErrorKind::usage, "sparse matrix: entry (" + std::to_string(t.row) + ", " + std::to_string(t.column) +
                                        ") is outside " + std::to_string(rows) + " x " + std::to_string(columns));
  });
  const TripletRows of_row = by_row(rows, triplets);
  const std::vector<std::uint32_t>& list = of_row.list;
  const std::vector<std::uint32_t>& begin = of_row.begin;

  SparseMatrix<T> matrix{rows, columns, std::vector<std::uint32_t>(rows + 1, 0), {}, {}};
  matrix.column.reserve(triplets.size());
  matrix.value.reserve(triplets.size());
  std::vector<std::uint32_t> row;
  each_in_pass(rows, [&](std::size_t r) {
    row.assign(list.begin() + begin[r], list.begin() + begin[r + 1]);
    stoppable_sort(row.begin(), row.end(), [&](std::uint32_t a, std::uint32_t b) {
      return std::pair(triplets[a].column, a) < std::pair(triplets[b].column, b);
    });
    for (std::size_t i = 0; i < row.size();) {
      const std::uint32_t column = triplets[row[i]].column;
      double value = triplets[row[i]].value;
      for (++i; i < row.size() && triplets[row[i]].column == column; ++i) value += triplets[row[i]].value;
      matrix.column.push_back(column);
      matrix.value.push_back(static_cast<T>(value));
    }
    matrix.row_begin[r + 1] = static_cast<std::uint32_t>(matrix.column.size());
  });
  matrix.column.shrink_to_fit();
  matrix.value.shrink_to_fit();
  return matrix;
}

template SparseMatrix<float> sparse_matrix<float>(std::size_t, std::size_t, std::span<const Triplet>);
template SparseMatrix<double> sparse_matrix<double>(std::size_t, std::size_t, std::span<const Triplet>);

}  // namespace orderlab
