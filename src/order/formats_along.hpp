// What formats the partial sums and the additions along an order have.
#pragma once

#include <string>

#include "orderlab/format.hpp"
#include "orderlab/order.hpp"
#include "orderlab/steps.hpp"

namespace orderlab {

/// Whether every number of `from` is one of `to`.
bool holds_all_of(Format to, Format from);

/// Follows an order from step to step. Additions need operands that are numbers of the format they are rounded to: only
/// then is "rounded once" all that there is to say of them.
class FormatsAlong {
 public:
  explicit FormatsAlong(Format accumulate) : held_(accumulate), adds_{accumulate, accumulate} {}

  /// How the next step adds.
  AddFormat adds() const { return adds_; }

  /// Whether a step has changed formats.
  bool changed() const { return changed_; }

  /// Goes over a step of the stage. Returns what is wrong with it here; empty: nothing.
  std::string follow(const StageCall& call, const Step& step);

 private:
  Format held_;  ///< all partial sums are numbers of it
  AddFormat adds_;
  bool changed_ = false;
};

}  // namespace orderlab
