// What `host` found, and its text, CSV and JSON.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "host_program/settings.hpp"
#include "host_program/varying.hpp"
#include "show/text_style.hpp"

namespace orderlab {

struct HostFinding {
  std::vector<std::string> files;
  std::vector<std::string> arguments;  ///< of the program
  std::uint64_t seed = 1;
  std::uint64_t runs = 1;
  std::string check;      ///< as asked
  std::string warp_sync;  ///< as asked
  std::vector<std::string> watched;
  std::vector<host_program::Finding> findings;  ///< of the first run
  std::vector<host_program::Varying> varying;
  std::vector<host_program::LaunchCount> launches;  ///< of the first run
  std::int64_t exit_status = 0;                     ///< of the program; -1 where it has none
  std::string ending;  ///< how it ended: "exit status 3", "crashed (SIGSEGV)", "stopped at a fault"
  bool partial = false;

  std::uint64_t blocks() const;
  std::uint64_t checked() const;
};

std::string to_text(const HostFinding& finding, const TextStyle& style);

/// One row for each finding.
std::string to_csv(const HostFinding& finding);

std::string to_json(const HostFinding& finding);

}  // namespace orderlab
