// What a box takes for given summands: x for |x| and for x * x, and x for x * w with fixed weights w.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "orderlab/format.hpp"
#include "orderlab/probe.hpp"
#include "orderlab/term_view.hpp"
#include "orderlab/terms.hpp"

namespace orderlab {

/// The terms of the model are what a box adds: t, or products x * x. A box of |x| is given t with signs that are drawn
/// once for each place; one of squares, x alone; one with weights, t / w, which is exact where that is in range.
class TakenTerms {
 public:
  static constexpr const char* kOneInput = "sums of |x|, x * x or w * x: the box must take one array";

  /// Errors: usage for weights that are not as BoxMaker says.
  TakenTerms(Summands summands, const std::vector<double>& weights, const BoxSetting& setting);

  Summands summands() const { return summands_; }
  bool squares() const { return summands_ == Summands::squares || summands_ == Summands::norm; }
  bool changes() const { return summands_ != Summands::terms || !weights_.empty(); }

  /// Bits by which exponents of terms are farther from the ends of the format: what the weights take.
  int foot() const { return foot_; }
  int head() const { return head_; }

  /// The views hold until the next call.
  std::span<const TermView> of(std::span<const TermView> inputs);

 private:
  void check(const BoxSetting& setting);

  Summands summands_;
  std::vector<double> weights_;
  std::vector<double> signs_;
  int foot_ = 0;
  int head_ = 0;
  std::vector<Terms> terms_;
  std::vector<TermView> views_;
};

}  // namespace orderlab
