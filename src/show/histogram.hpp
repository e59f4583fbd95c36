// A histogram of weighted numbers for a terminal.
#pragma once

#include <cstddef>
#include <string>

#include "orderlab/distribution.hpp"

namespace orderlab {

struct HistogramLabels {
  std::string unit = "ulp";        ///< unit of the positions; left out where the width does not suffice
  std::string zero = "exact sum";  ///< what position 0 is
  bool counts = true;              ///< shown between bar and per cent
};

/// A bar of `columns` columns where the weight is `largest`, to an eighth of a column; never empty but for a weight of
/// 0.
std::string histogram_bar(double weight, double largest, std::size_t columns);

/// One line a row: position or range, bar, count, percent, and an arrow with `labels.zero` on the row that contains 0.
///
/// At most 15 rows. Few positions have a row each, and 0 has one if it lies between them; many share bins [a,b) whose
/// width is 1, 2 or 5 times a power of ten, the empty ones included. Points that are bins keep their edges: a row is
/// one of them or joins 2, 4, 8, ... neighbours. Bars are proportional to weights to an eighth of a column, and seen
/// where a weight is not 0; percents are of all weights. Lines are at most max(width, 40) columns (names go first, then
/// percents, then bars), have no trailing spaces, and each ends. Shape: values finite; weights are whole
/// numbers that add up to less than 2^53 where they are shown. No points: an empty text.
std::string histogram_text(const Distribution& points, int width, const HistogramLabels& labels, bool color);

}  // namespace orderlab
