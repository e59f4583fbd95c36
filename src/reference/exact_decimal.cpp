// The decimal digits of an exact value, written and read by MPFR.
#include <boost/multiprecision/mpfr.hpp>
#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include "core/arithmetic_guard.hpp"
#include "orderlab/error.hpp"
#include "orderlab/exact.hpp"
#include "reference/exact_digits.hpp"
#include "reference/mpfr_cache.hpp"
#include "reference/natural.hpp"

namespace orderlab {
namespace {

// Exact values have at most 68 * 64 = 4352 bits, 1310.1 decimal digits.
constexpr unsigned kDecimalDigits = 1312;
using Float = boost::multiprecision::number<
    boost::multiprecision::mpfr_float_backend<kDecimalDigits, boost::multiprecision::allocate_stack>>;

/// `digits` without the zeros at its end.
std::string without_trailing_zeros(std::string digits) {
  digits.erase(digits.find_last_not_of('0') + 1);
  return digits;
}

/// 0.DIGITS * 10^(exponent + 1) as printf's %g writes it for a precision of `precision`, digits trimmed.
std::string general_notation(std::string digits, long exponent, int precision) {
  constexpr long kLowestPlain = -4;  // as C's %g
  if (exponent >= kLowestPlain && exponent < precision) {
    if (exponent < 0) return "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits;
    const auto whole = static_cast<std::size_t>(exponent) + 1;
    if (digits.size() <= whole) return digits + std::string(whole - digits.size(), '0');
    return digits.insert(whole, ".");
  }
  if (digits.size() > 1) digits.insert(1, ".");
  const long size = exponent < 0 ? -exponent : exponent;
  return digits + (exponent < 0 ? "e-" : "e+") + (size < 10 ? "0" : "") + std::to_string(size);
}

}  // namespace

std::string ExactValue::decimal(int digits) const {
  if (digits < 1) throw Error(ErrorKind::usage, "decimal: " + std::to_string(digits) + " digits; at least 1 is needed");
  if (digits_->kind == Digits::Kind::nan) return "nan";
  const std::string sign = digits_->negative ? "-" : "";
  if (digits_->kind == Digits::Kind::infinite) return sign + "inf";
  if (zero()) return "0";

  free_mpfr_cache_at_thread_exit();
  Float value = 0;
  for (std::size_t i = digits_->size; i-- > 0;) value = ldexp(value, kWordBits) + digits_->words[i];
  value = ldexp(value, kLowestExponent);

  mpfr_exp_t point = 0;
  const std::unique_ptr<char, void (*)(char*)> text(
      mpfr_get_str(nullptr, &point, 10, static_cast<std::size_t>(digits), value.backend().data(), MPFR_RNDN),
      mpfr_free_str);
  return sign + general_notation(without_trailing_zeros(text.get()), point - 1, digits);
}

std::optional<ExactValue> ExactValue::from_decimal(std::string_view text) {
  const auto nearest = read_number(text, Format::fp64);
  if (!nearest || text.find_first_of("xX") != std::string_view::npos) return std::nullopt;
  auto digits = std::make_shared<Digits>();
  digits->negative = std::signbit(nearest->value);
  if (text.find_first_of("nN") != std::string_view::npos)
    digits->kind = std::isnan(nearest->value) ? Digits::Kind::nan : Digits::Kind::infinite;
  if (digits->kind == Digits::Kind::finite) {
    free_mpfr_cache_at_thread_exit();
    Float rest = ldexp(abs(Float(std::string(text))), -kLowestExponent);
    if (!(rest < ldexp(Float(1), static_cast<int>(Digits::kWords * kWordBits)))) return std::nullopt;
    for (std::size_t i = Digits::kWords; i-- > 0;) {
      const int position = static_cast<int>(i * kWordBits);
      const Float word = floor(ldexp(rest, -position));
      digits->words[i] = word.convert_to<std::uint64_t>();
      if (digits->words[i] != 0 && digits->size == 0) digits->size = i + 1;
      rest -= ldexp(word, position);
    }
  }
  ExactValue value;
  value.digits_ = std::move(digits);
  return value;
}

}  // namespace orderlab
