#include "orderlab/study/sample.hpp"

#include <functional>
#include <tuple>
#include <utility>

#include "core/float_environment.hpp"
#include "engine/arena.hpp"
#include "orderlab/error.hpp"
#include "orderlab/philox.hpp"
#include "orderlab/sample.hpp"
#include "study/arrival_advice.hpp"
#include "study/bound_order.hpp"
#include "study/kept_samples.hpp"
#include "study/order_run.hpp"
#include "study/sample_options.hpp"
#include "study/watched_stage.hpp"

namespace orderlab::study {

namespace {

SampleRange wanted_range(const SampleRequest& request, const Order& order) {
  if (!order.random()) return {0, 1};
  if (!request.draws) return {0, 0};
  return request.range.value_or(SampleRange(0, request.samples));
}

CountedSamples count_samples(const SampleRequest& request, std::size_t position, const Evaluator& evaluator,
                             const CountingFrame& frame, const SampleOptions& options) {
  if (!request.orders[position].random()) return draw_missing(evaluator, frame, options, nullptr, {});
  std::function<void(const CountedSamples&)> keep;
  if (request.keep) keep = [&](const CountedSamples& samples) { request.keep(position, samples); };
  const CountedSamples* const known = position < request.known.size() ? &request.known[position] : nullptr;
  return draw_missing(evaluator, frame, options, known, keep);
}

// Empty where it was stopped before there were samples.
std::optional<SampledOrder> run_one(const Input& input, const SampleRequest& request, std::size_t position,
                                    const Watch& watch) {
  const std::size_t count = request.orders.size();
  const WatchedStage stage(
      watch, count == 1 ? "sampling" : "order " + std::to_string(position + 1) + " of " + std::to_string(count));
  const Order& order = request.orders[position];
  SampleOptions options;
  std::tie(options.begin, options.end) = wanted_range(request, order);
  options.threads = request.threads;
  stage.follow(options);
  const Order* const baseline = request.baseline ? &*request.baseline : nullptr;
  auto sampled = unless_stopped([&] {
    return measure_order({order, baseline, request.seed, request.samples, request.max_distinct}, input,
                         loop_on(request.threads), [&](const Evaluator& evaluator, const auto& frame) {
                           return count_samples(request, position, evaluator, frame, options);
                         });
  });
  if (!sampled || sampled->counts.samples() == 0) return std::nullopt;
  const Unstopped to_the_end;
  sampled->advice =
      arrival_advice(order, input.facts.n, input.facts.formats.accumulate, sampled->random_count, request.seed);
  return sampled;
}

// The range of all samples that there are; partial where orders differ in that, or it has gaps.
void describe_known(const SampleRequest& request, SampleFinding& finding) {
  finding.range.reset();
  const SampleRanges* all = nullptr;
  for (const SampledOrder& order : finding.orders) {
    if (!order.random) continue;
    if (all == nullptr) all = &order.samples;
    finding.partial = finding.partial || order.samples != *all || order.samples.ranges().size() > 1;
  }
  finding.partial = finding.partial || finding.orders.size() < request.orders.size();
  if (finding.partial || all == nullptr) return;
  const SampleRange range = all->ranges().front();
  if (range != SampleRange(0, request.samples)) finding.range = range;
}

}  // namespace

void validate(const SampleRequest& request) {
  const FloatEnvironment environment;
  kSampleOptions.check(request);
  if (request.orders.empty()) throw RequestError(ErrorKind::usage, "no order: give one or more in `orders`");
  if (const auto& range = request.range; range && (range->first >= range->second || range->second > request.samples))
    throw RequestError("range", std::to_string(range->first) + ":" + std::to_string(range->second),
                       "must be A:B with 0 <= A < B <= " + std::to_string(request.samples) + ", the number of samples");
  require_fixed_baseline(request.baseline);
}

SampleFinding sample(const Input& input, const SampleRequest& request, const Watch& watch) {
  const FloatEnvironment environment;
  validate(request);
  for (const Order& order : request.orders) require_evaluable(order, input.facts, request.threads);
  SampleFinding finding;
  finding.input = input.facts;
  finding.seed = request.seed;
  finding.samples = request.samples;
  finding.range = request.range;
  finding.max_distinct = request.max_distinct;
  if (request.baseline) finding.baseline = request.baseline->expression();
  for (const Order& order : request.orders) finding.asked.push_back({order.expression(), arrival_of(order)});
  for (std::size_t i = 0; i < request.orders.size() && !finding.partial; ++i) {
    std::optional<SampledOrder> order = run_one(input, request, i, watch);
    finding.partial = !order || !order->samples.missing_from(wanted_range(request, request.orders[i])).empty();
    if (order) finding.orders.push_back(*std::move(order));
  }
  if (!request.known.empty()) describe_known(request, finding);
  return finding;
}

double SumFinding::value() const {
  const FloatEnvironment environment;
  return orders.front().counts.results().values.front().value;
}

std::uint64_t SumFinding::bits() const {
  const FloatEnvironment environment;
  return bits_of(input.formats.result, value());
}

SumFinding sum(const Input& input, const SumRequest& request, const Watch& watch) {
  const FloatEnvironment environment;
  if (request.order.random())
    throw Error(ErrorKind::usage, "order " + request.order.expression() +
                                      ": is random and has no one sum; sample it, or give a fixed order");
  return {sample(input, {.orders = {request.order}, .samples = 1, .seed = request.seed, .threads = request.threads},
                 watch)};
}

}  // namespace orderlab::study
