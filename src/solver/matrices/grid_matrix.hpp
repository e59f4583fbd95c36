// Difference equations on a grid of unknowns, zero around it.
#pragma once

#include <array>
#include <cstdint>

#include "core/pass.hpp"
#include "orderlab/solver.hpp"

namespace orderlab {

/// Along each dimension, the entries of the neighbour before and of that behind.
struct GridEntries {
  double diagonal;
  double before;
  double behind;
};

/// `entries[d]`: along dimension d, of which the last one is the fastest; the diagonal is the sum of theirs.
///
/// Shape: side^dimensions rows.
template <std::size_t dimensions>
CoordinateMatrix grid_matrix(std::uint64_t side, const std::array<GridEntries, dimensions>& entries) {
  std::size_t points = 1;
  double diagonal = 0;
  for (const GridEntries& e : entries) {
    points *= side;
    diagonal += e.diagonal;
  }
  CoordinateMatrix matrix{points, points, {}};
  matrix.entries.reserve(points * (2 * dimensions + 1));
  each_in_pass(points, [&](std::size_t i) {
    const auto row = static_cast<std::uint32_t>(i);
    matrix.entries.push_back({row, row, diagonal});
    std::size_t step = 1;
    for (std::size_t d = dimensions; d-- > 0; step *= side) {
      const std::size_t place = i / step % side;
      if (place > 0) matrix.entries.push_back({row, static_cast<std::uint32_t>(i - step), entries[d].before});
      if (place + 1 < side) matrix.entries.push_back({row, static_cast<std::uint32_t>(i + step), entries[d].behind});
    }
  });
  return matrix;
}

}  // namespace orderlab
