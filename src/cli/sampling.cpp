#include "cli/sampling.hpp"

#include <tuple>

#include "cli/progress.hpp"
#include "engine/task_list.hpp"
#include "orderlab/sample.hpp"
#include "study/arrival_advice.hpp"
#include "study/order_run.hpp"

namespace orderlab::cli {

void check_orders(const SamplingPlan& plan, const CommandLine& line) {
  for (const Order& order : plan.orders) check_order(order, line);
  if (plan.baseline) check_order(*plan.baseline, line);
}

int threads_of(const CommandLine& line) { return static_cast<int>(line.count(kThreads, 0, 4096)); }

namespace {

void require_evaluator_memory(const Order& order, const study::InputFacts& about, int threads) {
  require_memory(evaluator_memory_bytes(order, about.n, about.products, about.formats, threads_used(threads)));
}

}  // namespace

std::unique_ptr<const Evaluator> make_evaluator(const Order& order, const study::Input& input, std::uint64_t seed,
                                                int threads) {
  const study::InputFacts& about = input.facts;
  order.check(about.n, about.products, about.formats.accumulate);
  require_evaluator_memory(order, about, threads);
  return Evaluator::make(order, input.terms.view(), about.formats, seed);
}

ResultCounts sample_range(Session& session, const Evaluator& evaluator, const study::InputFacts& about,
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

study::SampledOrder run_one(Session& session, const SamplingPlan& plan, const study::Input& input, const Order& order,
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
  study::SampledOrder report = study::run_order(
      {order, plan.baseline ? &*plan.baseline : nullptr, plan.seed, plan.samples, plan.max_distinct}, input, options);
  report.advice =
      study::arrival_advice(order, input.facts.n, input.facts.formats.accumulate, report.random_count, plan.seed);
  return report;
}

}  // namespace

study::SampleFinding run_plan(Session& session, const SamplingPlan& plan, const study::Input& input) {
  for (const Order& order : plan.orders) {
    order.check(input.facts.n, input.facts.products, input.facts.formats.accumulate);
    require_evaluator_memory(order, input.facts, plan.threads);
  }
  study::SampleFinding report;
  report.input = input.facts;
  report.seed = plan.seed;
  report.samples = plan.samples;
  report.range = plan.range;
  report.max_distinct = plan.max_distinct;
  if (plan.baseline) report.baseline = plan.baseline->expression();
  for (std::size_t i = 0; i < plan.orders.size(); ++i)
    report.asked.push_back({plan.orders[i].expression(), study::arrival_of(plan.orders[i]), plan.typed[i]});
  for (std::size_t i = 0; i < plan.orders.size() && !report.partial; ++i) {
    study::SampledOrder order = run_one(session, plan, input, plan.orders[i], i);
    const auto [begin, end] = samples_wanted(plan, plan.orders[i]);
    report.partial = order.counts.samples() < end - begin;
    if (order.counts.samples() > 0) report.orders.push_back(std::move(order));
  }
  return report;
}

}  // namespace orderlab::cli
