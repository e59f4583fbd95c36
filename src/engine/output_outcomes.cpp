#include "engine/output_outcomes.hpp"

#include <algorithm>
#include <cmath>

#include "operation/finish.hpp"
#include "orderlab/enumerate.hpp"
#include "orderlab/evaluator.hpp"

namespace orderlab {

namespace {

RowRule rule_of(const LoweredOperation& operation) {
  const OutputAddition& addition = operation.addition;
  const bool zero = addition.start == AccumulatorStart::zero ||
                    (addition.start == AccumulatorStart::initial && !operation.rows.initial);
  return {operation.formats.accumulate, addition.combine, addition.flush, zero};
}

/// The order of a row's contributions with all arrivals equally likely: what enumeration knows.
Order with_uniform_arrivals(const Order& tail) {
  Order arrive = parse_order("arrive(uniform) | seq");
  std::vector<StageCall> stages{arrive.stages().front()};
  stages.insert(stages.end(), tail.stages().begin(), tail.stages().end());
  return {{}, std::move(stages)};
}

}  // namespace

std::size_t OutputOutcomes::place_of(std::uint64_t result) const {
  return static_cast<std::size_t>(std::find(bits.begin(), bits.end(), result) - bits.begin());
}

double OutputOutcomes::probability_of_other(std::uint64_t result) const {
  double other = 0;
  for (std::size_t i = 0; i < bits.size(); ++i)
    if (bits[i] != result) other += probability[i];
  return other;
}

std::optional<std::size_t> OutputOutcomes::nearest(Format format, double value) const {
  std::optional<std::size_t> best;
  double least = 0;
  for (std::size_t i = 0; i < bits.size(); ++i) {
    const double reachable = value_of_bits(format, bits[i]);
    const double distance = reachable == value ? 0 : std::fabs(reachable - value);
    if (std::isnan(distance) || (best && distance >= least)) continue;
    best = i;
    least = distance;
  }
  return best;
}

OutputOutcomeFinder::OutputOutcomeFinder(const OutputSums& sums, std::size_t states)
    : sums_(sums), operation_(sums.operation()), states_(states), rows_(rule_of(operation_), states) {}

OutputOutcomeFinder::~OutputOutcomeFinder() = default;

bool OutputOutcomeFinder::find(std::size_t r, OutputOutcomes& outcomes) {
  outcomes.bits.clear();
  outcomes.probability.clear();
  return adds_by_order() ? find_by_order(r, outcomes) : find_in_turn(r, outcomes);
}

// Results are added in ascending order, and neither division nor rounding changes that of numbers.
void OutputOutcomeFinder::add_result(std::size_t r, double sum, double probability, OutputOutcomes& outcomes) const {
  const std::uint64_t bits = with_type_of(operation_.formats.accumulate, [&](auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    T total = round_to<T>(sum);
    if (operation_.addition.initial_last) total = static_cast<const T*>(operation_.rows.initial->view().x)[r] + total;
    return round_to_bits(operation_.formats.result, finished(operation_, r, total));
  });
  if (!outcomes.bits.empty() && outcomes.bits.back() == bits) {
    outcomes.probability.back() += probability;
    return;
  }
  outcomes.bits.push_back(bits);
  outcomes.probability.push_back(probability);
}

bool OutputOutcomeFinder::find_in_turn(std::size_t r, OutputOutcomes& outcomes) {
  const Contributions& rows = operation_.rows;
  const std::size_t begin = rows.row_begin[r];
  const std::size_t count = rows.row_length(r);
  std::optional<double> initial;
  if (rows.initial && operation_.addition.start == AccumulatorStart::initial) initial = rows.initial->view().left(r);
  if (!rows_.find(rows.values.view().part(begin, count), std::span(rows.unit).subspan(begin, count), initial, found_))
    return false;
  const Format format = operation_.formats.accumulate;
  for (std::size_t i = 0; i < found_.size(); ++i)
    add_result(r, value_of_bits(format, found_.bits[i]), found_.probability(i), outcomes);
  return true;
}

std::string OutputOutcomeFinder::obstacle() {
  return adds_by_order() && !sums_.varying().empty() ? space_of(sums_.varying().front()).reason : "";
}

RecognizedSpace OutputOutcomeFinder::space_of(std::size_t r) {
  const bool arrives = operation_.addition.arrives;
  if (!plan_) {
    const Format format = operation_.formats.accumulate;
    plan_ = arrives ? compile(with_uniform_arrivals(*operation_.addition.tail), operation_.rows.row_length(0),
                              {format, format, format})
                    : operation_.plan;
  }
  TermView terms;
  if (arrives) {
    terms = operation_.rows.values.view().part(operation_.rows.row_begin[r], operation_.rows.row_length(r));
  } else {
    std::size_t row = r;
    for (const TermRows& part : operation_.terms) {
      if (row < part.count) {
        terms = part.row(row);
        break;
      }
      row -= part.count;
    }
  }
  return order_space(*Evaluator::make(plan_, terms, 0));
}

bool OutputOutcomeFinder::find_by_order(std::size_t r, OutputOutcomes& outcomes) {
  const RecognizedSpace space = space_of(r);
  if (!space.space || !quickly_enumerable(*space.space)) return false;
  const auto all = enumerate(*space.space, {.memory_bytes = static_cast<double>(states_) * 64, .threads = 1});
  if (!all) return false;
  for (const Weighted& result : all->results.values) add_result(r, result.value, result.weight, outcomes);
  return true;
}

}  // namespace orderlab
