// Exact sums of numbers and of products: rounded to any format they are mpfr_sum's, however the terms are split.
#include <cmath>
#include <string>
#include <vector>

#include "fuzz/fuzz.hpp"
#include "fuzz/terms.hpp"
#include "order/trouble.hpp"
#include "orderlab/exact.hpp"
#include "reference/mpfr_oracle.hpp"

using namespace orderlab;
using namespace orderlab::fuzz;

namespace {

// The exact sum of products x[i] * y[i], added in two parts.
ExactValue in_two_parts(const TermView& terms, std::size_t cut) {
  ExactSum first;
  ExactSum second;
  for (std::size_t i = 0; i < terms.n; ++i) (i < cut ? first : second).add_product(terms.left(i), terms.right(i));
  first.merge(second);
  return first.value();
}

std::vector<double> factors_of(const TermView& terms, bool right) {
  std::vector<double> factors;
  for (std::size_t i = 0; i < terms.n; ++i) factors.push_back(right ? terms.right(i) : terms.left(i));
  return factors;
}

void require_digits_agree(const ExactValue& value) {
  if (!value.finite()) return;
  const std::string digits = value.decimal(17);
  const double rounded = value.to_double();
  const double read = read_number(digits, Format::fp64).value().value;
  require(bits_of(read) == bits_of(rounded) || std::nextafter(read, rounded) == rounded,
          "17 digits of the sum are rounded to the nearest double, or to its neighbour from about a tie");
  if (std::isfinite(rounded) && !value.zero())
    require(
        std::fabs(value.difference(rounded)) <= std::ldexp(1.0, std::max(value.ulp_exponent(Format::fp64) - 1, -1074)),
        "the nearest double lies within half an ulp");
}

}  // namespace

ORDERLAB_FUZZ(exact_sums) {
  Choices choices(input);
  const Format format = choices.format();
  const bool products = choices.flag();
  const std::size_t n = 1 + choices.below(64);
  const std::size_t cut = choices.below(n);
  const std::vector<double> y = any_numbers(choices, format, products ? n : 1);
  const std::vector<double> x = any_numbers(choices, format, n);
  const testing::TypedTerms typed = products ? testing::TypedTerms(format, x, y) : testing::TypedTerms(format, x);
  const TermView terms = typed.view();
  const ExactValue value = exact_sum(terms);
  testing::Mpfr expected;
  testing::mpfr_exact_sum(expected, factors_of(terms, false), factors_of(terms, true));
  const ExactValue split = in_two_parts(terms, cut);
  for (const FormatInfo& f : kFormats) {
    require_equal("the exact sum and that of two parts", value.round_to(f.format), split.round_to(f.format));
    require_equal("the exact sum and mpfr_sum's", value.round_to(f.format), testing::rounded_bits(f.format, expected));
  }
  require_equal("the exact sum of magnitudes and that of two parts", exact_sum_abs(terms).finite(), value.finite());
  require_digits_agree(value);
}
