// Grouping the rows of a table.
#pragma once

#include "describe/flag.hpp"

namespace orderlab::study {

inline constexpr Flag kBy{.key = "by",
                          .value = "COLUMN",
                          .help = "one answer for each group of rows of a table that have the same in COLUMN",
                          .config_help = "Column of the table whose texts rows are grouped by",
                          .group = "Input"};

}  // namespace orderlab::study
