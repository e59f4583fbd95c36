// orderlab enumerate: every result of an order, with its exact probability.
#include <memory>

#include "cli/enumerating.hpp"
#include "cli/sampling.hpp"
#include "core/text.hpp"
#include "orderlab/error.hpp"
#include "report/enumeration_csv.hpp"
#include "report/enumeration_json.hpp"
#include "report/enumeration_text.hpp"

namespace orderlab::cli {

namespace {

struct Options : CommonOptions {
  std::string memory;
  std::string baseline;
  std::string max_distinct = "2^20";
};

int run(const Options& options, Session& session) {
  const Order order = options.order.parse()[0];
  const double memory = memory_budget(options.memory);
  const int threads = parse_threads(options.threads);
  const std::uint64_t max_distinct = parse_count("--max-distinct", options.max_distinct, 2);
  std::optional<Order> baseline;
  if (!options.baseline.empty()) baseline = parse_baseline(options.baseline);
  options.output.colored(session);
  OutputTargets targets(options.output, options.input.files());

  const Input input = load_input(options.input);
  if (baseline) baseline->check(input.report.n, input.report.products, input.report.formats.accumulate);
  const auto evaluator = make_evaluator(order, input, options.input.seed_value(), threads);
  auto enumeration = enumerate_orders(session, space_of(order, *evaluator), memory, threads, !options.output.quiet);
  if (!enumeration) {
    session.err << "orderlab: enumerate: interrupted before all orders were walked\n";
    return kInterrupted;
  }
  EnumerationReport report;
  report.command = "enumerate";
  report.input = input.report;
  const OrderRun asked{order, baseline ? &*baseline : nullptr, options.input.seed_value()};
  report.order = measured(asked, *evaluator, input, *std::move(enumeration));
  if (baseline) report.baseline = baseline->expression();
  report.max_distinct = max_distinct;
  write_report(session, options.output, targets, report);
  return kDone;
}

}  // namespace

extern const Command kEnumerate;
const Command kEnumerate{
    .name = "enumerate",
    .summary = "every result that few partial sums can give, with its exact probability",
    .example = "orderlab enumerate --n 12 --dist 'normal(0,1)' --format fp32 --order random",
    .define = [](CLI::App& app) -> std::function<int(Session&)> {
      const auto options = std::make_shared<Options>();
      options->add_to(app, false);
      add_memory_option(app, options->memory);
      app.add_option("--baseline", options->baseline, "fixed order that Vs compares with; default: this one calmed")
          ->type_name("ORDER");
      app.add_option("--max-distinct", options->max_distinct, "beyond so many results JSON has them in bins")
          ->type_name("COUNT")
          ->capture_default_str();
      return [options](Session& session) { return run(*options, session); };
    },
};

}  // namespace orderlab::cli
