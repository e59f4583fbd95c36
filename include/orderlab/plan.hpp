// Plans: an order compiled for a number of terms and for formats. A plan has no terms and no seed; it is immutable, so
// threads, inputs and seeds can share it. Sums of rows of terms by a plan, without what the error bounds need.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "orderlab/format.hpp"
#include "orderlab/order.hpp"
#include "orderlab/philox.hpp"
#include "orderlab/steps.hpp"
#include "orderlab/term_view.hpp"

namespace orderlab {

/// A step of a plan.
struct PlannedStep {
  Step step;
  std::size_t in;        ///< partial sums before it
  std::size_t out;       ///< and after it
  std::uint16_t stream;  ///< for its draws: streams::kFirstStage plus the number of random steps before it
  AddFormat format;      ///< what its additions are rounded to
};

struct PlanHeights;

class Plan {
 public:
  /// Errors: usage for an order that is not valid for n terms (Order::check).
  Plan(const Order& order, std::size_t n, bool products, const Formats& formats);

  const Order& order() const { return order_; }
  const Formats& formats() const { return formats_; }
  std::size_t term_count() const { return n_; }

  /// Whether terms are products x * y.
  bool products() const { return products_; }

  /// Whether some step fuses products, so that they are not rounded before it.
  bool fuses() const { return fuses_; }

  /// The unit, where the order is nothing but its steps on all products, from one start; null for other orders.
  const FusedUnit* unit_of_all() const;

  /// Whether some step changes formats: a Round or an In.
  bool changes_format() const { return first_change_ < steps_.size(); }

  /// Whether one does, or adds in another format than formats().accumulate, from the first random step on: then what is
  /// known of sums in the accumulate format says nothing of those that are drawn.
  bool draws_in_other_formats() const;

  /// The format of all additions from the first random step on, and of all numbers that they add. Empty where there are
  /// several formats, where a sum is rounded again in between or at the end, and where nothing is added.
  std::optional<Format> drawn_format() const;

  std::span<const PlannedStep> steps() const { return steps_; }

  /// Steps before the first that changes formats: all of them add in the accumulate format.
  std::span<const PlannedStep> steps_before_change() const { return std::span(steps_).first(first_change_); }

  /// The coarsest of the formats that some rounding of the plan is to.
  Format coarsest() const;

  /// At most so many roundings are on a path from a term to a sum of that height: its additions, and what changes of
  /// format round beside them.
  std::uint64_t path_roundings(std::uint64_t height) const;

  /// An upper bound of the sum of the unit roundoffs of all roundings on a path from a term to the sum, not upward
  /// rounded; empty where an accumulator is not plain or products are fused.
  std::optional<double> path_roundoff() const;

  /// Steps before the first random one, and the others.
  std::span<const PlannedStep> fixed_steps() const { return std::span(steps_).first(fixed_); }
  std::span<const PlannedStep> drawn_steps() const { return std::span(steps_).subspan(fixed_); }

  /// Partial sums that the first random step sees; 1 for a fixed order.
  std::size_t random_count() const { return fixed_ == steps_.size() ? 1 : steps_[fixed_].in; }

  /// Heights of partial sums, as far as they depend on nothing but the plan.
  const PlanHeights& heights() const { return *heights_; }

 private:
  Order order_;
  Formats formats_;
  std::size_t n_;
  bool products_;
  bool fuses_ = false;
  std::vector<PlannedStep> steps_;
  std::size_t fixed_ = 0;
  std::size_t first_change_ = 0;
  std::shared_ptr<const PlanHeights> heights_;
};

/// The plan of the order for n terms, `products` or numbers, of formats.terms.
///
/// Errors: usage as Plan.
std::shared_ptr<const Plan> compile(const Order& order, std::size_t n, const Formats& formats, bool products = false);

/// `count` rows of n terms each. Term i of row r is number x[r * x_stride + i] of `format`, or the unevaluated product
/// x[r * x_stride + i] * y[r * y_stride + i] where `y` is not null. Rows may overlap; with a stride of 0 all are the
/// same. Owns nothing.
struct TermRows {
  Format format = Format::fp64;
  std::size_t count = 0;
  std::size_t n = 0;
  const void* x = nullptr;
  std::size_t x_stride = 0;
  const void* y = nullptr;
  std::size_t y_stride = 0;

  /// What the sum of each row starts from, numbers of the accumulate format; null: +0. For plans with a unit_of_all().
  const double* starts = nullptr;

  bool products() const { return y != nullptr; }

  /// The terms of row r.
  TermView row(std::size_t r) const {
    return {format, n, number_at(format, x, r * x_stride), number_at(format, y, r * y_stride)};
  }
};

/// `count` rows of n terms, one after the other in an array of double, float, Half or Bfloat16, or in two.
template <class T>
TermRows rows_of(const T* x, std::size_t count, std::size_t n, const T* y = nullptr) {
  return {kFormatOf<T>, count, n, x, n, y, n};
}

/// Adds many rows by one plan. Immutable: threads can share it, and share the rows of an operation among them.
class RowSums {
 public:
  explicit RowSums(std::shared_ptr<const Plan> plan);
  ~RowSums();

  const Plan& plan() const { return *plan_; }

  /// Sets sums[r] to the sum of row r: bit for bit Evaluation::value of an Evaluator of this plan, these terms and this
  /// key, for `sample`. (Every number of the result format is a double; round_to_bits(formats().result, sums[r]) are
  /// its bits.) Row r draws as output number first.output + r, or r: with the key
  ///
  ///     DrawPath{first.seed, first.site, first.step, first.output.value_or(0) + r}.key()
  ///
  /// so a sum depends neither on the number of rows of a call nor on the rows before it. What is fixed is computed in
  /// every call.
  ///
  /// Errors: usage for rows that the plan is not for, for another number of sums than of rows, for starts that the plan
  ///         does not take, and for a path with a number that DrawPath does not allow; nothing is written then.
  /// Cost:   of a fixed order as evaluate_alike; of other plans those of one row after the other.
  void evaluate(const TermRows& rows, std::span<double> sums, const DrawPath& first = {},
                std::uint64_t sample = 0) const;

  /// The same, but all rows draw alike: with `key`.
  ///
  /// Cost: of at most 256 terms, unless they are sorted by value or their accumulators are compensated, and of one
  ///       chain of fused multiply-adds of any length in fp32 or fp64, those of vectors with a row in each lane.
  void evaluate_alike(const TermRows& rows, std::span<double> sums, std::uint64_t key, std::uint64_t sample) const;

 private:
  struct Program;

  void check(const TermRows& rows, std::span<double> sums) const;
  bool fuse(const TermRows& rows, std::span<double> sums, std::uint64_t key, std::uint64_t sample) const;

  std::shared_ptr<const Plan> plan_;
  std::unique_ptr<const Program> program_;  ///< null where rows that draw by themselves are not added in lanes
};

/// The sum of one row: bit for bit Evaluation::value of an Evaluator of the plan, terms and seed, for `sample`.
///
/// Errors: usage for terms that the plan is not for.
double sum_of(const Plan& plan, const TermView& terms, std::uint64_t seed = 0, std::uint64_t sample = 0);

}  // namespace orderlab
