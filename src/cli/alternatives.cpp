// orderlab alternatives: ways to do an operation, and what each costs and guarantees.
#include "orderlab/study/alternatives.hpp"

#include "cli/one_order.hpp"
#include "cli/operation_flags.hpp"
#include "cli/progress.hpp"
#include "orderlab/error.hpp"
#include "study/alternatives_options.hpp"

namespace orderlab::cli {

namespace {

constexpr auto kAlternativesFlags =
    joined(kOperationFlags, std::array{&kN, &kDistribution}, kFileFlags, std::array{&kFormat, &kSeed, &kInputSeed},
           std::array{&kOrder, &kArrival, &study::kAlternativesSamples, &study::kAdders, &study::kLatency, &kThreads},
           kOutputFlags);
constexpr const Options* kAlternativesTables[] = {&study::kAlternativesOptions};

int run_alternatives(const CommandLine& line, Session& session) {
  if (!has_operation(line))
    throw Error(ErrorKind::usage,
                "no operation: give --op NAME, such as --op index_add; `orderlab list operations` has them");
  study::AlternativesRequest request;
  if (const auto arrival = arrival_of_units(line, session.files)) request.arrival = *arrival;
  take(line, study::kAlternativesOptions, request);
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
    .options = kAlternativesTables,
    .run = run_alternatives,
};

}  // namespace orderlab::cli
