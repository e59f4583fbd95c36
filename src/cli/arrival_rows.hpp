// Recorded arrival orders, from any kind of file.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "arrival/recording.hpp"
#include "cli/command_line.hpp"
#include "describe/flag.hpp"
#include "orderlab/kernel.hpp"
#include "orderlab/parameters.hpp"

namespace orderlab::cli {

inline constexpr std::array kArrivalUnits{name_of(ArrivalUnit::thread_block), name_of(ArrivalUnit::warp)};
inline constexpr Flag kArrivalUnit{
    .key = "unit",
    .kind = FlagKind::word,
    .value = "UNIT",
    .help = "of a file of orderlab_capture --record: the units to order; default: those recorded",
    .words = kArrivalUnits};

/// What --unit says.
std::optional<ArrivalUnit> arrival_unit(const CommandLine& line);

/// The rows of a table (arrival/recording.hpp), or the tickets of a capture: of the launches that were alike, those
/// that were recorded most often.
///
/// Error(input) as parse_rows and read_capture; a capture without tickets. Error(usage) where the file does not have
/// the order of these units.
LaunchedRows read_arrivals(const std::string& path, std::optional<ArrivalUnit> unit);

/// The same in thread blocks, also where warps were recorded.
LaunchedRows read_block_arrivals(const std::string& path);

}  // namespace orderlab::cli
