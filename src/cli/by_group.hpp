// --by: one answer for each group of rows of a table.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/input_flags.hpp"
#include "cli/one_order.hpp"
#include "cli/output_options.hpp"
#include "cli/progress.hpp"
#include "core/stop.hpp"
#include "study/group_options.hpp"
#include "study/groups.hpp"
#include "terms/group_file.hpp"

namespace orderlab::cli {

using study::kBy;

/// The groups of the table that `flag` names. Error(usage) for flags that do not go with --by.
std::vector<FieldGroup> groups_of(const CommandLine& line, const Flag& flag);

/// The terms of a group, in the formats that were asked for.
study::Input input_of_group(const CommandLine& line, const FieldGroup& group, const study::Watch& watch);

/// An error of the same kind that says what `error` does, with the group that it is about.
[[noreturn]] void refuse_group(const CommandLine& line, const FieldGroup& group, const Error& error);

/// Writes the report. Returns the exit status: no where a group has no answer, or results that order does not explain.
int report_groups(Session& session, const CommandLine& line, OutputTargets& targets,
                  const study::GroupsFinding& finding);

/// What answer(input, group) finds of a group; where that is nothing, it was interrupted. More than the command can do
/// is a group without an answer.
template <class Answer>
study::GroupAnswer answer_for(const study::Input& input, const FieldGroup& group, Answer answer) {
  try {
    const auto found = answer(input, group);
    if (!found) throw Stopped();
    return study::group_answer(group.name, *found);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::unsupported) throw;
    return study::group_without_answer(group.name, input.facts, error.what());
  }
}

/// Adds what answer(input, group) finds of each of `groups` to `finding`. Errors: those of the first group that is at
/// fault; unsupported where no group has an answer.
template <class Answer>
void answer_groups(const CommandLine& line, const std::vector<FieldGroup>& groups, study::GroupsFinding& finding,
                   const study::Watch& watch, Answer answer) {
  for (const FieldGroup& group : groups) {
    try {
      const study::Input input = input_of_group(line, group, watch);
      finding.formats = input.facts.formats;
      finding.groups.push_back(answer_for(input, group, answer));
    } catch (const Error& error) {
      refuse_group(line, group, error);
    }
  }
  const auto unanswered = [](const study::GroupAnswer& one) { return !one.problem.empty(); };
  if (std::ranges::all_of(finding.groups, unanswered))
    refuse_group(line, groups.front(), Error(ErrorKind::unsupported, finding.groups.front().problem));
}

}  // namespace orderlab::cli
