// Arithmetic on counts that several stages need.
#pragma once

#include <cstddef>

#include "orderlab/format.hpp"
#include "orderlab/parameters.hpp"

namespace orderlab {

constexpr std::size_t ceil_div(std::size_t a, std::size_t b) { return a / b + (a % b != 0 ? 1 : 0); }

/// Partial sums left by a stage that adds each run of k, the last one being shorter if need be.
constexpr std::size_t runs_of(std::size_t m, std::size_t k) { return ceil_div(m, k); }

/// StageCode::unit of a stage that adds each run of its first argument.
inline std::size_t run_unit(const Arguments& arguments, std::size_t, Format) { return arguments.count(0); }

}  // namespace orderlab
