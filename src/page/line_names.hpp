// Names at the right ends of lines, in place of a legend.
#pragma once

#include <string>
#include <vector>

#include "page/vega_lite.hpp"

namespace orderlab::vega {

/// Writes the name of each line at its end and takes the legends away, where in every panel the names are short, apart
/// from each other and at the right edge. Returns the width that names take of a panel (Grid::aside), 0 where they do
/// not fit and nothing changes. Lines go through the rows of `kinds`; their color says which row is whose.
double name_lines(std::vector<Panel>& panels, const std::vector<std::string>& kinds);

}  // namespace orderlab::vega
