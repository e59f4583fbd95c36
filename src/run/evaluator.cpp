// Binding a plan to its terms. The fixed steps run once, their heights beside them; what follows the first random step
// runs on plain numbers for every sample, and on numbers with heights only where the height depends on the draw.
// Longer than most files: one class template, of which every function needs the same members.
#include "orderlab/evaluator.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "core/float_environment.hpp"
#include "core/stop.hpp"
#include "order/left_to_right.hpp"
#include "orderlab/arrival.hpp"
#include "orderlab/error.hpp"
#include "run/evaluation.hpp"
#include "run/fixed_part.hpp"
#include "run/heights.hpp"
#include "run/in_parts.hpp"
#include "run/leaves.hpp"
#include "run/mixed_evaluator.hpp"
#include "run/plan_run.hpp"
#include "run/plan_steps.hpp"
#include "run/plan_trees.hpp"
#include "run/sample_rows.hpp"

namespace orderlab {

Evaluator::Evaluator(std::shared_ptr<const Plan> plan, const TermView& terms, std::uint64_t seed)
    : plan_(std::move(plan)), terms_(terms), seed_(seed) {}

void Evaluator::evaluate_all(std::uint64_t first, std::span<Evaluation> results, Scratch& scratch) const {
  const FloatEnvironment environment;
  for (std::size_t i = 0; i < results.size(); ++i) results[i] = evaluate(first + i, scratch);
}

std::vector<std::uint32_t> Evaluator::arrival(std::uint64_t sample) const {
  const FloatEnvironment environment;
  if (plan_->drawn_steps().empty()) return {};
  const PlannedStep& first = plan_->drawn_steps().front();
  const auto* move = std::get_if<steps::Move>(&first.step.is);
  if (move == nullptr || move->kind != steps::Move::Kind::arrive) return {};
  std::vector<std::uint32_t> drawn(first.in);
  move->arrival.model->draw(*move->arrival.arguments, RandomStream(seed_, first.stream, sample), drawn);
  return drawn;
}

namespace {

/// Samples are evaluated together while the partial sums of one take at most so much, about the cache of a core: from
/// there on going through several of them side by side costs more than it saves (fp64: 5 to 8 ns a partial sum at 8 MB
/// instead of 4.4).
constexpr std::size_t kRowBytes = std::size_t{2} << 20;

template <class N>
class EvaluatorOf final : public Evaluator {
 public:
  using T = typename NumberTraits<N>::Rounded;

  EvaluatorOf(std::shared_ptr<const Plan> plan, const TermView& terms, std::uint64_t seed, const Loop& loop)
      : Evaluator(std::move(plan), terms, seed), leaves_(terms) {
    FixedPart<N> fixed(*plan_, *leaves_, loop);
    fixed_error_ = fixed.error();
    fixed_numbers_ = fixed.take_numbers();
    converted_ = leaves_->converted();
    begin(fixed.heights());
  }

  /// Of what the fixed steps, one or more, have left.
  EvaluatorOf(std::shared_ptr<const Plan> plan, const TermView& terms, std::uint64_t seed, const FixedSums& fixed)
      : Evaluator(std::move(plan), terms, seed), fixed_error_(fixed.error), converted_(converts_terms(*plan_, terms)) {
    fixed_numbers_.reserve(fixed.numbers.size());
    for (const double number : fixed.numbers) fixed_numbers_.push_back(N(number));
    begin(fixed.heights);
  }

  void begin(const HeightRuns& fixed) {
    constant_height_ = plan_->heights().sum;
    if (!constant_height_ && !plan_->fixed_steps().empty()) constant_height_ = sum_height(tail(), fixed);
    height_ = constant_height_ ? constant_height_ : height_in_turn(tail(), fixed);
    if (!height_) height_below_tree_ = height_below_tree(tail(), fixed);
    if (!without_heights()) keep_heights(fixed);
    together_ = kInRows<Floats<N>> && height_ && random_count() * sizeof(N) <= kRowBytes && ends_in_turn();
  }

  std::optional<std::uint64_t> constant_height() const override { return constant_height_; }

  std::unique_ptr<Scratch> make_scratch() const override { return std::make_unique<Work>(); }

