// Is there a recorded arrival model for what arrives here?
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "orderlab/order.hpp"
#include "orderlab/study/sample.hpp"

namespace orderlab::study {

/// The named arrival that may replace the uniform arrivals of `order` without a warning, for n terms; empty where there
/// is none. `arriving` partial sums arrive.
std::optional<ArrivalAdvice> arrival_advice(const Order& order, std::size_t n, Format accumulate, std::size_t arriving,
                                            std::uint64_t seed);

}  // namespace orderlab::study
