// orderlab enumerate: every result of an order, with its exact probability.
#include "orderlab/study/enumerate.hpp"

#include "cli/by_group.hpp"
#include "cli/one_order.hpp"
#include "cli/operation_flags.hpp"
#include "cli/progress.hpp"
#include "orderlab/error.hpp"
#include "study/sample_options.hpp"

namespace orderlab::cli {

namespace {

constexpr auto kEnumerateFlags =
    joined(kOneOrderFlags, kOperationFlags, std::array{&kBy, &kMemory, &kBaseline, &study::kListedDistinct});
constexpr const Options* kEnumerateTables[] = {&study::kEnumerateOptions, &study::kEnumerateOperationOptions};

int run_enumerate_operation(const CommandLine& line, Session& session) {
  for (const Flag* flag : {&kArrival, &kMemory, &study::kListedDistinct})
    if (line.has(*flag))
      throw Error(ErrorKind::usage, line.quoted(*flag) +
                                        ": leave it out with --op, where all arrival orders of the "
                                        "units are equally likely");
  study::OperationEnumerateRequest request;
  take(line, study::kEnumerateOperationOptions, request);
  if (line.has(kBaseline)) request.baseline = study::output_baseline_of(line.text(kBaseline));
  colored(line, session);
  OutputTargets targets(line);
  const study::Watch watch = watch_of(session, line, "enumerate");
  const auto finding = enumerate_operation(load_operation(line, session.files, watch), request, watch);
  if (!finding) return interrupted(session, "enumerate", "all outputs were enumerated");
  write_report(session, line, targets, *finding);
  return kDone;
}

int run_enumerate(const CommandLine& line, Session& session) {
  if (has_operation(line)) return run_enumerate_operation(line, session);
  study::EnumerateRequest request{.order = order_of(line, session.files), .baseline = baseline_of(line, session.files)};
  take(line, study::kEnumerateOptions, request);
  validate(request);
  colored(line, session);
  OutputTargets targets(line);

  const study::Watch watch = watch_of(session, line, "enumerate");
  if (line.has(kBy)) {
    study::GroupsFinding groups{.command = "enumerate", .by = line.text(kBy), .seed = request.seed};
    groups.max_distinct = request.max_distinct;
    if (request.baseline) groups.baseline = request.baseline->expression();
    answer_groups(line, groups_of(line, kInput), groups, watch, [&](const study::Input& input, const FieldGroup&) {
      auto finding = enumerate(input, request, watch);
      if (finding) groups.asked = finding->order.asked;
      if (finding) groups.name = finding->order.name;
      return finding;
    });
    return report_groups(session, line, targets, groups);
  }
  const auto finding = enumerate(load_input(line, watch), request, watch);
  if (!finding) return interrupted(session, "enumerate", "all orders were enumerated");
  write_report(session, line, targets, *finding);
  return kDone;
}

}  // namespace

extern const Command kEnumerate;
const Command kEnumerate{
    .name = "enumerate",
    .summary = "every result that few partial sums can give, with its exact probability",
    .example = "orderlab enumerate --n 12 --dist 'normal(0,1)' --format fp32 --order random",
    .flags = kEnumerateFlags,
    .options = kEnumerateTables,
    .run = run_enumerate,
};

}  // namespace orderlab::cli
