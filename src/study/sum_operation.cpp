#include <algorithm>
#include <cmath>

#include "core/float_environment.hpp"
#include "engine/arena.hpp"
#include "operation/exact_outputs.hpp"
#include "orderlab/error.hpp"
#include "orderlab/order.hpp"
#include "orderlab/output_sums.hpp"
#include "orderlab/study/operation.hpp"
#include "study/asked_arrival.hpp"
#include "study/watched_stage.hpp"

namespace orderlab::study {

namespace {

/// Whether runs may add outputs in different orders.
bool draws_orders(const LoweredOperation& operation, const ArrivalCall& arrival) {
  if (operation.own) return false;
  if (operation.finished) return draws_orders(*operation.finished->sums, arrival);
  if (operation.scan)
    return operation.scan->drawn() && (operation.scan->lookback.model->random || arrival.model->random);
  if (!operation.adds_by_plans()) return operation.arrives() && arrival.model->random;
  return std::any_of(operation.plans.begin(), operation.plans.end(),
                     [](const auto& plan) { return !plan.second->drawn_steps().empty(); });
}

void measure(OperationSumFinding& finding) {
  for (std::size_t r = 0; r < finding.results.size(); ++r) {
    const double value = finding.results.view().left(r);
    const double nearest = finding.exact->rounded.view().left(r);
    if (!std::isfinite(value)) ++finding.nonfinite;
    if (value != nearest && !(std::isnan(value) && std::isnan(nearest))) ++finding.not_nearest;
    const double error = ulp_error(*finding.exact, r, value);
    if (error <= finding.largest_error || !std::isfinite(error)) continue;
    finding.largest_error = error;
    finding.farthest = r;
  }
}

/// What makes the order fixed.
std::string fixing(const LoweredOperation& operation) {
  if (operation.scan) return "--lookback 'fixed(1)'";
  return operation.arrives() ? "--arrival launch" : "a fixed --order";
}

}  // namespace

OperationSumFinding sum_operation(const OperationInput& input, const AskedArrival& asked, int threads,
                                  const Watch& watch) {
  const FloatEnvironment environment;
  const LoweredOperation& operation = *input.operation;
  const ArrivalCall arrival = arrival_of(operation, asked);
  OperationSumFinding finding;
  finding.input = input.facts;
  if (operation.arrives()) finding.arrival = to_string(arrival);
  const auto sums = in_stage(watch, "sums", [&] { return OutputSums::make(input.operation, arrival, DrawPath{}); });
  if (draws_orders(operation, arrival) && !sums->varying().empty())
    throw Error(ErrorKind::usage, operation.text + (input.facts.order.empty() ? "" : ", order " + input.facts.order) +
                                      ": its order is random, so there is no single result; give " + fixing(operation) +
                                      ", or draw many results with `orderlab sample`");
  finding.results = sums->launch();
  finding.exact = std::make_shared<const ExactRows>(
      in_stage(watch, "exact sums", [&] { return exact_outputs(operation, loop_on(threads)); }));
  measure(finding);
  return finding;
}

}  // namespace orderlab::study
