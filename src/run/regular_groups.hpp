// Groups as vectors and heights take them: in parts whose groups have as many members each.
#pragma once

#include <algorithm>
#include <cstddef>

#include "orderlab/steps.hpp"

namespace orderlab {

/// Groups none of which is absent or has absent members. `longer` of them, at the front, have one member more; then
/// count is 1.
struct RegularGroups {
  std::size_t first = 0;
  std::size_t count = 1;
  std::size_t stride = 0;
  std::size_t width = 1;
  std::size_t step = 1;
  std::size_t members = 1;
  std::size_t place = 0;
  std::size_t longer = 0;

  std::size_t groups() const { return count * width; }
};

/// Calls visit(RegularGroups) for the groups of `g` among m partial sums, in the order of their places.
///
/// Shape: g.items == Groups::kAll.
template <class Visit>
void visit_regular(const Groups& g, std::size_t m, Visit visit) {
  if (g.first >= m || g.count == 0) return;
  std::size_t whole = 0;
  if (g.members != Groups::kAll) {
    const std::size_t reach = g.width + (g.members - 1) * g.step;  // reach of a whole piece
    if (m - g.first >= reach) whole = g.count == 1 ? 1 : std::min(g.count, (m - g.first - reach) / g.stride + 1);
    if (whole > 0) visit(RegularGroups{g.first, whole, g.stride, g.width, g.step, g.members, g.place, 0});
  }
  for (std::size_t p = whole; p < g.count && g.first + p * g.stride < m; ++p) {
    RegularGroups piece{g.first + p * g.stride, 1, 0, g.width, g.step, 1, g.place + p * g.width, 0};
    const std::size_t room = m - piece.first;
    piece.width = std::min(g.width, room);
    if (room >= g.step) {
      piece.members = room / g.step;
      piece.longer = std::min(g.width, room % g.step);
    }
    if (piece.longer == g.width) {
      ++piece.members;
      piece.longer = 0;
    }
    if (piece.members >= g.members) {
      piece.members = g.members;
      piece.longer = 0;
    }
    visit(piece);
  }
}

/// The same groups as a description.
inline Groups described(const RegularGroups& g) {
  return {.first = g.first,
          .count = g.count,
          .stride = g.stride,
          .width = g.width,
          .step = g.step,
          .members = g.members + (g.longer > 0 ? 1 : 0),
          .place = g.place};
}

}  // namespace orderlab
