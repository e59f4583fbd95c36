// Drawing deviations: on one input, or on a new input every time.
#include <atomic>
#include <bit>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/float_environment.hpp"
#include "core/infinity.hpp"
#include "engine/rounds.hpp"
#include "orderlab/error.hpp"
#include "orderlab/metrics.hpp"
#include "orderlab/philox.hpp"
#include "orderlab/plan.hpp"
#include "orderlab/terms.hpp"
#include "orderlab/tolerance.hpp"

namespace orderlab {

namespace {

void check_range(const SampleOptions& options, Against against) {
  if (options.begin >= options.end || options.end > RandomStream::kSampleLimit / results_per_draw(against))
    throw Error(ErrorKind::usage, "draws " + std::to_string(options.begin) + ":" + std::to_string(options.end) +
                                      ": the range must hold at least one draw, and its samples end by 2^48");
}

// An evaluator and buffers of one thread.
struct Ready {
  const Evaluator& evaluator;
  Evaluator::Scratch& scratch;

  double result(std::uint64_t sample, LargestBounds& bounds) const {
    Evaluation e = evaluator.evaluate(sample, scratch);
    e.height = evaluator.plan().path_roundings(e.height);
    bounds.add(e, evaluator.plan().coarsest(), evaluator.term_count());
    return e.value;
  }
};

// Empty without an evaluator.
std::optional<Ready> ready(const Evaluator* evaluator, Evaluator::Scratch* scratch) {
  if (evaluator == nullptr) return std::nullopt;
  return Ready{*evaluator, *scratch};
}

Deviation draw(std::uint64_t i, Against against, const Yardstick& yardstick, const Ready& judged,
               const std::optional<Ready>& other, DeviationTally& tally) {
  if (against == Against::exact) return yardstick.from_reference(judged.result(i, tally.bounds));
  const double one = judged.result(results_per_draw(against) * i, tally.bounds);
  const double second = other ? other->result(i, tally.other_bounds) : judged.result(2 * i + 1, tally.bounds);
  return yardstick.between(one, second);
}

// The largest value of each group of consecutive indices. Threads may add at the same time.
class GroupMaxima {
 public:
  GroupMaxima(const SampleOptions& options, std::uint64_t group)
      : begin_(options.begin), group_(group), maxima_(group > 1 ? (options.end - options.begin) / group + 1 : 0) {}

  // Values that are not negative, and inf, sort as their bits.
  void add(std::uint64_t index, double value) {
    if (maxima_.empty()) return;
    std::atomic<std::uint64_t>& largest = maxima_[(index - begin_) / group_];
    const auto bits = std::bit_cast<std::uint64_t>(value);
    std::uint64_t seen = largest.load(std::memory_order_relaxed);
    while (seen < bits && !largest.compare_exchange_weak(seen, bits, std::memory_order_relaxed)) {
    }
  }

  // Of the complete groups of `draws` indices.
  std::optional<double> mean(std::uint64_t draws) const {
    const std::uint64_t complete = draws / group_;
    if (maxima_.empty() || complete == 0) return std::nullopt;
    ExactSum sum;
    for (std::uint64_t k = 0; k < complete; ++k) sum.add(std::bit_cast<double>(maxima_[k].load()));
    return sum.value().to_double() / static_cast<double>(complete);
  }

 private:
  std::uint64_t begin_;
  std::uint64_t group_;
  std::vector<std::atomic<std::uint64_t>> maxima_;
};

}  // namespace

DeviationTally sample_deviations(const Evaluator& evaluator, const Yardstick& yardstick, Against against,
                                 std::uint64_t keep, const SampleOptions& options, const Evaluator* other) {
  const FloatEnvironment environment;
  check_range(options, against);
  PerThread<Evaluator::Scratch> scratch([&] { return evaluator.make_scratch(); });
  PerThread<Evaluator::Scratch> scratch_of_other([&] { return other->make_scratch(); });
  const auto take = [&](std::uint64_t i, DeviationTally& tally) {
    const auto second = ready(other, other == nullptr ? nullptr : &scratch_of_other.local());
    tally.add(draw(i, against, yardstick, {evaluator, scratch.local()}, second, tally));
  };
  return sample_in_rounds(
      options, [&] { return DeviationTally(keep); }, take);
}

InputDraws sample_inputs(const InputFamily& inputs, const Order& order, std::uint64_t seed, Against against,
                         std::uint64_t keep, const SampleOptions& options, const OtherOrder* other,
                         std::uint64_t group) {
  const FloatEnvironment environment;
  check_range(options, against);
  const auto plan = compile(order, inputs.n, inputs.formats);
  const auto plan_of_other =
      other == nullptr ? nullptr : compile(other->order, inputs.n, other->formats(inputs.formats));
  GroupMaxima maxima(options, group);
  const auto take = [&](std::uint64_t i, DeviationTally& tally) {
    const Terms terms = generate_terms(inputs.distribution, inputs.n, inputs.formats.terms, inputs.seed, i);
    const ExactValue exact = exact_sum(terms.view());
    if (!exact.finite()) {  // a term that overflowed: nothing is near its sum
      maxima.add(i, kInfinity);
      return tally.add({kInfinity, kInfinity, kInfinity, kInfinity});
    }
    const ExactValue sum_abs = exact_sum_abs(terms.view());
    tally.add_input(sum_abs.to_double(), condition_number(exact, sum_abs));
    const Yardstick yardstick(exact, inputs.formats.result);
    const auto evaluator = Evaluator::make(plan, terms.view(), seed);
    const auto scratch = evaluator->make_scratch();
    const auto evaluator_of_other =
        plan_of_other == nullptr ? nullptr : Evaluator::make(plan_of_other, terms.view(), seed_of_other(seed));
    const auto scratch_of_other = plan_of_other == nullptr ? nullptr : evaluator_of_other->make_scratch();
    const Deviation deviation = draw(i, against, yardstick, {*evaluator, *scratch},
                                     ready(evaluator_of_other.get(), scratch_of_other.get()), tally);
    maxima.add(i, deviation.absolute);
    tally.add(deviation);
  };
  DeviationTally tally = sample_in_rounds(
      options, [&] { return DeviationTally(keep); }, take);
  const auto mean = maxima.mean(tally.draws());
  return {std::move(tally), mean};
}

}  // namespace orderlab
