// Binding an order to its terms. The fixed part runs once, its heights beside it; what follows the first random stage
// runs on plain numbers for every sample, and on numbers with heights only where the height depends on the draw.
// Longer than most files: one class template, of which every function needs the same members.
#include "orderlab/evaluator.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "order/evaluation.hpp"
#include "order/fixed_part.hpp"
#include "order/in_parts.hpp"
#include "order/leaves.hpp"
#include "order/left_to_right.hpp"
#include "order/pipeline_run.hpp"
#include "order/row_sums.hpp"
#include "orderlab/arrival.hpp"
#include "orderlab/error.hpp"

namespace orderlab {

Evaluator::Evaluator(const Order& order, const TermView& terms, const Formats& formats, std::uint64_t seed)
    : order_(order), terms_(terms), formats_(formats), seed_(seed) {}

void Evaluator::evaluate_all(std::uint64_t first, std::span<Evaluation> results, Scratch& scratch) const {
  for (std::size_t i = 0; i < results.size(); ++i) results[i] = evaluate(first + i, scratch);
}

std::vector<std::uint32_t> Evaluator::arrival(std::uint64_t sample) const {
  const std::size_t first = order_.first_random();
  if (first == order_.stages().size()) return {};
  const StageCall& call = order_.stages()[first];
  if (call.stage->parameters.empty() || call.stage->parameters[0].kind != ParameterKind::arrival) return {};
  std::vector<std::uint32_t> drawn(random_count_);
  const ArrivalCall& model = call.arguments.arrival(0);
  model.model->draw(*model.arguments, RandomStream(seed_, streams::kFirstStage, sample), drawn);
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

  EvaluatorOf(const Order& order, const TermView& terms, const Formats& formats, std::uint64_t seed)
      : Evaluator(order, terms, formats, seed), leaves_(terms), first_random_(order.first_random()) {
    FixedPart<N> fixed(std::span(order_.stages()).first(first_random_), leaves_);
    random_count_ = fixed.heights().size();
    fixed_error_ = fixed.error();
    fixed_numbers_ = fixed.take_numbers();
    probe_heights(fixed.heights());
    plan_rows();
  }

  std::optional<std::uint64_t> constant_height() const override { return height_; }

  std::unique_ptr<Scratch> make_scratch() const override { return std::make_unique<Work>(); }

  Evaluation evaluate(std::uint64_t sample, Scratch& scratch) const override {
    auto& work = static_cast<Work&>(scratch);
    const Draw draw{seed_, sample};
    if (height_) {
      Floats<N> arith(fixed_error_);
      return finish(run_stages(tail(), arith, numbers(), work.floats, draw)[0], *height_, arith.error());
    }
    Heights<N> arith(Floats<N>(fixed_error_), {});
    const auto last = run_stages(tail(), arith, fixed_input(), work.heights, draw)[0];
    return finish(last.number, last.tag, arith.error());
  }

  std::size_t together() const override { return together_ ? kMaxRows : 1; }

  void evaluate_all(std::uint64_t first, std::span<Evaluation> results, Scratch& scratch) const override {
    if (!together_) return Evaluator::evaluate_all(first, results, scratch);
    for (std::size_t done = 0; done < results.size(); done += kMaxRows) {
      const auto together = results.subspan(done, std::min(kMaxRows, results.size() - done));
      evaluate_rows(first + done, together, static_cast<Work&>(scratch));
    }
  }

  std::vector<double> random_inputs() const override {
    std::vector<double> values(random_count_);
    for (std::size_t i = 0; i < random_count_; ++i)
      values[i] = static_cast<double>(NumberTraits<N>::rounded(fixed_number(i)));
    return values;
  }

  std::vector<Factors> random_products() const override {
    std::vector<Factors> products;
    if constexpr (!std::is_same_v<N, T>) {
      if (std::none_of(tail().begin(), tail().end(), fuses)) return products;
      products.reserve(random_count_);
      for (std::size_t i = 0; i < random_count_; ++i) {
        const N product = fixed_number(i);
        products.push_back({product.x, product.y});
      }
    }
    return products;
  }

  Evaluation evaluate_arranged(std::span<const std::uint32_t> order, Scratch& scratch) const override {
    if (order.size() != random_count_)
      throw Error(ErrorKind::usage, "an order of " + std::to_string(order.size()) +
                                        " partial sums was given; the first random stage arranges " +
                                        std::to_string(random_count_));
    auto& work = static_cast<Work&>(scratch);
    if (height_) {
      Floats<N> arith(fixed_error_);
      const N last = arranged(order, arith, work.arranged_numbers, work.floats,
                              [this](std::uint32_t i) { return fixed_number(i); });
      return finish(last, *height_, arith.error());
    }
    Heights<N> arith(Floats<N>(fixed_error_), {});
    const auto last = arranged(order, arith, work.arranged_values, work.heights,
                               [in = fixed_input()](std::uint32_t i) { return in[i]; });
    return finish(last.number, last.tag, arith.error());
  }

  RunningError fixed_error() const override { return fixed_error_; }

  SummationTree tail_tree() const override {
    SummationTree tree(random_count_);
    std::vector<typename Symbolic<N>::Value> nodes;
    nodes.reserve(random_count_);
    for (std::size_t i = 0; i < random_count_; ++i) nodes.push_back({fixed_number(i), i});
    tree.set_roots({traced(order_.first_random() == order_.stages().size() ? tail() : after_random(), nodes, tree, 0)});
    return tree;
  }

  SummationTree tree(std::uint64_t sample) const override {
    SummationTree tree(terms_.n);
    NodeTracer tracer{&tree};
    std::vector<typename Symbolic<N>::Value> nodes;
    nodes.reserve(terms_.n);
    for (std::size_t i = 0; i < terms_.n; ++i) {
      const SummationTree::Node leaf = i;
      nodes.push_back(
          {leaves_.view()[i], leaves_.converted() ? tracer.unary(Operation::round, kFormatOf<T>, leaf) : leaf});
    }
    auto root = traced(order_.stages(), nodes, tree, sample);
    const bool product_left = tree.leaf(root) && terms_.products();
    if (formats_.result != formats_.accumulate || product_left)
      root = tracer.unary(Operation::round, formats_.result, root);
    tree.set_roots({root});
    return tree;
  }

 private:
  struct Work final : Scratch {
    Buffers<Floats<N>> floats;
    Buffers<Heights<N>> heights;
    std::vector<N> arranged_numbers;
    std::vector<typename Heights<N>::Value> arranged_values;
    std::array<typename Buffers<Floats<N>>::Buffer, kMaxRows> rows;
  };

  std::span<const StageCall> tail() const { return std::span(order_.stages()).subspan(first_random_); }

  std::span<const StageCall> after_random() const { return tail().subspan(1); }

  /// Partial sum number i of those that the first random stage sees.
  N fixed_number(std::size_t i) const {
    if (untouched()) return leaves_.view()[i];
    return height_ ? fixed_numbers_[i] : fixed_values_[i].number;
  }

  Input<Floats<N>> numbers() const {
    return untouched() ? Input<Floats<N>>(leaves_.view()) : Input<Floats<N>>(fixed_numbers_);
  }

  /// Runs each sample up to the last stage by itself, then that stage for all of them.
  void evaluate_rows(std::uint64_t first, std::span<Evaluation> results, Work& work) const {
    std::array<const void*, kMaxRows> data;
    std::array<RunningError, kMaxRows> errors;
    std::array<double, kMaxRows> sums;
    std::size_t count = 0;
    for (std::size_t r = 0; r < results.size(); ++r) {
      Floats<N> arith(fixed_error_);
      const auto out = run_stages(tail().first(tail().size() - 1), arith, numbers(), work.floats, {seed_, first + r});
      count = out.size();
      work.floats.exchange(out, work.rows[r]);
      data[r] = work.rows[r].values.get();
      errors[r] = arith.error();
    }
    const LeftToRight how = *one_group(count);
    add_sample_rows({.format = kFormatOf<T>,
                     .data = std::span(data).first(results.size()),
                     .count = count,
                     .atomic = how.accumulate == Accumulate::atomic,
                     .from_zero = how.from_zero},
                    sums, errors);
    for (std::size_t r = 0; r < results.size(); ++r) results[r] = evaluation_of(sums[r], formats_, *height_, errors[r]);
  }

  /// How the last stage adds m partial sums from left to right, if it does and adds plainly.
  std::optional<LeftToRight> one_group(std::size_t m) const {
    if (tail().size() < 2) return std::nullopt;
    const StageCall& last = tail().back();
    const auto how =
        last.stage->code->one_group == nullptr ? std::nullopt : last.stage->code->one_group(last.arguments, m);
    if (how && how->accumulate != Accumulate::plain && how->accumulate != Accumulate::atomic) return std::nullopt;
    return how;
  }

  void plan_rows() {
    if (!std::is_same_v<N, T> || !height_) return;
    std::size_t m = random_count_;
    for (const StageCall& call : tail().first(tail().empty() ? 0 : tail().size() - 1))
      m = count_left(call, m, formats_.accumulate);
    together_ = random_count_ * sizeof(N) <= kRowBytes && one_group(m);
  }

  template <class A, class Get>
  typename A::Value arranged(std::span<const std::uint32_t> order, A& arith, std::vector<typename A::Value>& values,
                             Buffers<A>& buffers, Get get) const {
    values.clear();
    values.reserve(order.size());
    for (const std::uint32_t i : order) values.push_back(get(i));
    const Input<A> in{std::span<const typename A::Value>(values)};
    return run_stages(after_random(), arith, in, buffers, {seed_, 0}, 1)[0];
  }

  SummationTree::Node traced(std::span<const StageCall> stages, std::span<const typename Symbolic<N>::Value> nodes,
                             SummationTree& tree, std::uint64_t sample) const {
    Symbolic<N> arith(Floats<N>(), NodeTracer{&tree});
    Buffers<Symbolic<N>> buffers;
    return run_stages<Symbolic<N>>(stages, arith, Input<Symbolic<N>>(nodes), buffers, {seed_, sample})[0].tag;
  }

  /// Whether the first random stage is the first of all.
  bool untouched() const { return first_random_ == 0; }

  Input<Heights<N>> fixed_input() const {
    return untouched() ? Input<Heights<N>>::of_leaves(leaves_.view()) : Input<Heights<N>>(fixed_values_);
  }

  // The heights that the reducing stages after the first random one leave. Equal heights stay equal however they are
  // arranged, so arranging stages are passed over; at the first that sees unequal ones the height depends on the draw.
  void probe_heights(const HeightRuns& fixed) {
    HeightRuns heights = fixed;
    for (const StageCall& call : tail()) {
      if (call.stage->reduces) {
        if (is_random(call)) return keep_heights(fixed);
        heights = heights_after(call, kFormatOf<T>, heights);
      } else if (!heights.all_equal()) {
        return keep_heights(fixed);
      }
    }
    height_ = heights.first();
  }

  void keep_heights(const HeightRuns& fixed) {
    if (untouched()) return;
    const std::vector<std::uint64_t> heights = fixed.one_by_one();
    fixed_values_.reserve(heights.size());
    for (std::size_t i = 0; i < heights.size(); ++i) fixed_values_.push_back({fixed_numbers_[i], heights[i]});
    fixed_numbers_ = {};
  }

  Evaluation finish(const N& last, std::uint64_t height, const RunningError& error) const {
    return evaluation_of(static_cast<double>(NumberTraits<N>::rounded(last)), formats_, height, error);
  }

  Leaves<N> leaves_;
  std::size_t first_random_;
  RunningError fixed_error_;
  std::vector<typename Heights<N>::Value> fixed_values_;  ///< what the first random stage sees, where heights vary
  std::vector<N> fixed_numbers_;                          ///< the same without heights
  std::optional<std::uint64_t> height_;                   ///< of every sample; empty where it depends on the draw
  bool together_ = false;                                 ///< whether evaluate_rows applies
};

bool keeps_products(const Order& order) { return std::any_of(order.stages().begin(), order.stages().end(), fuses); }

}  // namespace

