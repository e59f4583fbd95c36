// The forms of an accumulation that sort by index first: PyTorch's index_put_(accumulate=True).
#pragma once

#include <cstddef>

#include "orderlab/operation.hpp"

namespace orderlab {

/// The form that runs for slices of `slice` elements:
///
///   1         self + s, where s is 0 + a + b + ... up to 31 contributions; from 32 on, lane l of a warp adds
///             contributions l, l + 32, ... of whole warps to 0, a shuffle tree adds the lanes, the rest follow in turn
///   2 .. 32   self + (0 + a + b + ...)
///   above     ((self + a) + b) + ..., each rounded to the result format
///
/// The first two add 16-bit numbers in fp32 and round once. Of a mean, the sum is divided at the end.
FixedForm sorted_form(std::size_t slice);

/// The launch of that form for C contributions.
Launch sorted_launch(std::size_t slice, std::size_t contributions);

}  // namespace orderlab
