// The error bounds that stand beside a tolerance.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "orderlab/study/tolerance.hpp"

namespace orderlab::study {

/// The sums of a comparison. Its bound is that of the one sum, or of both added.
struct ComparedSums {
  std::uint64_t n = 0;
  Formats formats;
  Against against = Against::exact;
  std::optional<Formats> other;      ///< of Against::order
  const Plan* plan = nullptr;        ///< what adds the one sum
  const Plan* other_plan = nullptr;  ///< and the other, where there is one
};

/// Proven and probabilistic bounds of the runs seen; infinite where one overflowed. `sum_abs`: sum |x_i|.
std::vector<BesideBound> bounds_beside(const DeviationTally& runs, const ComparedSums& sums, double sum_abs);

/// The same for runs on inputs of their own. What goes by sum |x_i| alone is proven for every input where no term is
/// larger than `largest_term`; all else holds for the inputs that were drawn.
std::vector<BesideBound> bounds_beside_inputs(const DeviationTally& runs, const ComparedSums& sums,
                                              std::optional<double> largest_term);

}  // namespace orderlab::study
