// Exact counts as bytes for the store.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "orderlab/counts.hpp"
#include "orderlab/format.hpp"

namespace orderlab {

/// The results with their counts, or the bins.
///
/// A list is 'L' and then, ascending by value, for each result two varints: how far its ordered key (format.hpp) lies
/// above the one before, of the first one the key itself in zigzag code, and its count. Bins are 'B', the bin exponent
/// in zigzag code, and for each bin its index as an fp64 (little endian) and its count as a varint. A varint has 7 bits
/// a byte, low ones first, the top bit set on all but the last byte; zigzag maps 0, -1, 1, -2, ... to 0, 1, 2, 3, ...
std::string to_blob(const ResultCounts& counts);

/// The same of results in `format`. Shape: of all orders, each result of at most 2^64 - 1 of them.
std::string to_blob(const Distribution& results, Format format);

/// What a blob holds.
struct BlobCounts {
  Distribution values;              ///< results; or the indices of bins, of width 1
  std::optional<int> bin_exponent;  ///< exponent of bins; empty for results
};

/// Reads a blob of results in `format`. Error(input) where it is none.
BlobCounts from_blob(std::string_view blob, Format format);

}  // namespace orderlab
