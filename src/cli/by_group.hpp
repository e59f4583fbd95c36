// --by: one answer for each group of rows of a table.
#pragma once

#include <optional>
#include <string>
#include <utility>

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

/// The groups of --input. Error(usage) for flags that do not go with --by.
std::vector<FieldGroup> groups_of(const CommandLine& line, const Flag& flag);

/// The terms of a group, in the formats that were asked for.
study::Input input_of_group(const CommandLine& line, const FieldGroup& group, const study::Watch& watch);

/// Error(input): what `error` says, with the group that it is about.
[[noreturn]] void refuse_group(const CommandLine& line, const FieldGroup& group, const Error& error);

/// Writes the report. Returns the exit status.
int report_groups(Session& session, const CommandLine& line, OutputTargets& targets,
                  const study::GroupsFinding& finding);

/// Adds what answer(input, group) finds of each group to `finding`; where that is nothing, it was interrupted.
template <class Answer>
void answer_groups(const CommandLine& line, study::GroupsFinding& finding, const study::Watch& watch, Answer answer) {
  for (const FieldGroup& group : groups_of(line, kInput)) {
    try {
      study::Input input = input_of_group(line, group, watch);
      finding.formats = input.facts.formats;
      auto found = answer(input, group);
      if (!found) throw Stopped();
      finding.groups.push_back(study::group_answer(group.name, *found));
    } catch (const Error& error) {
      refuse_group(line, group, error);
    }
  }
}

}  // namespace orderlab::cli
