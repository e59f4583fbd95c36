// A plan bound to its terms: the fixed part is computed once, samples are drawn from the rest. The tree of additions
// that a sample stands for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "orderlab/format.hpp"
#include "orderlab/loop.hpp"
#include "orderlab/order.hpp"
#include "orderlab/plan.hpp"
#include "orderlab/term_view.hpp"

namespace orderlab {

/// What an inner node does with its children, every result rounded to the node's format.
enum class Operation : std::uint8_t {
  add,        ///< a + b
  add_ftz,    ///< a + b, subnormal operands and results flushed to signed zero (fp32 global atomics)
  start,      ///< +0.0 + a
  start_ftz,  ///< +0.0 + a with flushing
  round,      ///< a, or a product, rounded to the node's format
  kahan,      ///< the children in turn, compensated after Kahan
  neumaier,   ///< the children in turn, compensated after Neumaier
  fma,        ///< products fused in turn into the first child if that is an inner node, else all into +0.0
  fused,      ///< products added by steps of the node's unit, from +0.0
};

constexpr std::string_view name_of(Operation operation) {
  constexpr std::string_view kNames[] = {"add",   "add_ftz",  "start", "start_ftz", "round",
                                         "kahan", "neumaier", "fma",   "fused"};
  return kNames[static_cast<std::size_t>(operation)];
}

/// Leaf i is node i (the term, or the product, number i); inner nodes are n, n + 1, ... in the order they were made.
class SummationTree {
 public:
  using Node = std::uint64_t;

  explicit SummationTree(std::uint64_t term_count) : term_count_(term_count) {}

  std::uint64_t term_count() const { return term_count_; }
  std::uint64_t node_count() const { return term_count_ + inner_.size(); }
  bool leaf(Node node) const { return node < term_count_; }
  Operation operation(Node node) const { return inner_[node - term_count_].operation; }
  Format format(Node node) const { return inner_[node - term_count_].format; }
  std::span<const Node> children(Node node) const;

  /// Of a fused node: its unit. Null for others.
  std::shared_ptr<const FusedUnit> unit(Node node) const;

  /// Appends an inner node; its children must exist. A fused one has a unit.
  Node add(Operation operation, Format format, std::span<const Node> children,
           std::shared_ptr<const FusedUnit> unit = nullptr);

  std::span<const Node> roots() const { return roots_; }
  void set_roots(std::vector<Node> roots) { roots_ = std::move(roots); }

  /// Additions on the longest path from a leaf to a root.
  std::uint64_t height() const;

 private:
  struct Inner {
    Operation operation;
    Format format;
    std::uint64_t first_child;
    std::uint64_t child_count;
  };
  std::uint64_t term_count_;
  std::vector<Inner> inner_;
  std::vector<Node> children_;
  std::vector<std::pair<Node, std::shared_ptr<const FusedUnit>>> units_;  ///< of fused nodes
  std::vector<Node> roots_;
};

/// Values of all nodes, leaves first, each exact as a double (a leaf that is a product: its factors' product in fp64),
/// those of fp80 rounded to fp64.
///
/// A second way to evaluate an order, node by node from the tree alone; tests compare pipelines with it.
/// Shape: terms.n == tree.term_count(), else Error(usage).
std::vector<double> evaluate(const SummationTree& tree, const TermView& terms);

/// Sums that one evaluation collects for the error bounds. Sums are in fp64, rounded to nearest; the bounds
/// inflate them by the number of roundings.
struct RunningError {
  double linear = 0;             ///< sum of u |s'| over all rounded nodes, u of the node's format
  double square = 0;             ///< sum of (u s' scale)^2
  double scale = 1;              ///< a power of two that keeps the squares from overflowing
  double extra = 0;              ///< conversions, underflow, flushing: added to any bound as they are
  std::uint64_t roundings = 0;   ///< nodes counted in
  std::uint64_t allowances = 0;  ///< additions to `extra`
  bool bounded = true;           ///< false once a node has no derived bound (Kahan)
  bool random_model = true;      ///< every node is one rounding, as P3 assumes
  bool plain = true;             ///< nothing but plain additions, each rounded once, as D2 assumes
};

/// One result.
struct Evaluation {
  std::uint64_t bits = 0;  ///< in the result format
  double value = 0;        ///< the same number
  std::uint64_t height = 0;
  RunningError error;
};

/// An order ready to run on its terms. Immutable: samples can be evaluated from many threads, each with its Scratch.
class Evaluator {
 public:
  /// Buffers of one thread, reused from sample to sample.
  class Scratch {
   public:
    virtual ~Scratch() = default;
  };

