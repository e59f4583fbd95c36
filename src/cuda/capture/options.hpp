// The command line of the capture program. Plain C++.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace orderlab::cuda {

/// What the user asked for; an empty text is an option not given.
struct CaptureOptions {
  bool help = false;
  bool list = false;
  bool quick = false;
  bool bench = false;
  std::string kernel;   ///< only this one
  std::string out;      ///< file of the capture, or of the prices as CSV; empty: standard output
  std::string tickets;  ///< file of arrival orders
  std::string record;   ///< folder of recorded arrivals
};

/// Error(usage) for an unknown option, one without its value, or one given twice.
CaptureOptions parse_capture_options(std::span<const char* const> arguments);

/// What --help prints.
std::string capture_help();

}  // namespace orderlab::cuda
