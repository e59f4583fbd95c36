// What differs between runs of one program: numbers that it printed, and numbers that it copied back.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "host_program/settings.hpp"

namespace orderlab::host_program {

/// What one run printed and recorded.
struct ProgramRun {
  std::string output;
  Record record;
};

/// Numbers that the runs have in common, of which some vary.
struct Varying {
  std::string place;  ///< FILE:LINE of a copy; empty for the output
  std::string what;   ///< "line 3 of the output", "h_sum, copied back from d_sum"
  std::uint64_t numbers = 0;
  std::uint64_t varying = 0;
  std::uint64_t values = 0;  ///< the most different values of one of them; of the bytes where the numbers are the same
  std::string least;         ///< of these
  std::string greatest;
  std::vector<double> of_runs;  ///< that number in each run; empty where the form differs, or no kept number
  std::string reason;           ///< which kernels' orders it may come from

  friend bool operator==(const Varying&, const Varying&) = default;
};

struct Comparison {
  std::vector<Varying> varying;
  std::uint64_t dropped = 0;  ///< lines and copies of which something differs with the same order, too
};

/// What varies between `runs`, of each of which another order was drawn. What also differs between the first of them
/// and one of `again`, the same order again, such as a time, is not compared.
///
/// Shape: at least one run. `watched`: names of variables; empty: all copies and all that was printed.
Comparison compare_runs(std::span<const ProgramRun> runs, std::span<const ProgramRun> again,
                        std::span<const std::string> watched);

}  // namespace orderlab::host_program
