#include "reference/exact_product.hpp"

#include <mpfr.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "core/arithmetic_guard.hpp"
#include "core/infinity.hpp"
#include "reference/mpfr_cache.hpp"
#include "reference/natural.hpp"

namespace orderlab {

namespace {

/// An MPFR number.
class ProductNumber {
 public:
  explicit ProductNumber(std::size_t bits) { mpfr_init2(value_, static_cast<mpfr_prec_t>(bits)); }
  ProductNumber(const ProductNumber&) = delete;
  ProductNumber& operator=(const ProductNumber&) = delete;
  ~ProductNumber() { mpfr_clear(value_); }

  mpfr_ptr get() { return value_; }

 private:
  mpfr_t value_;
};

constexpr std::size_t kFactorBits = 53;

/// product = the product of at least one factor; its precision is kFactorBits a factor.
void multiply_all(mpfr_ptr product, std::span<const double> factors) {
  constexpr std::size_t kFew = 16;  // below it halving the factors gains nothing
  if (factors.size() <= kFew) {
    mpfr_set_d(product, factors[0], MPFR_RNDN);
    for (const double factor : factors.subspan(1)) mpfr_mul_d(product, product, factor, MPFR_RNDN);
    return;
  }
  const std::size_t half = factors.size() / 2;
  ProductNumber left(kFactorBits * half);
  ProductNumber right(kFactorBits * (factors.size() - half));
  multiply_all(left.get(), factors.first(half));
  multiply_all(right.get(), factors.subspan(half));
  mpfr_mul(product, left.get(), right.get(), MPFR_RNDN);
}

ExactProduct special(Format format, double value) { return {value, 0, round_to_bits(format, value), 0}; }

}  // namespace

ExactProduct exact_product(std::span<const double> factors, Format format) {
  bool nan = false, infinite = false, zero = false, negative = false;
  for (const double factor : factors) {
    nan |= std::isnan(factor);
    infinite |= std::isinf(factor);
    zero |= factor == 0;
    negative ^= std::signbit(factor);
  }
  const double sign = negative ? -1 : 1;
  if (nan || (infinite && zero)) return special(format, std::numeric_limits<double>::quiet_NaN());
  if (infinite) return special(format, std::copysign(kInfinity, sign));
  if (zero) return special(format, std::copysign(0.0, sign));
  if (factors.empty()) return special(format, 1);

  free_mpfr_cache_at_thread_exit();
  ProductNumber product(kFactorBits * factors.size());
  multiply_all(product.get(), factors);
  ExactProduct result;
  constexpr mpfr_exp_t kFar = std::numeric_limits<std::int16_t>::max();
  result.exponent = static_cast<int>(std::clamp(mpfr_get_exp(product.get()) - 1, -kFar, kFar));

  // The upper 64 bits, the last of them 1 where there are more: rounding them rounds the product.
  static_assert(std::numeric_limits<unsigned long>::digits == kWordBits);  // what mpfr_get_ui returns
  ProductNumber upper(kWordBits);
  const bool more = mpfr_abs(upper.get(), product.get(), MPFR_RNDZ) != 0;
  mpfr_set_exp(upper.get(), kWordBits);
  const std::uint64_t words[] = {mpfr_get_ui(upper.get(), MPFR_RNDZ) | std::uint64_t{more}};
  const auto rounded = [&](Format to) {
    return round_natural(to, negative, words, result.exponent - kWordBits + 1).bits;
  };
  result.bits = rounded(format);
  result.high = value_of_bits(Format::fp64, rounded(Format::fp64));
  if (std::isfinite(result.high)) {
    mpfr_sub_d(product.get(), product.get(), result.high, MPFR_RNDN);  // exact: it cancels the upper bits
    result.low = mpfr_get_d(product.get(), MPFR_RNDN) + 0.0;
  }
  return result;
}

}  // namespace orderlab
