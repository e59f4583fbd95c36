// The rate of rare events.
#pragma once

#include <cstdint>

#include "orderlab/study/infer.hpp"

namespace orderlab::study {

/// Events per 1000 trials, with the 95 % interval of Poisson's distribution, at most 1000.
Interval95 per_thousand(std::uint64_t events, std::uint64_t trials);

}  // namespace orderlab::study
