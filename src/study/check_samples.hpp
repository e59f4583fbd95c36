// How many samples a check draws.
#pragma once

#include <cstdint>
#include <optional>

#include "orderlab/check.hpp"

namespace orderlab::study {

/// The most that a check can draw: its samples are none of `sample`'s.
inline constexpr std::uint64_t kMostCheckSamples = RandomStream::kSampleLimit - kFirstCheckSample;

/// `asked`, or where that is empty check_samples.
///
/// Errors: usage for a confidence outside (0, 1), and for fewer samples than judge `given` results.
std::uint64_t samples_to_check(std::optional<std::uint64_t> asked, double confidence, std::uint64_t given,
                               std::uint64_t n, bool nonfinite);

}  // namespace orderlab::study
