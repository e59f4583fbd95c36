// Sparse matrices as iterative programs multiply with them: rows of entries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace orderlab {

/// Entry (i, j) is the sum of `value` over its triplets.
struct Triplet {
  std::uint32_t row = 0;
  std::uint32_t column = 0;
  double value = 0;
};

/// Compressed rows of numbers of type T, float or double.
///
/// Shape: row_begin.size() == rows + 1, from 0 to the number of entries; row i is entries row_begin[i], ...,
///        row_begin[i + 1] - 1, its columns ascending, each once.
template <class T>
struct SparseMatrix {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<std::uint32_t> row_begin;
  std::vector<std::uint32_t> column;
  std::vector<T> value;

  std::size_t entries() const { return column.size(); }
};

/// The matrix of the triplets. Those of one entry are added in fp64 in their order, then rounded to T.
///
/// Errors: usage for a row or column out of range; unsupported for 2^31 rows, columns or entries and more.
template <class T>
SparseMatrix<T> sparse_matrix(std::size_t rows, std::size_t columns, std::span<const Triplet> triplets);

}  // namespace orderlab
