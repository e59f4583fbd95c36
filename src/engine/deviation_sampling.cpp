// Drawing deviations: on one input, or on a new input every time.
#include <memory>
#include <string>

#include "core/float_environment.hpp"
#include "core/infinity.hpp"
#include "engine/rounds.hpp"
#include "orderlab/error.hpp"
#include "orderlab/metrics.hpp"
#include "orderlab/philox.hpp"
#include "orderlab/terms.hpp"
#include "orderlab/tolerance.hpp"

namespace orderlab {

namespace {

std::uint64_t samples_a_draw(Against against) { return against == Against::run ? 2 : 1; }

void check_range(const SampleOptions& options, Against against) {
  if (options.begin >= options.end || options.end > RandomStream::kSampleLimit / samples_a_draw(against))
    throw Error(ErrorKind::usage, "draws " + std::to_string(options.begin) + ":" + std::to_string(options.end) +
                                      ": the range must hold at least one draw, and its samples end by 2^48");
}

Deviation draw(const Evaluator& evaluator, const Yardstick& yardstick, Against against, std::uint64_t i,
               Evaluator::Scratch& scratch, LargestBounds& bounds) {
  const auto evaluated = [&](std::uint64_t sample) {
    Evaluation e = evaluator.evaluate(sample, scratch);
    e.height = evaluator.plan().path_roundings(e.height);
    bounds.add(e, evaluator.plan().coarsest(), evaluator.term_count());
    return e.value;
  };
  if (against == Against::exact) return yardstick.from_reference(evaluated(i));
  const double one = evaluated(2 * i);
  return yardstick.between(one, evaluated(2 * i + 1));
}

}  // namespace

DeviationTally sample_deviations(const Evaluator& evaluator, const Yardstick& yardstick, Against against,
                                 std::uint64_t keep, const SampleOptions& options) {
  const FloatEnvironment environment;
  check_range(options, against);
  PerThread<Evaluator::Scratch> scratch([&] { return evaluator.make_scratch(); });
  const auto take = [&](std::uint64_t i, DeviationTally& tally) {
    tally.add(draw(evaluator, yardstick, against, i, scratch.local(), tally.bounds));
  };
  return sample_in_rounds(
      options, [&] { return DeviationTally(keep); }, take);
}

DeviationTally sample_inputs(const InputFamily& inputs, const Order& order, std::uint64_t seed, Against against,
                             std::uint64_t keep, const SampleOptions& options) {
  const FloatEnvironment environment;
  check_range(options, against);
  const auto take = [&](std::uint64_t i, DeviationTally& tally) {
    const Terms terms = generate_terms(inputs.distribution, inputs.n, inputs.formats.terms, inputs.seed, i);
    const ExactValue exact = exact_sum(terms.view());
    if (!exact.finite()) {  // a term that overflowed: nothing is near its sum
      return tally.add({kInfinity, kInfinity, kInfinity, kInfinity});
    }
    const ExactValue sum_abs = exact_sum_abs(terms.view());
    tally.add_input(sum_abs.to_double(), condition_number(exact, sum_abs));
    const auto evaluator = Evaluator::make(order, terms.view(), inputs.formats, seed);
    const auto scratch = evaluator->make_scratch();
    tally.add(draw(*evaluator, Yardstick(exact, inputs.formats.result), against, i, *scratch, tally.bounds));
  };
  return sample_in_rounds(
      options, [&] { return DeviationTally(keep); }, take);
}

}  // namespace orderlab
