// Text to a number of any format, rounded once: MPFR reads, integers round. Most decimals are short, and the standard
// library's nearest double decides what they are in every format.
#include <mpfr.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstdlib>
#include <limits>
#include <span>

#include "core/arithmetic_guard.hpp"
#include "core/float_environment.hpp"
#include "core/infinity.hpp"
#include "orderlab/exact.hpp"
#include "reference/mpfr_cache.hpp"
#include "reference/natural.hpp"

namespace orderlab {
namespace {

/// What a text is, judged by its characters alone. MPFR would also take "@nan@", "0b1", "1@5" and spaces.
enum class Shape { none, decimal, hex, infinity, nan };

bool is_digit(char c) { return c >= '0' && c <= '9'; }
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
bool is_hex_digit(char c) { return is_digit(c) || (lower(c) >= 'a' && lower(c) <= 'f'); }
bool is_sign(char c) { return c == '+' || c == '-'; }

/// Removes the leading characters of `text` that `wanted` accepts; returns their count.
std::size_t skip(std::string_view& text, bool (*wanted)(char)) {
  const auto end = std::find_if_not(text.begin(), text.end(), wanted);
  const auto count = static_cast<std::size_t>(end - text.begin());
  text.remove_prefix(count);
  return count;
}

bool same_letters(std::string_view text, std::string_view word) {
  return std::equal(text.begin(), text.end(), word.begin(), word.end(), [](char a, char b) { return lower(a) == b; });
}

/// Shape of a text whose sign has been cut off.
Shape shape_of(std::string_view text) {
  if (same_letters(text, "inf") || same_letters(text, "infinity")) return Shape::infinity;
  if (same_letters(text, "nan")) return Shape::nan;
  const bool hex = text.size() > 2 && text[0] == '0' && lower(text[1]) == 'x';
  if (hex) text.remove_prefix(2);
  const auto digit = hex ? is_hex_digit : is_digit;
  std::size_t digits = skip(text, digit);
  if (!text.empty() && text[0] == '.') {
    text.remove_prefix(1);
    digits += skip(text, digit);
  }
  if (digits == 0) return Shape::none;
  if (!text.empty() && lower(text[0]) == (hex ? 'p' : 'e')) {
    text.remove_prefix(1);
    if (!text.empty() && is_sign(text[0])) text.remove_prefix(1);
    if (skip(text, is_digit) == 0) return Shape::none;
  }
  return !text.empty() ? Shape::none : hex ? Shape::hex : Shape::decimal;
}

constexpr int kIntegerBits = 64;  // the widest format needs 53, one to see halves and one for "something is below"
static_assert(std::numeric_limits<unsigned long>::digits == kIntegerBits);  // what mpfr_get_ui returns

/// An MPFR number of 64 bits.
struct Mpfr {
  Mpfr() { mpfr_init2(value, kIntegerBits); }
  ~Mpfr() { mpfr_clear(value); }
  Mpfr(const Mpfr&) = delete;
  Mpfr& operator=(const Mpfr&) = delete;

