// orderlab alternatives: ways to do an operation, and what each costs and guarantees.
#include "orderlab/study/alternatives.hpp"

#include "cli/one_order.hpp"
#include "cli/operation_flags.hpp"
#include "cli/progress.hpp"
#include "config/axis.hpp"
#include "orderlab/error.hpp"

namespace orderlab::cli {

namespace {

const Flag kRuns{.name = "--samples",
                 .kind = FlagKind::count,
                 .value = "COUNT",
                 .fallback = axes::kSamples.default_text,
                 .help = "runs of the operation to draw"};
constexpr Flag kAdders{.name = "--adders",
                       .kind = FlagKind::count,
                       .value = "P",
                       .help = "adders that work at once, for a lower bound on cycles"};
constexpr Flag kLatency{.name = "--latency",
                        .kind = FlagKind::count,
                        .value = "L",
                        .help = "cycles that an addition takes, for a lower bound on cycles"};
constexpr auto kAlternativesFlags =
    joined(kOperationFlags, std::array{&kN, &kDistribution, &kInput, &kWith, &kFormat, &kSeed, &kInputSeed},
           std::array{&kOrder, &kArrival, &kRuns, &kAdders, &kLatency, &kThreads}, kOutputFlags);

int run_alternatives(const CommandLine& line, Session& session) {
  if (!has_operation(line))
    throw Error(ErrorKind::usage,
                "no operation: give --op NAME, such as --op index_add; `orderlab list operations` has them");
  study::AlternativesRequest request;
  request.arrival = arrival_of_units(line);
  request.samples = line.count(kRuns, 1);
  request.seed = line.count(kSeed);
  request.threads = threads_of(line);
  if (line.has(kAdders)) request.adders = line.count(kAdders, 1);
  if (line.has(kLatency)) request.latency = line.count(kLatency, 1);
  validate(request);
  colored(line, session);
  OutputTargets targets(line);
  const study::Watch watch = watch_of(session, line, "alternatives");
  const auto finding = find_alternatives(load_operation(line, session.files, watch), request, watch);
  if (!finding) return interrupted(session, "alternatives", "the first sample was done");
  write_report(session, line, targets, *finding);
  return finding->partial ? kInterrupted : kDone;
}

}  // namespace

extern const Command kAlternatives;
const Command kAlternatives{
    .name = "alternatives",
    .summary = "ways to do an operation: which give the same bits, how far each errs, what it costs",
    .example = "orderlab alternatives --op index_add --shape 1000x1000 --ratio 0.5",
    .flags = kAlternativesFlags,
    .run = run_alternatives,
};

}  // namespace orderlab::cli
