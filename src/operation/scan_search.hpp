// Which look-back distances explain the outputs of a scan.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "orderlab/operation.hpp"

namespace orderlab {

/// Look-back distances that give outputs, and the outputs that none give.
struct ScanSearch {
  std::vector<std::uint32_t> distances;  ///< for each tile, from 1 on, a distance that fits; 0 where none does
  std::vector<std::uint32_t> wrong;      ///< outputs that differ from `nearest`, ascending
  Terms nearest;                         ///< all outputs, by distances that give as many of them as any
  std::size_t farthest = 0;              ///< greatest distance that was tried
  bool complete = true;                  ///< every distance was
  bool replays = false;                  ///< `distances` together give `nearest`
};

/// Tile by tile, every distance with every sum of the tiles before that fits their outputs: if `wrong` is empty, each
/// tile's outputs follow from such a sum. Where sums of a tile that differ round to the same outputs, one of them may
/// be needed here and another there; `replays` says that `distances` give all outputs at once. Where no distance fits a
/// tile, those that fit it best are taken to go on.
///
/// Shape: the operation is a PrefixScan of tiles of which all outputs are made; `actual` has its outputs in the result
///        format.
/// Cost:  tiles x distances^2 / 2 additions for each sum that fits, on one thread; distances beyond 2^24 / tiles, and
/// beyond 64, are left out.
ScanSearch search_lookback(const LoweredOperation& operation, const Terms& actual);

}  // namespace orderlab
