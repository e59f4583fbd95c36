// Plans: an order compiled for a number of terms and for formats. A plan has no terms and no seed; it is immutable, so
// threads, inputs and seeds can share it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "orderlab/format.hpp"
#include "orderlab/order.hpp"
#include "orderlab/steps.hpp"

namespace orderlab {

/// A step of a plan.
struct PlannedStep {
  Step step;
  std::size_t in;        ///< partial sums before it
  std::size_t out;       ///< and after it
  std::uint16_t stream;  ///< for its draws: streams::kFirstStage plus the number of random steps before it
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

  std::span<const PlannedStep> steps() const { return steps_; }

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
  std::shared_ptr<const PlanHeights> heights_;
};

/// The plan of the order for n terms, `products` or numbers, of formats.terms.
///
/// Errors: usage as Plan.
std::shared_ptr<const Plan> compile(const Order& order, std::size_t n, const Formats& formats, bool products = false);

}  // namespace orderlab
