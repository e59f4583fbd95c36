// The lattice rule: numbers of which no sum, in any order, needs rounding.
#pragma once

#include <cstdint>
#include <limits>

#include "orderlab/format.hpp"
#include "orderlab/term_view.hpp"

namespace orderlab {

/// Numbers that are all multiples of one power of two q: where sum |x| <= 2^p q, every partial sum of theirs is a
/// number of precision p, in every order, and so are sums that leave some of them out.
class Lattice {
 public:
  void add(double x) { add_multiple(x, exponent_of(x)); }

  /// The product, as a fused multiply-add has it: not rounded.
  void add_product(double x, double y);

  /// Whether no order of them rounds, overflows, or (where additions may flush) meets a subnormal number. All sums then
  /// are the exact one, which is -0 only where all numbers are and nothing starts from +0.
  ///
  /// Exact: neither answer is an approximation, for precisions up to 53. Numbers that are added later can only make it
  ///        false.
  bool no_order_rounds(const FormatInfo& format, bool flushes) const;

  /// Whether some sum of theirs may be subnormal, however large others are: not where all are multiples of the least
  /// normal number.
  bool may_be_subnormal(const FormatInfo& format) const { return lowest_ < format.e_min; }

  /// The largest e for which x, finite and not 0, is a multiple of 2^e.
  static int exponent_of(double x);

 private:
  void add_multiple(double x, int exponent);

  int lowest_ = std::numeric_limits<int>::max();  ///< exponent of q, of numbers that are not 0
  double magnitude_ = 0;
  bool representable_ = true;  ///< all are finite, and the magnitude is exact: else it is above 2^53 q
};

/// The terms' lattice; of products, as they are before any rounding. Has stop points.
Lattice lattice_of(const TermView& terms);

}  // namespace orderlab
