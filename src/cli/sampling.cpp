#include "cli/sampling.hpp"

#include <algorithm>
#include <tuple>

#include "cli/progress.hpp"
#include "core/text.hpp"
#include "engine/task_list.hpp"
#include "orderlab/error.hpp"
#include "orderlab/sample.hpp"
#include "report/experiment_csv.hpp"
#include "report/experiment_json.hpp"
#include "report/experiment_text.hpp"

namespace orderlab::cli {

void OrderOptions::add_to(CLI::App& app, bool several) {
  const std::string group = "Order";
  CLI::Option* order = app.add_option("--order", orders,
                                      several ? "named order or expression; several are compared"
                                              : "named order or expression, see `orderlab list orders`");
  order->type_name("ORDER")->group(group)->expected(1)->allow_extra_args(false);
  order->multi_option_policy(several ? CLI::MultiOptionPolicy::TakeAll : CLI::MultiOptionPolicy::Throw);
  app.add_option("--arrival", arrival, "arrival model of every bare `arrive`; uniform if left out")
      ->type_name("MODEL")
      ->group(group);
}

void CommonOptions::add_to(CLI::App& app, bool several_orders) {
  input.add_to(app);
  order.add_to(app, several_orders);
  app.add_option("--threads", threads, "threads, 0 for all; the results never depend on it")
      ->type_name("COUNT")
      ->capture_default_str();
  output.add_to(app);
}

std::vector<Order> OrderOptions::parse() const {
  if (orders.empty())
    throw Error(ErrorKind::usage, "no order: give --order NAME, such as --order warp; `orderlab list orders` has them");
  std::vector<Order> parsed;
  if (orders.size() == 1) {
    parsed.push_back(parse_order(orders[0], arrival));
    return parsed;
  }
  bool taken = arrival.empty();
  for (const std::string& text : orders) {
    const bool takes = !arrival.empty() && takes_arrival(text);
    parsed.push_back(parse_order(text, takes ? std::string_view(arrival) : std::string_view()));
    taken = taken || takes;
  }
  if (!taken) parse_order(orders[0], arrival);  // throws: nothing takes it
  return parsed;
}

Order parse_baseline(const std::string& text) {
  Order baseline = parse_order(text);
  if (baseline.random())
    throw Error(ErrorKind::usage, "--baseline " + text + ": is random; name a fixed order such as sptr");
  return baseline;
}

void check_order(const Order& order, const InputOptions& input) {
  if (input.n.empty()) return;
  const std::uint64_t n = parse_count("--n", input.n, 1);
  const Formats formats = input.format.empty() ? Formats{} : parse_formats(input.format);
  order.check(n, !input.with.empty(), formats.accumulate);
}

void check_orders(const SamplingPlan& plan, const InputOptions& input) {
  for (const Order& order : plan.orders) check_order(order, input);
  if (plan.baseline) check_order(*plan.baseline, input);
}

double parse_confidence(const std::string& text) {
  const auto value = read_real(text);
  if (!value || !(*value > 0 && *value < 1))
    throw Error(ErrorKind::usage, "--confidence " + text + ": must lie between 0 and 1, such as 0.999");
  return *value;
}

int parse_threads(const std::string& text) { return static_cast<int>(parse_count("--threads", text, 0, 4096)); }

namespace {

void require_evaluator_memory(const Order& order, const InputReport& about, int threads) {
  require_memory(evaluator_memory_bytes(order, about.n, about.products, about.formats, threads_used(threads)));
}

}  // namespace

std::unique_ptr<const Evaluator> make_evaluator(const Order& order, const Input& input, std::uint64_t seed,
                                                int threads) {
  const InputReport& about = input.report;
  order.check(about.n, about.products, about.formats.accumulate);
  require_evaluator_memory(order, about, threads);
  return Evaluator::make(order, input.terms.view(), about.formats, seed);
}

ResultCounts sample_range(Session& session, const Evaluator& evaluator, const InputReport& about,
                          const SampledRange& range) {
  ProgressBar bar(session, range.label, range.progress);
  SampleOptions options;
  options.begin = range.begin;
  options.end = range.end;
  options.threads = range.threads;
  bar.follow(options);
  const CountingFrame frame = CountingFrame::make(about.exact, about.formats.result, range.max_distinct);
  return sample(evaluator, frame, options);
}

namespace {

std::pair<std::uint64_t, std::uint64_t> samples_wanted(const SamplingPlan& plan, const Order& order) {
  if (!order.random()) return {0, 1};
  return plan.range.value_or(std::pair<std::uint64_t, std::uint64_t>(0, plan.samples));
}

OrderReport run_one(Session& session, const SamplingPlan& plan, const Input& input, const Order& order,
                    std::size_t position) {
  ProgressBar bar(session,
                  plan.orders.size() == 1
                      ? "sampling"
                      : "order " + std::to_string(position + 1) + " of " + std::to_string(plan.orders.size()),
                  plan.progress);
  SampleOptions options;
  std::tie(options.begin, options.end) = samples_wanted(plan, order);
  options.threads = plan.threads;
  bar.follow(options);
  return run_order({order, plan.baseline ? &*plan.baseline : nullptr, plan.seed, plan.samples, plan.max_distinct},
                   input, options);
}

}  // namespace

ExperimentReport run_plan(Session& session, const SamplingPlan& plan, const Input& input) {
  for (const Order& order : plan.orders) {
    order.check(input.report.n, input.report.products, input.report.formats.accumulate);
    require_evaluator_memory(order, input.report, plan.threads);
  }
  ExperimentReport report;
  report.command = plan.command;
  report.input = input.report;
  report.seed = plan.seed;
  report.samples = plan.samples;
  report.range = plan.range;
  report.max_distinct = plan.max_distinct;
  if (plan.baseline) report.baseline = plan.baseline->expression();
  for (const Order& order : plan.orders) report.asked.push_back({order.expression(), arrival_of(order)});
  for (std::size_t i = 0; i < plan.orders.size() && !report.partial; ++i) {
    OrderReport order = run_one(session, plan, input, plan.orders[i], i);
    const auto [begin, end] = samples_wanted(plan, plan.orders[i]);
    report.partial = order.counts.samples() < end - begin;
    if (order.counts.samples() > 0) report.orders.push_back(std::move(order));
  }
  return report;
}

int write_experiment(Session& session, const OutputOptions& options, OutputTargets& targets,
                     const ExperimentReport& report) {
  if (report.orders.empty()) {
    session.err << "orderlab: " << report.command << ": interrupted before the first sample was done\n";
    return kInterrupted;
  }
  write_report(session, options, targets, report);
  return report.partial ? kInterrupted : kDone;
}

}  // namespace orderlab::cli
