// Sums of two and three terms beside zeros: what the additions of a box are like, whatever order it has for many.
#pragma once

#include <cstdint>
#include <vector>

#include "orderlab/format.hpp"
#include "probe/asked_box.hpp"
#include "probe/tree_shape.hpp"

namespace orderlab {

/// What sums of three terms show.
enum class FewTermSums : std::uint8_t {
  plain,     ///< those at the same places always are plain additions in the same order and formats
  by_value,  ///< each one is plain additions, but which ones depends on the values
  other,     ///< some are no plain additions, as where these are not rounded to nearest
};

/// Asks for some sums of three terms. Their additions may be done in each of `accumulate`; the shape, which that box
/// has by masks, says which two are added first. Shape: n >= 3; some format to accumulate in.
FewTermSums few_term_sums(AskedBox& box, const TreeShape& shape, const std::vector<Format>& accumulate, Format result);

/// Whether the sum of two terms, which no order changes, is another one in another call: additions that are rounded at
/// random. `precision`: of these, in bits. Shape: n >= 2.
bool rounds_at_random(AskedBox& box, int precision);

/// Whether sums of two terms keep more bits than additions of that precision do.
bool keeps_more_bits(AskedBox& box, int precision);

}  // namespace orderlab
