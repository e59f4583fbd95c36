// The table of a page's points.
#pragma once

#include <cstddef>
#include <string>

#include "page/sweep_content.hpp"

namespace orderlab {

/// More rows are not shown, and the table says so.
inline constexpr std::size_t kTableRows = 1000;

/// One row for all inputs of an order: what varies, samples, and what was measured.
std::string point_table(const SweepContent& content);

/// "orders 1, terms 1; inputs 0 to 19", and where several distributions are compared, that they are not independent.
std::string seeds_in_words(const SweepContent& content);

}  // namespace orderlab
