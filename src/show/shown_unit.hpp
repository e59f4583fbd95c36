// The unit that text shows errors and bounds in.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "metrics/error_units.hpp"
#include "orderlab/metrics.hpp"
#include "orderlab/study/input.hpp"

namespace orderlab {

/// Ulps of the exact sum; u sum|x| where that sum is 0, because next to 0 an ulp is the smallest subnormal.
class ShownUnit {
 public:
  explicit ShownUnit(const study::InputFacts& input);

  /// Whether there is one: not where the terms have an inf or NaN.
  bool known() const { return unit_.has_value(); }

  /// "ulp" or "u sum|x|".
  std::string_view name() const { return name_; }

  /// Whether it is the ulp.
  bool ulps() const { return summary_ == &ErrorSummary::ulp; }

  /// The errors in this unit.
  const Summary& errors(const Metrics& metrics) const { return metrics.of<ErrorSummary>().*summary_; }

  /// An error as a multiple of the unit. Shape: known().
  double of(double error) const { return unit_->of(error); }

  /// "3.25 ulp"; the number alone where it is infinite or there is no unit.
  std::string text(double error, int digits = 3) const;

 private:
  std::optional<ErrorUnit> unit_;
  std::string_view name_;
  Summary ErrorSummary::*summary_;
};

}  // namespace orderlab
