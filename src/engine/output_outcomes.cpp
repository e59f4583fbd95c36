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

double probability_of_other(std::span<const OutputResult> results, std::uint64_t bits) {
  double other = 0;
  for (const OutputResult& result : results)
    if (result.bits != bits) other += result.probability;
  return other;
}

OutputOutcomeFinder::OutputOutcomeFinder(const OutputSums& sums, std::size_t states, std::size_t sets)
    : sums_(sums), operation_(sums.operation()), states_(states), rows_(rule_of(operation_), states, sets) {}

OutputOutcomeFinder::~OutputOutcomeFinder() = default;

bool OutputOutcomeFinder::find(std::size_t r, OutputResults& results) {
  results.clear();
  return adds_by_order() ? find_by_order(r, results) : find_in_turn(r, results);
}

// Results are added in ascending order, and neither division nor rounding changes that of numbers.
void OutputOutcomeFinder::add_result(std::size_t r, double sum, double probability, OutputResults& results) const {
  const std::uint64_t bits = with_type_of(operation_.formats.accumulate, [&](auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    return round_to_bits(operation_.formats.result, finished(operation_, r, round_to<T>(sum)));
  });
  if (!results.empty() && results.back().bits == bits)
    results.back().probability += probability;
  else
    results.push_back({bits, probability});
}

bool OutputOutcomeFinder::find_in_turn(std::size_t r, OutputResults& results) {
  const Contributions& rows = operation_.rows;
  const std::size_t begin = rows.row_begin[r];
  const std::size_t count = rows.row_length(r);
  std::optional<double> initial;
  if (rows.initial && operation_.addition.start == AccumulatorStart::initial) initial = rows.initial->view().left(r);
  if (!rows_.find(rows.values.view().part(begin, count), std::span(rows.unit).subspan(begin, count), initial, found_))
    return false;
  const Format format = operation_.formats.accumulate;
  for (std::size_t i = 0; i < found_.size(); ++i)
    add_result(r, value_of_bits(format, found_.bits[i]), found_.probability(i), results);
  return true;
}

std::string OutputOutcomeFinder::obstacle() {
  if (operation_.scan && !sums_.varying().empty()) return "the outputs of a scan share their additions; sample them";
  if (operation_.finished && !sums_.varying().empty()) return "the outputs of a row share their sum; sample them";
  return adds_by_order() && !sums_.varying().empty() ? space_of(sums_.varying().front()).reason : "";
}

RecognizedSpace OutputOutcomeFinder::space_of(std::size_t r) {
  if (!operation_.addition.arrives) {
    const TermView terms = operation_.terms.row(r, buffer_);
    return order_space(*Evaluator::make(operation_.plans.at(terms.n), terms, 0));
  }
  if (!plan_) {
    const Format format = operation_.formats.accumulate;
    plan_ = compile(with_uniform_arrivals(*operation_.addition.tail), operation_.rows.row_length(0),
                    {format, format, format});
  }
  const TermView terms =
      operation_.rows.values.view().part(operation_.rows.row_begin[r], operation_.rows.row_length(r));
  return order_space(*Evaluator::make(plan_, terms, 0));
}

bool OutputOutcomeFinder::find_by_order(std::size_t r, OutputResults& results) {
  const RecognizedSpace space = space_of(r);
  if (!space.space || !quickly_enumerable(*space.space)) return false;
  const auto all = enumerate(*space.space, {.memory_bytes = static_cast<double>(states_) * 64, .threads = 1});
  if (!all) return false;
  for (const Weighted& result : all->results.values) add_result(r, result.value, result.weight, results);
  return true;
}

}  // namespace orderlab
