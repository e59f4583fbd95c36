// orderlab sum: one fixed order.
#include "cli/one_order.hpp"
#include "cli/operation_flags.hpp"
#include "cli/progress.hpp"
#include "orderlab/error.hpp"
#include "orderlab/study/sample.hpp"

namespace orderlab::cli {

namespace {

constexpr Flag kSumNpy{.key = "npy",
                       .kind = FlagKind::writes,
                       .value = "FILE",
                       .help = "of an operation: write the results as .npy, in the shape of the output",
                       .group = "Output"};
constexpr auto kSumFlags =
    joined(kInputFlags, kOperationFlags, std::array{&kOrder, &kArrival, &kThreads}, kOutputFlags, std::array{&kSumNpy});

int run_sum_operation(const CommandLine& line, Session& session) {
  colored(line, session);
  OutputTargets targets(line);
  const OutputTarget npy = targets.further(line, kSumNpy);
  const study::AskedArrival arrival = arrival_of_units(line, session.files).value_or("uniform");
  const study::Watch watch = watch_of(session, line, "sum");
  const study::OperationSumFinding finding =
      sum_operation(load_operation(line, session.files, watch), arrival, threads_of(line), watch);
  const InPhase reporting(session, Phase::reporting);
  write_report(session, line, targets, finding);
  if (npy.wanted()) npy.write(session, to_npy(finding));
  return kDone;
}

int run_sum(const CommandLine& line, Session& session) {
  if (has_operation(line)) return run_sum_operation(line, session);
  if (line.has(kSumNpy)) throw Error(ErrorKind::usage, line.quoted(kSumNpy) + ": needs an operation; add --op NAME");
  const study::SumRequest request{
      .order = order_of(line, session.files), .seed = line.count(kSeed), .threads = threads_of(line)};
  if (request.order.random()) {
    const bool arrives = !line.has(kArrival) && takes_arrival(line.text(kOrder));
    throw Error(ErrorKind::usage,
                "order " + request.order.expression() + ": is random and has no one sum; " +
                    (arrives ? "--arrival launch makes `arrive` fixed, `orderlab sample` draws many orders"
                             : "use `orderlab sample`, or a fixed order"));
  }
  colored(line, session);
  OutputTargets targets(line);
  check_order(request.order, line);

  const study::Watch watch = watch_of(session, line, "sum");
  study::SumFinding finding = sum(load_input(line, watch), request, watch);
  if (finding.orders.empty()) return interrupted(session, "sum", "the first sample was done");
  finding.asked[0].typed = line.text(kOrder);
  write_report(session, line, targets, finding);
  return kDone;
}

}  // namespace

extern const Command kSum;
const Command kSum{
    .name = "sum",
    .summary = "one fixed order: the bits, the error, the bounds; of an operation, all outputs",
    .example = "orderlab sum --values 0.1,0.2,-0.3 --order sequential",
    .flags = kSumFlags,
    .run = run_sum,
};

}  // namespace orderlab::cli
