// The data of a chart as a table, for readers without scripts.
#pragma once

#include <cstddef>
#include <string>

#include "page/chart.hpp"

namespace orderlab {

/// Rows of such a table; of more, as many, evenly apart.
inline constexpr std::size_t kStaticRows = 40;

/// HTML that only browsers without scripts show: what the tooltips of the marks say, else the figure's own table.
std::string chart_table(const Figure& figure);

}  // namespace orderlab
