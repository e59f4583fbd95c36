// orderlab sum: one fixed order.
#include <memory>

#include "cli/sampling.hpp"
#include "orderlab/error.hpp"

namespace orderlab::cli {

namespace {

int run(const CommonOptions& options, Session& session) {
  SamplingPlan plan;
  plan.command = "sum";
  plan.orders = options.order.parse();
  plan.seed = options.input.seed_value();
  plan.threads = parse_threads(options.threads);
  const Order& order = plan.orders[0];
  if (order.random()) {
    const bool arrives = options.order.arrival.empty() && takes_arrival(options.order.orders[0]);
    throw Error(ErrorKind::usage,
                "order " + order.expression() + ": is random and has no one sum; " +
                    (arrives ? "--arrival launch makes `arrive` fixed, `orderlab sample` draws many orders"
                             : "use `orderlab sample`, or a fixed order"));
  }
  options.output.colored(session);
  OutputTargets targets(options.output, options.input.files());
  check_orders(plan, options.input);
  return write_experiment(session, options.output, targets, run_plan(session, plan, load_input(options.input)));
}

}  // namespace

extern const Command kSum;
const Command kSum{
    .name = "sum",
    .summary = "one fixed order: the bits, the error, the bounds",
    .example = "orderlab sum --values 0.1,0.2,-0.3 --order sequential",
    .define = [](CLI::App& app) -> std::function<int(Session&)> {
      const auto options = std::make_shared<CommonOptions>();
      options->add_to(app, false);
      return [options](Session& session) { return run(*options, session); };
    },
};

}  // namespace orderlab::cli
