// Lists of the results that outputs can have, and how far results lie from the exact one.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "operation/exact_outputs.hpp"
#include "operation/row_outcomes.hpp"
#include "orderlab/output_sums.hpp"
#include "orderlab/study/operation_outcomes.hpp"

namespace orderlab::study {

/// The model of which exact probabilities are: every arrival order equally likely.
ArrivalCall uniform_arrivals();

/// Sets results[i] to those of varying output i, none where its units are too many, or have more subsets than `sets`.
/// Errors: Stopped.
void list_outcomes(const OutputSums& sums, int threads, const Watch& watch,
                   std::vector<std::vector<OutputResult>>& results, std::size_t sets = RowOutcomeFinder::kMemory);

/// Mean share of outputs with other bits than `baseline` over all arrival orders, equally likely; empty where that
/// would take long, as some output has many contributions, and when stopped.
std::optional<double> quick_expected_share(const OutputSums& sums, const Terms& baseline, int threads,
                                           const Watch& watch);

/// Greatest - least of the results that are numbers, in ulps of the exact result.
double movement_ulp(const ExactRows& exact, std::size_t r, Format format, const std::vector<OutputResult>& results);

}  // namespace orderlab::study
