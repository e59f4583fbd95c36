// Recorded arrival orders, from any kind of file.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "orderlab/kernel.hpp"
#include "orderlab/parameters.hpp"

namespace orderlab::cli {

/// The rows of a table (arrival/recording.hpp), or the tickets of a capture: of the launches that were alike, those
/// that were recorded most often.
///
/// Error(input) as parse_rows and read_capture; a capture without tickets. Error(usage) where the file does not have
/// the order of these units.
std::shared_ptr<const Rows> read_arrivals(const std::string& path, std::optional<ArrivalUnit> unit);

}  // namespace orderlab::cli
