// Sums of significands by exponent: for terms of wide range, which no window of extract() holds.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "orderlab/exact.hpp"

namespace orderlab {

class ExponentBins {
 public:
  /// Adds the terms. What bins cannot hold, overflows, infinities and NaN, is added to `sum`.
  void add(ExactSum& sum, const double* x, std::size_t n);

  /// Adds what the bins hold to `sum`.
  void drain(ExactSum& sum) const;

  /// Terms that are taken apart before they are added: few enough for both to overlap.
  static constexpr std::size_t kPiece = 64;

  // The bin in row r and column c has the terms whose exponent field is 4 (16 c + r) to 4 (16 c + r) + 3, of either
  // sign: few bins, soon cleared and drained, column beside column, each with 7 bits of room above its terms.
  static constexpr std::size_t kRows = 16;
  static constexpr std::size_t kColumns = 32;
  static constexpr int kFieldsPerBin = 4;

  /// Exponent of the lowest bit of a bin.
  static constexpr int unit_of(std::size_t bin) {
    return kFieldsPerBin * static_cast<int>(kRows * (bin % kColumns) + bin / kColumns) - 1075;
  }

 private:
  std::array<std::int64_t, kRows * kColumns> bins_{};
};

}  // namespace orderlab
