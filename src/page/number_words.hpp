// Numbers as a reader wants them in a sentence or a table.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace orderlab {

/// `digits` significant ones: "0.52", "57.3", "1.2×10⁻¹⁴", "10⁶", "∞".
std::string in_words(double value, int digits = 2);

/// Whole numbers: "4096", "10⁶", "1,234,567".
std::string count_in_words(std::uint64_t value);

/// "a, b and c".
std::string listed(const std::vector<std::string>& names);

}  // namespace orderlab
