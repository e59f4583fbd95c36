// orderlab explain: which kernel runs, what arrives together, which outputs can vary.
#include "cli/one_order.hpp"
#include "cli/operation_flags.hpp"
#include "cli/progress.hpp"
#include "orderlab/error.hpp"
#include "orderlab/study/operation.hpp"

namespace orderlab::cli {

namespace {

constexpr auto kExplainFlags =
    joined(kOperationFlags, std::array{&kN, &kDistribution}, kFileFlags, std::array{&kFormat, &kSeed, &kInputSeed},
           std::array{&kOrder, &kArrival, &kBatch}, kOutputFlags);

int run_explain(const CommandLine& line, Session& session) {
  if (!has_operation(line))
    throw Error(ErrorKind::usage,
                "no operation: give --op NAME, such as --op index_add; `orderlab list operations` has "
                "them");
  colored(line, session);
  OutputTargets targets(line);
  const study::Watch watch = watch_of(session, line, "explain");
  const study::ExplainFinding finding = explain(load_operation(line, session.files, watch), watch);
  write_report(session, line, targets, finding);
  return kDone;
}

}  // namespace

extern const Command kExplain;
const Command kExplain{
    .name = "explain",
    .summary = "which kernel an operation runs, what arrives together, which outputs can vary and why not the others",
    .example = "orderlab explain --op index_add --shape 1000x1000 --ratio 0.5 --gpu h100",
    .flags = kExplainFlags,
    .run = run_explain,
};

}  // namespace orderlab::cli
