// The error bounds that stand beside a tolerance.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "orderlab/study/tolerance.hpp"

namespace orderlab::study {

/// Proven and probabilistic bounds of the runs seen, twice them between two runs; infinite where one overflowed.
/// `sum_abs`: sum |x_i|.
std::vector<BesideBound> bounds_beside(const DeviationTally& runs, const Formats& formats, std::uint64_t n,
                                       double sum_abs, Against against);

/// The same for runs on inputs of their own. What goes by sum |x_i| alone is proven for every input where no term is
/// larger than `largest_term`; all else holds for the inputs that were drawn.
std::vector<BesideBound> bounds_beside_inputs(const DeviationTally& runs, const Formats& formats, std::uint64_t n,
                                              std::optional<double> largest_term, Against against);

}  // namespace orderlab::study
