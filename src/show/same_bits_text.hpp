// Whether two runs agree in bits, in one line.
#pragma once

#include <cstdint>
#include <string>

#include "orderlab/metrics.hpp"
#include "orderlab/study/sample.hpp"

namespace orderlab {

/// The metric same_bits, of `samples` samples (0: the distribution is known exactly); empty if it is null.
std::string same_bits_line(const SameBits& same, std::uint64_t samples);

/// How often a run of one order differs from a run of the other; empty unless there are two, not both of them fixed.
std::string differing_bits_line(const study::SampleFinding& finding, const std::vector<std::string>& labels);

}  // namespace orderlab
