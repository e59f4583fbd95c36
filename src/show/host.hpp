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
  std::vector<std::string> includes;   ///< folders of headers
  std::vector<std::string> defines;    ///< macros
  std::string standard;                ///< language of the sources, as asked
  std::vector<std::string> arguments;  ///< of the program
  std::uint64_t seed = 1;
  std::uint64_t runs = 1;
  std::string check;  ///< as asked
  std::uint64_t gpus = 1;
  std::string warp_sync;  ///< as asked
  std::vector<std::string> watched;
  std::vector<host_program::Finding> findings;  ///< of the first run, and what others show beside
  std::vector<host_program::Varying> varying;
  std::vector<host_program::LaunchCount> launches;  ///< of the first run
  std::int64_t exit_status = 0;                     ///< of the program; -1 where it has none
  bool crashed = false;       ///< ended by a signal: it has no exit status then, and no fault at which it was stopped
  std::string ending;         ///< how it ended: "exit status 3", "crashed (SIGSEGV)", "stopped at the fault"
  bool was_compared = false;  ///< several runs ended, and were compared
  std::uint64_t not_compared = 0;  ///< lines and copies that differ with the same order, too
  bool partial = false;

  std::uint64_t blocks() const;
  std::uint64_t checked() const;
};

std::string to_text(const HostFinding& finding, const TextStyle& style);

/// "line 1 of the output: 1 of 2 numbers varies over 10 runs: 5 values from 12.09 to 12.1"
std::string varying_in_words(const host_program::Varying& one, std::uint64_t runs);

/// "2 launches, all 8 thread blocks checked"
std::string launches_in_words(const HostFinding& finding);

/// One row for each finding.
std::string to_csv(const HostFinding& finding);

std::string to_json(const HostFinding& finding);

}  // namespace orderlab
