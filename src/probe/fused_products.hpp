// Which products of a tree are fused into what they are added to, with one rounding.
#pragma once

#include <vector>

#include "probe/asked_box.hpp"
#include "probe/tree_shape.hpp"

namespace orderlab {

/// Whether the product of each leaf is fused. One call for each leaf. A product fused into +0.0 is rounded as any
/// other.
///
/// Shape: binary, that of the box, which adds products in the format of its terms.
std::vector<bool> fused_products(const TreeShape& shape, AskedBox& box);

}  // namespace orderlab
