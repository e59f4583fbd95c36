// What outputs are compared with, by name.
#pragma once

#include <optional>
#include <string>

#include "operation/exact_rows.hpp"
#include "orderlab/study/operation.hpp"

namespace orderlab::study {

/// The one asked for, or the operation's own. RequestError for a deterministic form that the operation lacks, and for a
/// random order.
AskedBaseline chosen_baseline(const std::optional<AskedBaseline>& asked, const LoweredOperation& operation);

/// "launch", or the expression of an order.
std::string text_of(const AskedBaseline& baseline);

/// How its outputs are added.
std::string addition_of(const AskedBaseline& baseline, const LoweredOperation& operation);

/// All outputs; of `run` those in launch order. Errors: as ordered_results.
Terms results_of(const AskedBaseline& baseline, const OutputSums& sums, const ExactRows& exact, const Loop& loop);

/// Puts each value into the bin of the interval (edges[i - 1], edges[i]] that it lies in; the first holds edges[0] and
/// what is below.
std::vector<OutputBin> binned(const std::vector<double>& values, std::uint64_t in_first,
                              const std::vector<double>& edges);

}  // namespace orderlab::study
