// What a tolerance is asked for, and which draw it is, in words.
#pragma once

#include <cstdint>
#include <string>

namespace orderlab::study {

/// "5th largest"; "largest" for rank 1.
std::string rank_in_words(std::uint64_t rank);

}  // namespace orderlab::study