  virtual ~Evaluator() = default;

  /// Computes the fixed part of the plan, parts of the terms at once where the loop and the steps allow it; nothing
  /// depends on the loop. `terms` must outlive the evaluator.
  ///
  /// Errors: usage for a plan that is for other terms.
  static std::unique_ptr<const Evaluator> make(std::shared_ptr<const Plan> plan, const TermView& terms,
                                               std::uint64_t seed, const Loop& loop = serial_loop);

  /// The same of the order's plan for these terms.
  ///
  /// Errors: usage for an order that does not fit the terms.
  static std::unique_ptr<const Evaluator> make(const Order& order, const TermView& terms, const Formats& formats,
                                               std::uint64_t seed, const Loop& loop = serial_loop);

  const Plan& plan() const { return *plan_; }
  const Order& order() const { return plan_->order(); }
  const Formats& formats() const { return plan_->formats(); }
  std::uint64_t seed() const { return seed_; }
  std::size_t term_count() const { return terms_.n; }

  /// Partial sums that the first random step sees; 1 for a fixed order.
  std::size_t random_count() const { return plan_->random_count(); }

  /// Additions on the longest path from a term to the sum where that is the same for every sample; else empty.
  virtual std::optional<std::uint64_t> constant_height() const = 0;

  virtual std::unique_ptr<Scratch> make_scratch() const = 0;

  /// The sum in the order drawn for `sample`: a pure function of (seed, sample).
  virtual Evaluation evaluate(std::uint64_t sample, Scratch& scratch) const = 0;

  /// Evaluates samples first, first + 1, ..., one for each place in `results`: with the sums and heights of `evaluate`,
  /// but faster where additions of several samples can be done together. The sums for the error bounds do not depend on
  /// the number of samples of a call; `evaluate` may round them in another order.
  virtual void evaluate_all(std::uint64_t first, std::span<Evaluation> results, Scratch& scratch) const;

  /// Number of samples, at most kTogether, to evaluate by one call of evaluate_all.
  virtual std::size_t together() const { return 1; }
  static constexpr std::size_t kTogether = 8;

  /// The explicit tree of that order.
  virtual SummationTree tree(std::uint64_t sample) const = 0;

  /// The partial sums that the first random stage sees, in their places, rounded to the accumulate format; the sum
  /// alone for a fixed order. Those of fp80 are rounded to fp64, and the sum to the result format.
  virtual std::vector<double> random_inputs() const = 0;

  /// Whether random_inputs() are exactly what the first random stage sees: false if some fp80 sums are not doubles.
  virtual bool inputs_are_doubles() const { return true; }

  /// The products themselves, not rounded, where a stage from the first random one on fuses them (acc=fma); else empty.
  virtual std::vector<Factors> random_products() const { return {}; }

  /// The sum where the first random stage takes this order instead of drawing one: position k holds partial sum
  /// order[k]. Stages after it draw as for sample 0.
  ///
  /// Shape: the first random stage arranges, `order` permutes 0 .. random_count()-1, else Error(usage) for its length.
  virtual Evaluation evaluate_arranged(std::span<const std::uint32_t> order, Scratch& scratch) const = 0;

  /// The tree, over leaves 0 .. random_count()-1, of the stages after the first random one, which arranges. Stages that
  /// draw do so as for sample 0. One leaf for a fixed order.
  virtual SummationTree tail_tree() const = 0;

  /// What the stages before the first random one have added up for the error bounds, conversions included.
  virtual RunningError fixed_error() const = 0;

  /// The arrival order that the first random stage draws for `sample`, when that stage is `arrive`; else empty.
  std::vector<std::uint32_t> arrival(std::uint64_t sample) const;

 protected:
  Evaluator(std::shared_ptr<const Plan> plan, const TermView& terms, std::uint64_t seed);

  std::shared_ptr<const Plan> plan_;
  TermView terms_;
  std::uint64_t seed_;
};

/// Estimate of the bytes that Evaluator::make and `threads` scratches take, without the terms and the counts.
double evaluator_memory_bytes(const Order& order, std::size_t n, bool products, const Formats& formats, int threads);

}  // namespace orderlab