  Evaluation evaluate(std::uint64_t sample, Scratch& scratch) const override {
    const FloatEnvironment environment;
    auto& work = static_cast<Work&>(scratch);
    const Draw draw{seed_, sample};
    if (without_heights()) {
      Floats<N> arith(fixed_error_);
      const N last = run_steps(tail(), arith, numbers(), work.floats, draw)[0];
      return finish(last, height_in(work), arith.error());
    }
    Heights<N> arith((Floats<N>(fixed_error_)));
    const auto last = run_steps(tail(), arith, fixed_input(), work.heights, draw)[0];
    return finish(last.number, last.height, arith.error());
  }

  std::size_t together() const override { return together_ ? kMaxRows : 1; }

  void evaluate_all(std::uint64_t first, std::span<Evaluation> results, Scratch& scratch) const override {
    const FloatEnvironment environment;
    if (!together_) return Evaluator::evaluate_all(first, results, scratch);
    for (std::size_t done = 0; done < results.size(); done += kMaxRows) {
      const auto together = results.subspan(done, std::min(kMaxRows, results.size() - done));
      evaluate_rows(first + done, together, static_cast<Work&>(scratch));
    }
  }

  std::vector<double> random_inputs() const override {
    const FloatEnvironment environment;
    std::vector<double> values(random_count());
    const Format format = tail().empty() ? formats().result : Format::fp64;
    for (std::size_t i = 0; i < random_count(); ++i)
      values[i] = before_result(NumberTraits<N>::rounded(fixed_number(i)), format);
    if constexpr (std::is_same_v<T, Extended>)  // those beyond the doubles are finite all the same
      for (std::size_t i = 0; i < random_count() && !tail().empty(); ++i)
        if (std::isinf(values[i]) && !(Extended(values[i]) == fixed_number(i)))
          values[i] = std::copysign(std::numeric_limits<double>::max(), values[i]);
    return values;
  }

  bool inputs_are_doubles() const override {
    const FloatEnvironment environment;
    if constexpr (std::is_same_v<T, Extended>)
      for (std::size_t i = 0; i < random_count(); ++i) {
        const Extended number = fixed_number(i);
        if (number == number && !(Extended(static_cast<double>(number)) == number)) return false;
      }
    return true;
  }

  std::vector<Factors> random_products() const override {
    const FloatEnvironment environment;
    std::vector<Factors> products;
    if constexpr (!std::is_same_v<N, T>) {
      if (!fuses_drawn()) return products;
      products.reserve(random_count());
      for (std::size_t i = 0; i < random_count(); ++i) {
        const N product = fixed_number(i);
        products.push_back({product.x, product.y});
      }
    }
    return products;
  }

  Evaluation evaluate_arranged(std::span<const std::uint32_t> order, Scratch& scratch) const override {
    const FloatEnvironment environment;
    require_all_arranged(order.size(), random_count());
    auto& work = static_cast<Work&>(scratch);
    if (without_heights()) {
      Floats<N> arith(fixed_error_);
      const N last = arranged(order, arith, work.arranged_numbers, work.floats,
                              [this](std::uint32_t i) { return fixed_number(i); });
      return finish(last, height_in(work), arith.error());
    }
    Heights<N> arith((Floats<N>(fixed_error_)));
    const auto last = arranged(order, arith, work.arranged_values, work.heights,
                               [in = fixed_input()](std::uint32_t i) { return in[i]; });
    return finish(last.number, last.height, arith.error());
  }

  RunningError fixed_error() const override { return fixed_error_; }

  SummationTree tail_tree() const override {
    const FloatEnvironment environment;
    return tail_tree_of(*plan_, random_inputs(), seed_);
  }

  SummationTree tree(std::uint64_t sample) const override {
    const FloatEnvironment environment;
    return tree_of(*plan_, terms_, converted_, {seed_, sample});
  }

 private:
  struct Work final : Scratch {
    Buffers<Floats<N>> floats;
    Buffers<Heights<N>> heights;
    std::vector<N> arranged_numbers;
    std::vector<typename Heights<N>::Value> arranged_values;
    std::array<typename Buffers<Floats<N>>::Buffer, kMaxRows> rows;
  };

  std::span<const PlannedStep> tail() const { return plan_->drawn_steps(); }

  std::span<const PlannedStep> after_random() const { return tail().subspan(1); }

  /// Partial sum number i of those that the first random stage sees.
  N fixed_number(std::size_t i) const {
    if (untouched()) return leaves_->view()[i];
    return without_heights() ? fixed_numbers_[i] : fixed_values_[i].number;
  }

