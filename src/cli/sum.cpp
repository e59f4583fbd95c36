// orderlab sum: one fixed order.
#include "cli/one_order.hpp"
#include "cli/progress.hpp"
#include "orderlab/error.hpp"
#include "orderlab/study/sample.hpp"

namespace orderlab::cli {

namespace {

int run_sum(const CommandLine& line, Session& session) {
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
    .summary = "one fixed order: the bits, the error, the bounds",
    .example = "orderlab sum --values 0.1,0.2,-0.3 --order sequential",
    .flags = kOneOrderFlags,
    .run = run_sum,
};

}  // namespace orderlab::cli
