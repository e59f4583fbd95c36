// Steps up to the first that changes formats add in the accumulate format and run as they do in any other plan; those
// from there on run on MixedSums. Where all that is drawn is added in one format, an evaluator of that format draws.
// Longer than most files: one class template, of which every function needs the same members.
#include "run/mixed_evaluator.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "core/float_environment.hpp"
#include "order/left_to_right.hpp"
#include "run/evaluation.hpp"
#include "run/fixed_part.hpp"
#include "run/heights.hpp"
#include "run/leaves.hpp"
#include "run/mixed_sums.hpp"
#include "run/plan_run.hpp"
#include "run/plan_steps.hpp"
#include "run/plan_trees.hpp"

namespace orderlab {

namespace {

std::span<const PlannedStep> fixed_head(const Plan& plan) {
  const auto head = plan.steps_before_change();
  return head.first(std::min(head.size(), plan.fixed_steps().size()));
}

template <class N>
double value_of(const N& number) {
  return static_cast<double>(NumberTraits<N>::rounded(number));
}

template <class N>
std::vector<double> values_of(std::span<const N> numbers) {
  std::vector<double> values(numbers.size());
  std::transform(numbers.begin(), numbers.end(), values.begin(), [](const N& number) { return value_of(number); });
  return values;
}

/// What the fixed steps of a plan leave that change formats before anything is drawn.
template <class N>
FixedSums fixed_sums(const Plan& plan, const TermView& terms, std::uint64_t seed, const Loop& loop) {
  const auto head = fixed_head(plan);
  const Leaves<N> leaves(terms);
  const PlanHeights heights = heights_of(head, terms.n);
  FixedPart<N> fixed(head, heights, leaves, loop);
  const std::vector<N> numbers = fixed.take_numbers();
  MixedSums sums(values_of(head.empty() ? leaves.view() : std::span<const N>(numbers)), fixed.heights(), fixed.error());
  sums.run(plan.fixed_steps().subspan(head.size()), {seed, 0});
  return {sums.numbers(), sums.heights(), sums.error()};
}

template <class N>
class MixedEvaluator final : public Evaluator {
 public:
  using T = typename NumberTraits<N>::Rounded;

  /// Formats change among the fixed steps.
  MixedEvaluator(std::shared_ptr<const Plan> plan, const TermView& terms, std::uint64_t seed, FixedSums fixed)
      : Evaluator(std::move(plan), terms, seed), fixed_error_(fixed.error), fixed_(std::move(fixed)) {}

  /// They do later.
  MixedEvaluator(std::shared_ptr<const Plan> plan, const TermView& terms, std::uint64_t seed, const Loop& loop)
      : Evaluator(std::move(plan), terms, seed) {
    const auto steps = fixed_head(*plan_);
    const Leaves<N> leaves(terms);
    const PlanHeights heights = heights_of(steps, terms.n);
    FixedPart<N> fixed(steps, heights, leaves, loop);
    fixed_error_ = fixed.error();
    numbers_ = steps.empty() ? std::vector<N>(leaves.view().begin(), leaves.view().end()) : fixed.take_numbers();
    heights_ = fixed.heights().one_by_one();
    left_heights_ = drawn_heights(drawn_head(), fixed.heights());
  }

  std::optional<std::uint64_t> constant_height() const override { return plan_->heights().sum; }

  std::unique_ptr<Scratch> make_scratch() const override { return std::make_unique<Work>(); }

  Evaluation evaluate(std::uint64_t sample, Scratch& scratch) const override {
    const FloatEnvironment environment;
    auto& work = static_cast<Work&>(scratch);
    const Draw draw{seed_, sample};
    if (drawn_head().empty()) return run_tail(tail(), {fixed_.numbers, fixed_.heights, fixed_error_}, draw);
    return run_head(drawn_head(), std::span<const N>(numbers_), heights_, work, draw);
  }

  std::vector<double> random_inputs() const override {
    const FloatEnvironment environment;
    return drawn_head().empty() ? fixed_.numbers : values_of(std::span<const N>(numbers_));
  }

  std::vector<Factors> random_products() const override {
    std::vector<Factors> products;
    if constexpr (!std::is_same_v<N, T>) {
      const auto drawn = drawn_head();
      if (std::none_of(drawn.begin(), drawn.end(), [](const PlannedStep& planned) { return fuses(planned.step); }))
        return products;
      for (const N& number : numbers_) products.push_back({number.x, number.y});
    }
    return products;
  }

