// What outputs are compared with, by name.
#pragma once

#include <optional>
#include <string>

#include "operation/exact_rows.hpp"
#include "orderlab/study/operation.hpp"

namespace orderlab::study {

/// The one asked for, or the operation's own. RequestError for a deterministic form that the operation lacks.
OutputBaseline chosen_baseline(std::optional<OutputBaseline> asked, const LoweredOperation& operation);

/// How its outputs are added.
std::string addition_of(OutputBaseline baseline, const LoweredOperation& operation);

/// All outputs; of `run` those in launch order.
Terms results_of(OutputBaseline baseline, const OutputSums& sums, const ExactRows& exact);

/// Puts each value into the bin of the interval (edges[i - 1], edges[i]] that it lies in; the first holds edges[0] and
/// what is below.
std::vector<OutputBin> binned(const std::vector<double>& values, std::uint64_t in_first,
                              const std::vector<double>& edges);

}  // namespace orderlab::study
