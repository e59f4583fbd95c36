// Decimals as whole numbers of one unit, so that sums of them are exact.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace orderlab {

/// Each number over the largest power of ten of which the shortest decimals of all are multiples; below 2^53 each.
/// Empty where there is no such power.
///
/// Shape: finite.
std::optional<std::vector<std::int64_t>> whole_units(std::span<const double> numbers);

/// Divides all by their greatest common divisor; zeros alone stay.
void divide_by_common_divisor(std::span<std::int64_t> numbers);

}  // namespace orderlab