  Evaluation evaluate_arranged(std::span<const std::uint32_t> order, Scratch& scratch) const override {
    const FloatEnvironment environment;
    require_all_arranged(order.size(), random_count());
    auto& work = static_cast<Work&>(scratch);
    if (drawn_head().empty()) {
      const std::vector<std::uint64_t> heights = fixed_.heights.one_by_one();
      std::vector<double> arranged;
      HeightRuns arranged_heights;
      arranged.reserve(order.size());
      for (const std::uint32_t i : order) {
        arranged.push_back(fixed_.numbers[i]);
        arranged_heights.append(1, heights[i]);
      }
      const auto steps = tail().subspan(tail().empty() ? 0 : 1);
      return run_tail(steps, {std::move(arranged), std::move(arranged_heights), fixed_error_}, {seed_, 0});
    }
    std::vector<N> numbers;
    std::vector<std::uint64_t> heights;
    for (const std::uint32_t i : order) {
      numbers.push_back(numbers_[i]);
      heights.push_back(heights_[i]);
    }
    return run_head(drawn_head().subspan(1), numbers, heights, work, {seed_, 0});
  }

  RunningError fixed_error() const override { return fixed_error_; }

  SummationTree tail_tree() const override {
    const FloatEnvironment environment;
    return tail_tree_of(*plan_, random_inputs(), seed_);
  }

  SummationTree tree(std::uint64_t sample) const override {
    const FloatEnvironment environment;
    return tree_of(*plan_, terms_, converts_terms(*plan_, terms_), {seed_, sample});
  }

 private:
  struct Work final : Scratch {
    Buffers<Floats<N>> floats;
    Buffers<Heights<N>> heights;
    std::vector<typename Heights<N>::Value> tagged;
  };

  /// Steps that add in the accumulate format, from the first random one on.
  std::span<const PlannedStep> drawn_head() const {
    return plan_->steps_before_change().subspan(fixed_head(*plan_).size());
  }

  /// Steps on MixedSums that are run for every sample.
  std::span<const PlannedStep> tail() const {
    return plan_->steps().subspan(std::max(plan_->steps_before_change().size(), plan_->fixed_steps().size()));
  }

  Evaluation run_head(std::span<const PlannedStep> steps, std::span<const N> numbers,
                      std::span<const std::uint64_t> heights, Work& work, Draw draw) const {
    if (left_heights_) {
      Floats<N> arith(fixed_error_);
      const auto out = run_steps(steps, arith, Input<Floats<N>>(numbers), work.floats, draw);
      return run_tail(tail(), {values_of(out.values()), *left_heights_, arith.error()}, draw);
    }
    work.tagged.clear();
    for (std::size_t i = 0; i < numbers.size(); ++i) work.tagged.push_back({numbers[i], heights[i]});
    Heights<N> arith((Floats<N>(fixed_error_)));
    const auto out = run_steps(
        steps, arith, Input<Heights<N>>(std::span<const typename Heights<N>::Value>(work.tagged)), work.heights, draw);
    std::vector<double> values;
    HeightRuns left;
    for (std::size_t i = 0; i < out.size(); ++i) {
      values.push_back(value_of(out[i].number));
      left.append(1, out[i].height);
    }
    return run_tail(tail(), {std::move(values), std::move(left), arith.error()}, draw);
  }

  Evaluation run_tail(std::span<const PlannedStep> steps, MixedSums sums, Draw draw) const {
    sums.run(steps, draw);
    return evaluation_of(sums.numbers().front(), formats(), sums.heights().first(), sums.error());
  }

  RunningError fixed_error_;
  FixedSums fixed_;         ///< what the first random step sees; the sum for a fixed order
  std::vector<N> numbers_;  ///< the same, if it adds in the accumulate format
  std::vector<std::uint64_t> heights_;
  std::optional<HeightRuns> left_heights_;  ///< heights that drawn_head() leaves, if no draw changes them
};

template <class N>
std::unique_ptr<const Evaluator> made_mixed(std::shared_ptr<const Plan> plan, const TermView& terms, std::uint64_t seed,
                                            const Loop& loop) {
  if (fixed_head(*plan).size() < plan->steps_before_change().size())
    return std::make_unique<MixedEvaluator<N>>(std::move(plan), terms, seed, loop);
  FixedSums fixed = fixed_sums<N>(*plan, terms, seed, loop);
  const std::optional<Format> format = plan->drawn_format();
  const bool changed = plan->fixed_steps().size() > plan->steps_before_change().size();
  if (changed && format && (fixed.error.scale == 1 || *format == Format::fp64))
    return make_evaluator_in(*format, std::move(plan), terms, seed, fixed);
  return std::make_unique<MixedEvaluator<N>>(std::move(plan), terms, seed, std::move(fixed));
}

}  // namespace

std::unique_ptr<const Evaluator> make_mixed_evaluator(std::shared_ptr<const Plan> plan, const TermView& terms,
                                                      std::uint64_t seed, const Loop& loop) {
  return with_type_of(plan->formats().accumulate, [&](auto* type) -> std::unique_ptr<const Evaluator> {
    using U = std::remove_pointer_t<decltype(type)>;
    if (plan->fuses()) return made_mixed<Product<U>>(std::move(plan), terms, seed, loop);
    return made_mixed<U>(std::move(plan), terms, seed, loop);
  });
}

}  // namespace orderlab
