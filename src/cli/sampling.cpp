#include "cli/sampling.hpp"

#include <tuple>

#include "cli/progress.hpp"
#include "engine/task_list.hpp"
#include "orderlab/sample.hpp"
#include "report/experiment_csv.hpp"
#include "report/experiment_json.hpp"
#include "report/experiment_text.hpp"

namespace orderlab::cli {

void check_orders(const SamplingPlan& plan, const CommandLine& line) {
  for (const Order& order : plan.orders) check_order(order, line);
  if (plan.baseline) check_order(*plan.baseline, line);
}

int threads_of(const CommandLine& line) { return static_cast<int>(line.count(kThreads, 0, 4096)); }

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
  OrderReport report = run_order(
      {order, plan.baseline ? &*plan.baseline : nullptr, plan.seed, plan.samples, plan.max_distinct}, input, options);
  report.advice =
      arrival_advice(order, input.report.n, input.report.formats.accumulate, report.random_count, plan.seed);
  return report;
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
  for (std::size_t i = 0; i < plan.orders.size(); ++i)
    report.asked.push_back({plan.orders[i].expression(), arrival_of(plan.orders[i]), plan.typed[i]});
  for (std::size_t i = 0; i < plan.orders.size() && !report.partial; ++i) {
    OrderReport order = run_one(session, plan, input, plan.orders[i], i);
    const auto [begin, end] = samples_wanted(plan, plan.orders[i]);
    report.partial = order.counts.samples() < end - begin;
    if (order.counts.samples() > 0) report.orders.push_back(std::move(order));
  }
  return report;
}

int write_experiment(Session& session, const CommandLine& line, OutputTargets& targets,
                     const ExperimentReport& report) {
  if (report.orders.empty()) {
    session.err << "orderlab: " << report.command << ": interrupted before the first sample was done\n";
    return kInterrupted;
  }
  write_report(session, line, targets, report);
  return report.partial ? kInterrupted : kDone;
}

}  // namespace orderlab::cli
