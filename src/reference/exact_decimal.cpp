// The decimal digits of an exact value, written and read by MPFR.
#include <array>
#include <boost/multiprecision/mpfr.hpp>
#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include "core/arithmetic_guard.hpp"
#include "core/float_environment.hpp"
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
  const FloatEnvironment environment;
  if (digits < 1) throw Error(ErrorKind::usage, "decimal: " + std::to_string(digits) + " digits; at least 1 is needed");
  if (kind_ == Kind::nan) return "nan";
  const std::string sign = negative_ ? "-" : "";
  if (kind_ == Kind::infinite) return sign + "inf";
  if (zero()) return "0";

  free_mpfr_cache_at_thread_exit();
  Float value = 0;
  for (std::size_t i = size_; i-- > 0;) value = ldexp(value, kWordBits) + words()[i];
  value = ldexp(value, lowest_exponent());

  mpfr_exp_t point = 0;
  const std::unique_ptr<char, void (*)(char*)> text(
      mpfr_get_str(nullptr, &point, 10, static_cast<std::size_t>(digits), value.backend().data(), MPFR_RNDN),
      mpfr_free_str);
  return sign + general_notation(without_trailing_zeros(text.get()), point - 1, digits);
}

std::optional<ExactValue> ExactValue::from_decimal(std::string_view text) {
  const FloatEnvironment environment;
  const auto nearest = read_number(text, Format::fp64);
  if (!nearest || text.find_first_of("xX") != std::string_view::npos) return std::nullopt;
  const bool negative = std::signbit(nearest->value);
  if (text.find_first_of("nN") != std::string_view::npos)
    return ExactValue(std::isnan(nearest->value) ? Kind::nan : Kind::infinite, negative);
  free_mpfr_cache_at_thread_exit();
  Float rest = ldexp(abs(Float(std::string(text))), -kLowestExponent);
  if (!(rest < ldexp(Float(1), static_cast<int>(kExactWords * kWordBits)))) return std::nullopt;
  std::array<std::uint64_t, kExactWords> words;
  for (std::size_t i = kExactWords; i-- > 0;) {
    const int position = static_cast<int>(i * kWordBits);
    const Float word = floor(ldexp(rest, -position));
    words[i] = word.convert_to<std::uint64_t>();
    rest -= ldexp(word, position);
  }
  return ExactValue(negative, words, 0);
}

}  // namespace orderlab
