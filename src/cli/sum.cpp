// orderlab sum: one fixed order.
#include "cli/sampling.hpp"
#include "orderlab/error.hpp"

namespace orderlab::cli {

namespace {

int run_sum(const CommandLine& line, Session& session) {
  SamplingPlan plan;
  plan.orders.push_back(order_of(line, session.files));
  plan.typed.push_back(line.text(kOrder));
  plan.seed = line.count(kSeed);
  plan.threads = threads_of(line);
  const Order& order = plan.orders[0];
  if (order.random()) {
    const bool arrives = !line.has(kArrival) && takes_arrival(line.text(kOrder));
    throw Error(ErrorKind::usage,
                "order " + order.expression() + ": is random and has no one sum; " +
                    (arrives ? "--arrival launch makes `arrive` fixed, `orderlab sample` draws many orders"
                             : "use `orderlab sample`, or a fixed order"));
  }
  colored(line, session);
  OutputTargets targets(line);
  check_orders(plan, line);
  return write_experiment(session, line, targets, "sum", study::SumFinding{run_plan(session, plan, load_input(line))});
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
