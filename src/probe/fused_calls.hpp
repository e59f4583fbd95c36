// The calls of a box that adds products, kept with their answers.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "orderlab/format.hpp"
#include "orderlab/term_view.hpp"
#include "probe/asked_box.hpp"

namespace orderlab {

struct FusedCall {
  std::vector<Factors> products;  ///< in the order of the steps
  double answer = 0;
};

/// Significant decimal digits that tell numbers of a format apart.
int digits_of(Format sums);

/// The number of the format that a decimal of so many digits stands for; the answer itself where that is none.
double read_answer(double answer, Format sums);

/// Whether two answers are one number. All NaN are, and so are the two zeros.
bool same_answer(double a, double b);

class FusedCalls {
 public:
  /// `factors`: their format, which the box may be given in a wider one.
  FusedCalls(AskedBox& box, Format factors) : box_(box), factors_(factors) {}

  std::size_t n() const { return box_.n(); }
  Format factors() const { return factors_; }
  AskedBox& box() { return box_; }

  /// The box's sum of n products.
  double ask(std::vector<Factors> products);

  /// Sums are of that format: from here on answers that are decimals of one, and those asked before, become it.
  void answers_are(Format sums);

  /// From here on products are given to the box from the last to the first; those asked before are turned, too.
  void turn();

  std::span<const FusedCall> all() const { return calls_; }

 private:
  AskedBox& box_;
  Format factors_;
  std::optional<Format> sums_ = {};
  bool turned_ = false;
  std::vector<FusedCall> calls_;
};

/// Exponents that products of powers of two can be asked in: of every sum of them, too.
struct FusedRange {
  int least;
  int most;
};

/// Whether subnormal factors and subnormal sums may be used.
struct FusedSubnormals {
  bool factors;
  bool sums;
};

FusedRange range_of_products(Format factors, Format sums, FusedSubnormals subnormals);

/// significand * 2^exponent as a product of two factors.
///
/// Shape: the exponent is in the range; the significand is 1 or -1, or of two bits where it is not the least exponent.
Factors product_of_power(Format factors, int exponent, double significand = 1);

}  // namespace orderlab
