// How many samples a check draws.
#pragma once

#include <cstdint>
#include <optional>

namespace orderlab::study {

/// `asked`, or where that is empty check_samples.
///
/// Errors: usage for a confidence outside (0, 1), and for fewer samples than judge `given` results, or more than a
/// check can draw.
std::uint64_t samples_to_check(std::optional<std::uint64_t> asked, double confidence, std::uint64_t given,
                               std::uint64_t n, bool nonfinite);

}  // namespace orderlab::study
