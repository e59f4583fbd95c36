// Whether two runs agree in bits, in one line.
#pragma once

#include <cstdint>
#include <string>

#include "orderlab/metric_values.hpp"
#include "orderlab/study/sample.hpp"

namespace orderlab {

/// The metric same_bits, of `samples` samples (0: the distribution is known exactly); empty if it is null.
std::string same_bits_line(const SameBits& same, std::uint64_t samples);

/// Of two orders, not both of them fixed: how often a run of one differs from a run of the other. Else empty.
std::string differing_bits_line(const study::SampleFinding& finding, const std::vector<std::string>& labels);

}  // namespace orderlab