  mpfr_t value;
};

/// `text`, a number without sign, for MPFR: an exponent of many digits is cut to one as far beyond every format.
/// MPFR 4.2 reads 0.01e-9223372036854775808 as infinity, because a sum of exponents overflows.
std::string with_short_exponent(std::string_view text, bool hex) {
  constexpr std::size_t kLongest = 15;
  const auto letter = text.find_first_of(hex ? "pP" : "eE");
  if (letter == std::string_view::npos) return std::string(text);
  const std::size_t begin = text.find_first_not_of("+-", letter + 1);
  const std::size_t first = std::min(text.find_first_not_of('0', begin), text.size());
  if (text.size() - first <= kLongest) return std::string(text);
  return std::string(text.substr(0, begin)) + std::string(kLongest, '9');
}

/// The number of a text without sign, decimal or hex, in `format`.
Rounded read_magnitude(std::string_view text, bool hex, bool negative, Format format) {
  free_mpfr_cache_at_thread_exit();
  Mpfr number;
  const std::string digits = with_short_exponent(hex ? text.substr(2) : text, hex);
  const bool inexact = mpfr_strtofr(number.value, digits.c_str(), nullptr, hex ? 16 : 10, MPFR_RNDZ) != 0;
  std::uint64_t significand = 0;
  int exponent = std::numeric_limits<std::int16_t>::min();  // far below every format
  if (mpfr_zero_p(number.value) == 0) {
    constexpr mpfr_exp_t kFar = std::numeric_limits<std::int16_t>::max();
    exponent = static_cast<int>(std::clamp(mpfr_get_exp(number.value), -kFar, kFar)) - kIntegerBits;
    mpfr_set_exp(number.value, kIntegerBits);
    significand = mpfr_get_ui(number.value, MPFR_RNDZ);
  }
  if (inexact) significand |= 1;  // rounded to odd: ties of 53 bits or fewer stay what they are
  return round_natural(format, negative, std::span(&significand, 1), exponent);
}

/// digits * 10^exponent.
struct Decimal {
  std::uint64_t digits = 0;
  int exponent = 0;
};

/// A text without sign that is a decimal of at most 19 digits, zeros before them not counted, and an exponent of at
/// most 4; empty for all others.
std::optional<Decimal> short_decimal(std::string_view text) {
  constexpr std::ptrdiff_t kMostDigits = 19;  // 10^19 < 2^64
  constexpr std::ptrdiff_t kMostExponentDigits = 4;
  const char* at = text.data();
  const char* const end = at + text.size();
  const auto read_digits = [&](std::uint64_t value) {
    for (; at != end && is_digit(*at); ++at) value = 10 * value + static_cast<std::uint64_t>(*at - '0');
    return value;
  };
  while (at != end && *at == '0') ++at;
  const bool zeros = at != text.data();
  const char* const whole = at;
  std::uint64_t digits = read_digits(0);
  std::ptrdiff_t count = at - whole;
  std::ptrdiff_t behind_point = 0;
  if (at != end && *at == '.') {
    const char* const fraction = ++at;
    digits = read_digits(digits);
    behind_point = at - fraction;
    count += behind_point;
  }
  if (count > kMostDigits || (count == 0 && !zeros)) return std::nullopt;  // more may have wrapped around
  Decimal decimal{digits, static_cast<int>(-behind_point)};
  if (at != end && lower(*at) == 'e') {
    ++at;
    const bool down = at != end && *at == '-';
    if (at != end && is_sign(*at)) ++at;
    const char* const first = at;
    const auto exponent = static_cast<int>(read_digits(0));
    if (at == first || at - first > kMostExponentDigits) return std::nullopt;
    decimal.exponent += down ? -exponent : exponent;
  }
  if (at != end) return std::nullopt;
  return decimal;
}

/// Whether a double is digits * 10^exponent.
bool is_double(Decimal decimal) {
  constexpr auto kPowersOf5 = [] {
    std::array<std::uint64_t, 28> powers{1};  // 5^28 > 2^64
    for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = 5 * powers[i - 1];
    return powers;
  }();
  constexpr std::uint64_t kBeyond = std::uint64_t{1} << 53;
  if (decimal.digits == 0) return true;
  const auto index = static_cast<std::size_t>(std::abs(decimal.exponent));
  if (index >= kPowersOf5.size()) return false;  // no multiple of 5^28 below 2^64, and none below 2^53 times it
  const std::uint64_t power = kPowersOf5[index];
  const std::uint64_t odd = decimal.digits >> std::countr_zero(decimal.digits);
  if (decimal.exponent >= 0) return odd < kBeyond && odd <= (kBeyond - 1) / power;
  return odd % power == 0 && odd / power < kBeyond;
}

/// A short decimal without sign, from the nearest double. Empty for any other text, for a number beyond the range of
/// doubles, and for one so close to a tie of a narrower format that the nearest double does not tell its side.
std::optional<ReadNumber> read_short(std::string_view text, bool negative, Format format) {
  const std::optional<Decimal> decimal = short_decimal(text);
  if (!decimal) return std::nullopt;
  double nearest = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), nearest).ec != std::errc()) return std::nullopt;
  const bool exact = is_double(*decimal);
  double value = nearest;
  if (format != Format::fp64) {
    const std::uint64_t rounded = round_to_bits(format, nearest);
    if (!exact) {  // it lies between the doubles beside the nearest one, and rounding keeps the order
      const auto bits = std::bit_cast<std::uint64_t>(nearest);
      const auto rounded_at = [&](std::uint64_t beside) {
        return round_to_bits(format, std::bit_cast<double>(beside));
      };
      if (rounded_at(bits - 1) != rounded || rounded_at(bits + 1) != rounded) return std::nullopt;
    }
    value = value_of_bits(format, rounded);
  }
  return ReadNumber{negative ? -value : value, !exact || value != nearest};
}

}  // namespace

std::optional<ReadNumber> read_number(std::string_view text, Format format) {
  const FloatEnvironment environment;
  const bool negative = !text.empty() && text[0] == '-';
  if (!text.empty() && is_sign(text[0])) text.remove_prefix(1);
  if (const auto number = read_short(text, negative, format)) return number;
  const Shape shape = shape_of(text);
  if (shape == Shape::none) return std::nullopt;
  if (shape == Shape::nan) return ReadNumber{std::numeric_limits<double>::quiet_NaN(), false};
  if (shape == Shape::infinity) {
    const double infinity = negative ? -kInfinity : kInfinity;
    return ReadNumber{value_of_bits(format, round_to_bits(format, infinity)), !info(format).has_infinity()};
  }
  const Rounded rounded = read_magnitude(text, shape == Shape::hex, negative, format);
  return ReadNumber{value_of_bits(format, rounded.bits), rounded.inexact};
}

}  // namespace orderlab
