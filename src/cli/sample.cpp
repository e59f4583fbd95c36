// orderlab sample: how far a sum moves.
#include <memory>

#include "cli/sampling.hpp"
#include "core/text.hpp"
#include "orderlab/error.hpp"
#include "orderlab/philox.hpp"
#include "page/html_page.hpp"

namespace orderlab::cli {

namespace {

struct Options : CommonOptions {
  std::string samples = "1000";
  std::string range;
  std::string baseline;
  std::string max_distinct = "2^20";
  std::string page;
};

std::pair<std::uint64_t, std::uint64_t> parse_range(const std::string& text, std::uint64_t samples) {
  const auto colon = text.find(':');
  if (colon == std::string::npos)
    throw Error(ErrorKind::usage, "--range " + text + ": is not A:B, such as 0:500 for the samples 0 to 499");
  const std::uint64_t begin = parse_count("--range", text.substr(0, colon));
  const std::uint64_t end = parse_count("--range", text.substr(colon + 1));
  if (begin >= end || end > samples)
    throw Error(ErrorKind::usage, "--range " + text + ": must be A:B with 0 <= A < B <= " + std::to_string(samples) +
                                      ", the number of samples");
  return {begin, end};
}

int run(const Options& options, Session& session) {
  SamplingPlan plan;
  plan.command = "sample";
  plan.orders = options.order.parse();
  plan.seed = options.input.seed_value();
  plan.samples = parse_count("--samples", options.samples, 1, RandomStream::kSampleLimit);
  if (!options.range.empty()) plan.range = parse_range(options.range, plan.samples);
  plan.max_distinct = parse_count("--max-distinct", options.max_distinct, 2);
  if (!options.baseline.empty()) plan.baseline = parse_baseline(options.baseline);
  plan.threads = parse_threads(options.threads);
  plan.progress = !options.output.quiet;
  options.output.colored(session);
  OutputTargets targets(options.output, options.input.files());
  OutputTarget page;
  page.open(options.page, options.input.files());
  check_orders(plan, options.input);

  const ExperimentReport report = run_plan(session, plan, load_input(options.input));
  const int status = write_experiment(session, options.output, targets, report);
  if (!report.orders.empty()) page.write(session, to_html(study_of(report)));
  return status;
}

}  // namespace

extern const Command kSample;
const Command kSample{
    .name = "sample",
    .summary = "draw many orders of one sum: how far does it move?",
    .example = "orderlab sample --n 1e6 --order spa --arrival v100_b64",
    .define = [](CLI::App& app) -> std::function<int(Session&)> {
      const auto options = std::make_shared<Options>();
      options->add_to(app, true);
      app.add_option("--samples", options->samples, "orders to draw")->type_name("COUNT")->capture_default_str();
      app.add_option("--range", options->range, "only the samples A..B-1 of them")->type_name("A:B");
      app.add_option("--baseline", options->baseline, "fixed order that Vs compares with; default: this one calmed")
          ->type_name("ORDER");
      app.add_option("--max-distinct", options->max_distinct, "beyond so many results count in bins")
          ->type_name("COUNT")
          ->capture_default_str();
      app.add_option("--html", options->page, "also a page with charts, which needs no network")
          ->type_name("FILE")
          ->group("Output");
      return [options](Session& session) { return run(*options, session); };
    },
};

}  // namespace orderlab::cli
