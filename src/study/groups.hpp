// One question asked of the terms of every group of a table: what of each answer stands in one table.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "orderlab/study/check.hpp"
#include "orderlab/study/enumerate.hpp"
#include "orderlab/study/sample.hpp"
#include "orderlab/study/tolerance.hpp"

namespace orderlab::study {

/// The answer for one group. What its command does not say is empty.
struct GroupAnswer {
  std::string group;                       ///< the text in the column that rows are grouped by
  InputFacts input;                        ///< of the group's terms
  std::optional<std::uint64_t> results;    ///< different ones: of all orders, or of those that were drawn
  std::optional<std::uint64_t> more_than;  ///< which the results exceed, where they were too many to count
  std::optional<double> least;
  std::optional<double> greatest;
  std::optional<double> largest_error;  ///< relative
  std::optional<double> same_bits;      ///< probability that two runs give the same bits
  std::optional<double> tolerance;      ///< relative
  std::string verdict;                  ///< of results that were given
  std::string problem;                  ///< why there is no answer; empty where there is one
};

/// No answer, for a group that its command cannot answer for.
GroupAnswer group_without_answer(std::string group, const InputFacts& input, std::string problem);

GroupAnswer group_answer(std::string group, const EnumerateFinding& finding);

/// Of the one order that was asked about.
GroupAnswer group_answer(std::string group, const SampleFinding& finding);
GroupAnswer group_answer(std::string group, const CheckFinding& finding);
GroupAnswer group_answer(std::string group, const ToleranceFinding& finding);

struct GroupsFinding {
  std::string command;  ///< whose question it is
  std::string by;       ///< the column
  AskedOrder asked = {};
  std::string name = {};  ///< of the order; empty for an expression
  Formats formats = {};
  std::uint64_t seed = 1;
  std::optional<std::uint64_t> samples = {};  ///< of each group, where orders are drawn

  // What else the command was asked, where it takes that.
  std::optional<double> confidence = {};  ///< of all groups together
  std::optional<double> coverage = {};
  std::string against = {};  ///< what results are compared with
  std::string baseline = {};
  std::optional<std::uint64_t> max_distinct = {};
  std::string ftz = {};

  std::optional<std::uint64_t> rounded = {};  ///< results that were given, and rounded
  std::vector<GroupAnswer> groups = {};       ///< in the order in which they come first
};

}  // namespace orderlab::study
