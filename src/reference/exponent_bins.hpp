// Sums of significands, one for each sign and exponent: for terms of wide range, which no window of extract() holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "orderlab/exact.hpp"

namespace orderlab {

class ExponentBins {
 public:
  /// Adds the terms. Overflowing bins and numbers that are not normal are added to `sum`.
  void add(ExactSum& sum, const double* x, std::size_t n);

  /// Moves what the bins hold to `sum`.
  void drain(ExactSum& sum);

 private:
  void add_piece(ExactSum& sum, const double* x, std::size_t n);

  static constexpr std::size_t kBins = 4096;  // the twelve bits of sign and exponent

  std::vector<std::uint64_t> bins_ = std::vector<std::uint64_t>(kBins);
};

}  // namespace orderlab
