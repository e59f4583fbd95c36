// What a tolerance is asked for, and which draw it is, in words.
#pragma once

#include <cstdint>
#include <string>

namespace orderlab::study {

/// "coverage 0.999 with confidence 0.95", "coverage 0.999 of the largest of 100 outputs with confidence 0.95".
std::string level_in_words(double coverage, std::uint64_t outputs, double confidence);

/// "5th largest"; "largest" for rank 1.
std::string rank_in_words(std::uint64_t rank);

}  // namespace orderlab::study
