// Recorded arrival orders, from any kind of file.
#pragma once

#include <memory>
#include <string>

#include "orderlab/parameters.hpp"

namespace orderlab::cli {

/// The rows of a table (arrival/recording.hpp), or the tickets of a capture: of the launches that were alike, those
/// that were recorded most often.
///
/// Error(input) as read_rows and read_capture; a capture without tickets.
std::shared_ptr<const Rows> read_arrivals(const std::string& path);

}  // namespace orderlab::cli