std::unique_ptr<const Evaluator> Evaluator::make(const Order& order, const TermView& terms, const Formats& formats,
                                                 std::uint64_t seed) {
  if (terms.format != formats.terms)
    throw Error(ErrorKind::usage, "terms of format " + std::string(info(terms.format).name) + ": the formats say " +
                                      std::string(info(formats.terms).name));
  order.check(terms.n, terms.products(), formats.accumulate);
  return with_type_of(formats.accumulate, [&](auto* type) -> std::unique_ptr<const Evaluator> {
    using T = std::remove_pointer_t<decltype(type)>;
    if (keeps_products(order)) return std::make_unique<EvaluatorOf<Product<T>>>(order, terms, formats, seed);
    return std::make_unique<EvaluatorOf<T>>(order, terms, formats, seed);
  });
}

double evaluator_memory_bytes(const Order& order, std::size_t n, bool products, const Formats& formats, int threads) {
  constexpr double kHeightBytes = sizeof(HeightTracer::Tag);
  constexpr double kTreeBytes = 60;      // a random tree: 9 indices of its nodes and additions, a sum with its height
  constexpr double kWideTreeBytes = 96;  // the same with indices of 64 bits
  constexpr double kIndexBytes = 32;     // an arrival order and what a model sorts to get it
  const bool fused = keeps_products(order);
  const double number = fused ? sizeof(Product<double>) : info(formats.accumulate).bits / 8.0;
  double bytes = products || formats.accumulate != formats.terms ? number * static_cast<double>(n) : 0;
  double fixed = 0;
  double scratch = 0;
  const StageParts parts = StageParts::of(std::span(order.stages()).first(order.first_random()), n, formats.accumulate);
  std::size_t m = n;
  for (std::size_t i = 0; i < order.stages().size(); ++i) {
    const StageCall& call = order.stages()[i];
    const std::size_t before = m;
    const double row = static_cast<double>(before) * number;
    if (i == order.first_random() && row <= kRowBytes) scratch += row * kMaxRows;
    m = count_left(call, m, formats.accumulate);
    if (call.stage->reduces && is_random(call))
      scratch += (before >> 30 == 0 ? kTreeBytes : kWideTreeBytes) * static_cast<double>(before);
    const bool within_part = i + 1 < parts.stages && parts.size < n;
    const std::size_t numbers = within_part ? std::min(m, StageParts::kMost) : m;
    const double stage = static_cast<double>(numbers) * number + static_cast<double>(m) * kHeightBytes;
    (i < order.first_random() ? fixed : scratch) += stage;
    const bool arrives = !call.stage->parameters.empty() && call.stage->parameters[0].kind == ParameterKind::arrival;
    if (arrives && is_random(call) && !call.arguments.arrival(0).model->uniform)
      scratch += kIndexBytes * static_cast<double>(m);
  }
  return bytes + 3 * fixed + scratch * (threads + 1);  // and once more for the baseline
}

}  // namespace orderlab
