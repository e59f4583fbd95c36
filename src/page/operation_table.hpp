// All points that are operations as a table.
#pragma once

#include <string>

#include "page/sweep_content.hpp"

namespace orderlab {

/// HTML; empty where no point is an operation.
std::string operation_table(const SweepContent& content);

}  // namespace orderlab
