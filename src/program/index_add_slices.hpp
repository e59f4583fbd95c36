// The slices that an IndexAddSite adds, by what can change their sums.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "orderlab/program.hpp"

namespace orderlab {

struct IndexAddSite::Slices {
  /// A part of a slice of the source, which one unit adds.
  struct Piece {
    std::uint32_t row;  ///< row of the source
    std::uint32_t unit;
  };

  /// Neighbouring numbers of one output slice that the same units add.
  struct Segment {
    std::uint32_t output;
    std::uint32_t column;  ///< first number
    std::uint32_t width;
    std::uint32_t begin;  ///< the first of its pieces, which stand in launch order
    std::uint32_t end;
    std::uint32_t row;  ///< of its first piece; where `consecutive`, its piece p has row + p
    bool varies;        ///< several units add to it
  };

  Slices(const IndexAdd& what, ArrivalCall arrival, const Device& device);

  ArrivalCall arrival;
  Launch launch;
  std::size_t rows = 0;  ///< least number of rows of the source
  std::size_t outputs = 0;
  std::size_t width = 1;
  std::size_t units = 0;
  std::size_t most_pieces = 0;  ///< the most pieces that a segment has
  bool varies = false;          ///< some segment, in an arrival order that is drawn
  bool consecutive = true;      ///< the pieces of each segment are consecutive rows
  std::vector<Piece> pieces;
  std::vector<Segment> segments;
};

}  // namespace orderlab