  /// Whether the height of a sample is found without those of its partial sums.
  bool without_heights() const { return height_ || height_below_tree_; }

  /// The height of the sample whose steps have run last.
  std::uint64_t height_in(const Work& work) const {
    return height_ ? *height_ : *height_below_tree_ + work.floats.memory.tree_levels;
  }

  Input<Floats<N>> numbers() const {
    return untouched() ? Input<Floats<N>>(leaves_->view()) : Input<Floats<N>>(fixed_numbers_);
  }

  /// Runs each sample up to the last stage by itself, then that stage for all of them.
  void evaluate_rows(std::uint64_t first, std::span<Evaluation> results, Work& work) const {
    std::array<const void*, kMaxRows> data;
    std::array<RunningError, kMaxRows> errors;
    std::array<double, kMaxRows> sums;
    std::size_t count = 0;
    for (std::size_t r = 0; r < results.size(); ++r) {
      Floats<N> arith(fixed_error_);
      const auto out = run_steps(tail().first(tail().size() - 1), arith, numbers(), work.floats, {seed_, first + r});
      count = out.size();
      work.floats.exchange(out, work.rows[r]);
      data[r] = work.rows[r].values.get();
      errors[r] = arith.error();
    }
    const Combination& how = *one_group(tail().back().step, count);
    add_sample_rows({.format = kFormatOf<T>,
                     .data = std::span(data).first(results.size()),
                     .count = count,
                     .atomic = how.accumulate == Accumulate::atomic,
                     .from_zero = how.from_zero},
                    sums, errors);
    for (std::size_t r = 0; r < results.size(); ++r)
      results[r] = evaluation_of(sums[r], formats(), *height_, errors[r]);
  }

  /// Whether the last step adds all partial sums from left to right in one group, plainly.
  bool ends_in_turn() const {
    if (tail().size() < 2) return false;
    const Combination* how = one_group(tail().back().step, tail().back().in);
    return how != nullptr && how->tree == Combination::Tree::in_turn &&
           (how->accumulate == Accumulate::plain || how->accumulate == Accumulate::atomic);
  }

  bool fuses_drawn() const {
    return std::any_of(tail().begin(), tail().end(), [](const PlannedStep& planned) { return fuses(planned.step); });
  }

  template <class A, class Get>
  typename A::Value arranged(std::span<const std::uint32_t> order, A& arith, std::vector<typename A::Value>& values,
                             Buffers<A>& buffers, Get get) const {
    values.clear();
    values.reserve(order.size());
    for (const std::uint32_t i : order) {
      stop_point_at(values.size());
      values.push_back(get(i));
    }
    const Input<A> in{std::span<const typename A::Value>(values)};
    return run_steps(after_random(), arith, in, buffers, {seed_, 0})[0];
  }

  /// Whether the first random step is the first of all.
  bool untouched() const { return plan_->fixed_steps().empty(); }

  Input<Heights<N>> fixed_input() const {
    return untouched() ? Input<Heights<N>>::of_leaves(leaves_->view()) : Input<Heights<N>>(fixed_values_);
  }

  void keep_heights(const HeightRuns& fixed) {
    if (untouched()) return;
    const std::vector<std::uint64_t> heights = fixed.one_by_one();
    fixed_values_.reserve(heights.size());
    for (std::size_t i = 0; i < heights.size(); ++i) fixed_values_.push_back({fixed_numbers_[i], heights[i]});
    fixed_numbers_ = {};
  }

  Evaluation finish(const N& last, std::uint64_t height, const RunningError& error) const {
    return evaluation_of(NumberTraits<N>::rounded(last), formats(), height, error);
  }

