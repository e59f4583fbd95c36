// Steps up to the first that changes formats add in the accumulate format and run as they do in any other plan; those
// from there on run on RoundedNumbers. Longer than most files: one class template, of which every function needs the
// same members.
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
#include "run/plan_run.hpp"
#include "run/plan_steps.hpp"
#include "run/plan_trees.hpp"
#include "run/rounded_numbers.hpp"

namespace orderlab {

namespace {

template <class N>
class MixedEvaluator final : public Evaluator {
 public:
  using T = typename NumberTraits<N>::Rounded;
  using Rounded = RoundedNumbers::Value;

  MixedEvaluator(std::shared_ptr<const Plan> plan, const TermView& terms, std::uint64_t seed, const Loop& loop)
      : Evaluator(std::move(plan), terms, seed), leaves_(terms) {
    const auto fixed_head = head().first(std::min(head().size(), plan_->fixed_steps().size()));
    const PlanHeights heights = heights_of(fixed_head, terms.n);
    FixedPart<N> fixed(fixed_head, heights, leaves_, loop);
    fixed_error_ = fixed.error();
    numbers_ = fixed_head.empty() ? std::vector<N>(leaves_.view().begin(), leaves_.view().end()) : fixed.take_numbers();
    heights_ = fixed.heights().one_by_one();
    const auto drawn = drawn_head();
    if (!drawn.empty()) {
      left_heights_ = drawn_heights(drawn, fixed.heights());
      if (left_heights_) left_one_by_one_ = left_heights_->one_by_one();
      return;
    }
    rounded_.reserve(numbers_.size());
    for (std::size_t i = 0; i < numbers_.size(); ++i) rounded_.push_back({value_of(numbers_[i]), heights_[i]});
    numbers_ = {};
    heights_ = {};
    RoundedNumbers arith(fixed_error_);
    Buffers<RoundedNumbers> buffers;
    const auto out = run_steps(plan_->fixed_steps().subspan(head().size()), arith, Input<RoundedNumbers>(rounded_),
                               buffers, {seed_, 0});
    fixed_error_ = arith.error();
    if (!out.begins(rounded_.data())) rounded_ = std::vector<Rounded>(out.values().begin(), out.values().end());
  }

  std::optional<std::uint64_t> constant_height() const override { return plan_->heights().sum; }

  std::unique_ptr<Scratch> make_scratch() const override { return std::make_unique<Work>(); }

  Evaluation evaluate(std::uint64_t sample, Scratch& scratch) const override {
    const FloatEnvironment environment;
    auto& work = static_cast<Work&>(scratch);
    const Draw draw{seed_, sample};
    if (drawn_head().empty()) return run_tail(tail(), rounded_, fixed_error_, work, draw);
    return run_head(drawn_head(), std::span<const N>(numbers_), heights_, work, draw);
  }

  std::vector<double> random_inputs() const override {
    const FloatEnvironment environment;
    std::vector<double> values;
    values.reserve(random_count());
    for (const Rounded& value : rounded_) values.push_back(value.number);
    for (const N& number : numbers_) values.push_back(value_of(number));
    return values;
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
      std::vector<Rounded> arranged;
      arranged.reserve(order.size());
      for (const std::uint32_t i : order) arranged.push_back(rounded_[i]);
      return run_tail(tail().subspan(tail().empty() ? 0 : 1), arranged, fixed_error_, work, {seed_, 0});
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
    return tree_of(*plan_, terms_, leaves_.converted(), {seed_, sample});
  }

 private:
  struct Work final : Scratch {
    Buffers<Floats<N>> floats;
    Buffers<Heights<N>> heights;
    Buffers<RoundedNumbers> rounded;
    std::vector<typename Heights<N>::Value> tagged;
    std::vector<Rounded> values;
  };

  static double value_of(const N& number) { return static_cast<double>(NumberTraits<N>::rounded(number)); }

  /// Steps that add in the accumulate format; those of them from the first random one on.
  std::span<const PlannedStep> head() const { return plan_->steps_before_change(); }
  std::span<const PlannedStep> drawn_head() const {
    return head().subspan(std::min(head().size(), plan_->fixed_steps().size()));
  }

  /// Steps on RoundedNumbers that are run for every sample.
  std::span<const PlannedStep> tail() const {
    return plan_->steps().subspan(std::max(head().size(), plan_->fixed_steps().size()));
  }

  Evaluation run_head(std::span<const PlannedStep> steps, std::span<const N> numbers,
                      std::span<const std::uint64_t> heights, Work& work, Draw draw) const {
    work.values.clear();
    if (left_heights_) {
      Floats<N> arith(fixed_error_);
      const auto out = run_steps(steps, arith, Input<Floats<N>>(numbers), work.floats, draw);
      for (std::size_t i = 0; i < out.size(); ++i) work.values.push_back({value_of(out[i]), left_one_by_one_[i]});
      return run_tail(tail(), work.values, arith.error(), work, draw);
    }
    work.tagged.clear();
    for (std::size_t i = 0; i < numbers.size(); ++i) work.tagged.push_back({numbers[i], heights[i]});
    Heights<N> arith((Floats<N>(fixed_error_)));
    const auto out = run_steps(
        steps, arith, Input<Heights<N>>(std::span<const typename Heights<N>::Value>(work.tagged)), work.heights, draw);
    for (std::size_t i = 0; i < out.size(); ++i) work.values.push_back({value_of(out[i].number), out[i].height});
    return run_tail(tail(), work.values, arith.error(), work, draw);
  }

  Evaluation run_tail(std::span<const PlannedStep> steps, std::span<const Rounded> values, const RunningError& error,
                      Work& work, Draw draw) const {
    RoundedNumbers arith(error);
    const Rounded last = run_steps(steps, arith, Input<RoundedNumbers>(values), work.rounded, draw)[0];
    return evaluation_of(last.number, formats(), last.height, arith.error());
  }

  Leaves<N> leaves_;
  RunningError fixed_error_;
  std::vector<N> numbers_;  ///< what the first random step sees, if it adds in the accumulate format
  std::vector<std::uint64_t> heights_;
  std::optional<HeightRuns> left_heights_;  ///< heights that drawn_head() leaves, if no draw changes them
  std::vector<std::uint64_t> left_one_by_one_;
  std::vector<Rounded> rounded_;  ///< what the first random step sees otherwise; the sum for a fixed order
};

}  // namespace

std::unique_ptr<const Evaluator> make_mixed_evaluator(std::shared_ptr<const Plan> plan, const TermView& terms,
                                                      std::uint64_t seed, const Loop& loop) {
  return with_type_of(plan->formats().accumulate, [&](auto* type) -> std::unique_ptr<const Evaluator> {
    using U = std::remove_pointer_t<decltype(type)>;
    if (plan->fuses()) return std::make_unique<MixedEvaluator<Product<U>>>(std::move(plan), terms, seed, loop);
    return std::make_unique<MixedEvaluator<U>>(std::move(plan), terms, seed, loop);
  });
}

}  // namespace orderlab
