// The stages that an unknown order may have, with the counts that its tree suggests.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "orderlab/order.hpp"
#include "probe/tree_shape.hpp"

namespace orderlab {

/// Counts that a stage on these nodes may have as arguments: how far apart the partial sums are that are added to the
/// first one, how many are added up before another of its groups is, and their ratios. Those of the
/// first additions first.
std::vector<std::size_t> suggested_counts(const TreeShape& shape, std::span<const TreeShape::Node> nodes);

/// Calls of every built-in stage that neither draws nor sorts nor reads a file: each count one of `counts`, or the
/// parameter's default, and every choice but those of acc= and from=, which change no shape. Those that m partial sums
/// do not allow are left out.
std::vector<StageCall> stage_calls(std::span<const std::size_t> counts, std::size_t m);

}  // namespace orderlab