  std::optional<Leaves<N>> leaves_;  ///< where the fixed steps, if any, are all of this type
  RunningError fixed_error_;
  std::vector<typename Heights<N>::Value> fixed_values_;  ///< what the first random step sees, where heights vary
  std::vector<N> fixed_numbers_;                          ///< the same without heights
  std::optional<std::uint64_t> constant_height_;          ///< where partial sums that are moved have equal heights
  std::optional<std::uint64_t> height_;             ///< height in every sample; empty where it depends on the draw
  std::optional<std::uint64_t> height_below_tree_;  ///< where it is this and the levels of the tree that is drawn
  bool together_ = false;                           ///< whether evaluate_rows applies
  bool converted_ = false;                          ///< Leaves::converted
};

}  // namespace

std::unique_ptr<const Evaluator> make_evaluator_in(Format format, std::shared_ptr<const Plan> plan,
                                                   const TermView& terms, std::uint64_t seed, const FixedSums& fixed) {
  return with_type_of(format, [&](auto* type) -> std::unique_ptr<const Evaluator> {
    using T = std::remove_pointer_t<decltype(type)>;
    return std::make_unique<EvaluatorOf<T>>(std::move(plan), terms, seed, fixed);
  });
}

std::unique_ptr<const Evaluator> Evaluator::make(std::shared_ptr<const Plan> plan, const TermView& terms,
                                                 std::uint64_t seed, const Loop& loop) {
  const FloatEnvironment environment;
  check_terms(*plan, terms);
  const Loop ours = in_float_environment_each(loop);
  if (plan->changes_format()) return make_mixed_evaluator(std::move(plan), terms, seed, ours);
  const bool fuses = plan->fuses();
  return with_number_type(plan->formats().accumulate, fuses, [&](auto* type) -> std::unique_ptr<const Evaluator> {
    return std::make_unique<EvaluatorOf<std::remove_pointer_t<decltype(type)>>>(std::move(plan), terms, seed, ours);
  });
}

std::unique_ptr<const Evaluator> Evaluator::make(const Order& order, const TermView& terms, const Formats& formats,
                                                 std::uint64_t seed, const Loop& loop) {
  const FloatEnvironment environment;
  if (terms.format != formats.terms)
    throw Error(ErrorKind::usage, "terms of format " + std::string(info(terms.format).name) + ": the formats say " +
                                      std::string(info(formats.terms).name));
  return make(compile(order, terms.n, formats, terms.products()), terms, seed, loop);
}

double evaluator_memory_bytes(const Order& order, std::size_t n, bool products, const Formats& formats, int threads) {
  const FloatEnvironment environment;
  constexpr double kHeightBytes = sizeof(std::uint64_t);
  // A leaf of a random tree: four intervals' ends, a draw, a height, a bit of nodes; with indices of 64 bits.
  constexpr double kTreeBytes = 25;
  constexpr double kWideTreeBytes = 49;
  constexpr double kIndexBytes = 32;  // an arrival order and what a model sorts to get it
  if (n == 0) return 0;
  const std::vector<PlannedStep> steps = plan_steps(order, n, formats.accumulate);
  const bool fused = std::any_of(steps.begin(), steps.end(), [](const auto& each) { return fuses(each.step); });
  const bool mixed =
      std::any_of(steps.begin(), steps.end(), [](const auto& each) { return changes_format(each.step); });
  const double number = fused                                ? sizeof(Product<double>)
                        : mixed                              ? sizeof(double) + kHeightBytes
                        : formats.accumulate == Format::fp80 ? sizeof(Extended)
                                                             : info(formats.accumulate).bits / 8.0;
  const auto drawn = std::find_if(steps.begin(), steps.end(), [](const auto& each) { return is_random(each.step); });
  const auto first_random = static_cast<std::size_t>(drawn - steps.begin());
  const Parts parts = Parts::of(std::span(steps).first(first_random));
  double bytes = products || formats.accumulate != formats.terms ? number * static_cast<double>(n) : 0;
  double fixed = 0;
  double scratch = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const auto& [step, before, m, stream, format] = steps[i];
    const double row = static_cast<double>(before) * number;
    if (i == first_random && row <= kRowBytes) scratch += row * kMaxRows;
    const auto* move = std::get_if<steps::Move>(&step.is);
    if (move == nullptr && is_random(step))
      scratch += ((before >> 30 == 0 ? kTreeBytes : kWideTreeBytes) + 2 * (number + kHeightBytes)) *
                 static_cast<double>(before);  // sums that wait, and leaves with their heights
    const bool within_part = i + 1 < parts.steps && parts.size < n;
    const std::size_t numbers = within_part ? std::min(m, Parts::kMost) : m;
    const double state = static_cast<double>(numbers) * number + static_cast<double>(m) * kHeightBytes;
    (i < first_random ? fixed : scratch) += state;
    if (move != nullptr && is_random(step) && !is_uniform(step)) scratch += kIndexBytes * static_cast<double>(m);
  }
  return bytes + 3 * fixed + scratch * (threads + 1);  // and once more for the baseline
}

}  // namespace orderlab
