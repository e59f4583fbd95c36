// Which options of an operation exclude each other, or say nothing of it: for the command line and for configs.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "describe/flag.hpp"
#include "orderlab/operation.hpp"

namespace orderlab::study {

/// What was given: for one operation, or for all points of a sweep.
struct GivenOptions {
  std::vector<const OperationCall*> operations;  ///< one or more
  bool sums = false;                             ///< some points are sums
  bool files = false;                            ///< some inputs are files
  bool generated = false;                        ///< some inputs are generated
  std::function<bool(const Flag&)> has;
};

/// An option that cannot stand with the others, and why: names of options are in backticks.
struct OptionProblem {
  const Flag* flag;
  std::string why;
};

/// The first one; empty where all can stand together.
std::optional<OptionProblem> option_problem(const GivenOptions& given);

/// Why an option of operations is refused where there is none.
inline constexpr std::string_view kNeedsOperation =
    "is about operations with many outputs; name one with `op`, such as index_add";

}  // namespace orderlab::study
