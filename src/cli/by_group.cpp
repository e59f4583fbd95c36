#include "cli/by_group.hpp"

#include <algorithm>

#include "orderlab/error.hpp"

namespace orderlab::cli {

std::vector<FieldGroup> groups_of(const CommandLine& line, const Flag& flag) {
  if (!line.has(kInput) || line.has(kN) || line.has(kWith) || line.has(kInputAxis))
    throw Error(ErrorKind::usage, line.quoted(kBy) +
                                      ": groups the rows of a table; give --input FILE::NAME, and no "
                                      "--n, --with or --axis");
  if (line.array(flag) != nullptr)
    throw Error(ErrorKind::usage, line.quoted(kBy) + ": groups the rows of a file; an array has none");
  return read_groups(source_of(line, flag), line.text(kBy));
}

study::Input input_of_group(const CommandLine& line, const FieldGroup& group, const study::Watch& watch) {
  const auto asked = line.has(kFormat) ? std::optional(parse_formats(line.text(kFormat))) : std::nullopt;
  Terms terms = terms_of_group(group, source_of(line, kInput), asked ? std::optional(asked->terms) : std::nullopt);
  const int threads = threads_of(line);
  return asked ? study::given_input(std::move(terms), *asked, threads, watch)
               : study::given_input(std::move(terms), threads, watch);
}

int report_groups(Session& session, const CommandLine& line, OutputTargets& targets,
                  const study::GroupsFinding& finding) {
  write_report(session, line, targets, finding);
  const auto good = [](const study::GroupAnswer& a) {
    return a.problem.empty() && (a.verdict.empty() || a.verdict == "explained");
  };
  return std::ranges::all_of(finding.groups, good) ? kDone : kExitNo;
}

void refuse_group(const CommandLine& line, const FieldGroup& group, const Error& error) {
  throw Error(error.kind(), line.text(kBy) + " " + group.name + ": " + error.what());
}

}  // namespace orderlab::cli
