// The flags of `tolerance`, and what they ask for.
#pragma once

#include <span>

#include "cli/one_order.hpp"
#include "orderlab/study/tolerance.hpp"

namespace orderlab::cli {

/// The flags, for the table of commands.
std::span<const Flag* const> tolerance_flags();
std::span<const Options* const> tolerance_options();

/// Error(usage) for values that are none, for flags that exclude each other, and as validate.
study::ToleranceRequest parse_tolerance(const CommandLine& line, FileTable& files);

/// The same of an operation.
study::OperationToleranceRequest parse_tolerance_of_operation(const CommandLine& line, FileTable& files);

}  // namespace orderlab::cli
