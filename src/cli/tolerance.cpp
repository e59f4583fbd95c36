// orderlab tolerance: what to pass to a compare call.
#include "orderlab/study/tolerance.hpp"

#include <optional>
#include <string>

#include "cli/by_group.hpp"
#include "cli/operation_flags.hpp"
#include "cli/progress.hpp"
#include "cli/tolerance_request.hpp"
#include "core/enum_names.hpp"
#include "study/tolerance_words.hpp"

namespace orderlab::cli {

namespace {

int run_tolerance_operation(const CommandLine& line, Session& session) {
  const study::OperationToleranceRequest request = parse_tolerance_of_operation(line, session.files);
  colored(line, session);
  OutputTargets targets(line);
  const study::Watch watch = watch_of(session, line, "tolerance");
  const auto finding = tolerance_of_operation(load_operation(line, session.files, watch), request, watch);
  if (finding.rank == 0) return interrupted(session, "tolerance", "enough draws for a limit were done");
  write_report(session, line, targets, finding);
  if (finding.partial) return kInterrupted;
  return has_limit(finding) ? kDone : kExitNo;
}

int run_tolerance(const CommandLine& line, Session& session) {
  if (has_operation(line)) return run_tolerance_operation(line, session);
  const study::ToleranceRequest request = parse_tolerance(line, session.files);
  colored(line, session);
  OutputTargets targets(line);
  check_order(request.order, line);

  const study::Watch watch = watch_of(session, line, "tolerance");
  if (line.has(kBy)) {
    study::GroupsFinding groups{.command = "tolerance", .by = line.text(kBy), .seed = request.seed};
    groups.confidence = request.confidence;
    groups.coverage = request.coverage;
    answer_groups(line, groups_of(line, kInput), groups, watch, [&](const study::Input& input, const FieldGroup&) {
      std::optional<study::ToleranceFinding> finding = tolerance(input, request, watch);
      if (finding->partial) finding.reset();
      if (finding) groups.asked = finding->asked;
      if (finding) groups.name = finding->name;
      if (finding)
        groups.against = finding->other ? finding->other->asked.expression : std::string(name_of(finding->against));
      return finding;
    });
    return report_groups(session, line, targets, groups);
  }
  const study::ToleranceFinding finding = tolerance(load_input(line, watch), request, watch);
  if (finding.method == study::ToleranceMethod::sampled && finding.rank == 0) {
    session.err << "orderlab: tolerance: interrupted after " << finding.draws << " draws; "
                << study::level_in_words(request.coverage, request.outputs, request.confidence) << " takes at least "
                << needed_samples(coverage_of_one(request.coverage, request.outputs), request.confidence) << "\n";
    return kInterrupted;
  }
  write_report(session, line, targets, finding);
  if (finding.partial) return kInterrupted;
  return has_limit(finding) ? kDone : kExitNo;
}

std::string notes_of_tolerance() {
  return "Without --order the answer is that of random permutations, added one at a time. Terms in no particular\n"
         "order usually err less when added by lanes, threads or GPUs; sorted or grouped terms can err more, so name\n"
         "your order. A list of the usual orders follows the answer.\n";
}

}  // namespace

extern const Command kTolerance;
const Command kTolerance{
    .name = "tolerance",
    .summary = "what to pass to a compare call, with coverage and confidence",
    .example = "orderlab tolerance --n 1e5 --order warp --format fp32 --coverage 0.999 --confidence 0.95",
    .flags = tolerance_flags(),
    .options = tolerance_options(),
    .run = run_tolerance,
    .notes = notes_of_tolerance,
};

}  // namespace orderlab::cli
