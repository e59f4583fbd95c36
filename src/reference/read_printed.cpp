// What the digits of a printed decimal leave open.
#include <mpfr.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "core/float_environment.hpp"
#include "orderlab/exact.hpp"
#include "orderlab/format.hpp"
#include "reference/mpfr_cache.hpp"

namespace orderlab {

namespace {

constexpr int kMostPrintedDigits = 17;  // 10 times the digits and 5 fit into 64 bits; more say everything in any format

/// digits * 10^exponent, and how many of the digits are significant.
struct PrintedDigits {
  std::uint64_t digits = 0;
  int count = 0;
  int exponent = 0;
};

/// Digits of a decimal without sign that read_number accepts; empty for more than kMostPrintedDigits digits, and for
/// other texts.
std::optional<PrintedDigits> printed_digits(std::string_view text) {
  PrintedDigits found;
  std::size_t at = 0;
  bool fraction = false;
  for (; at < text.size() && (text[at] == '.' || (text[at] >= '0' && text[at] <= '9')); ++at) {
    if (text[at] == '.') {
      fraction = true;
      continue;
    }
    if (fraction) --found.exponent;
    if (found.count == 0 && text[at] == '0') continue;
    if (++found.count > kMostPrintedDigits) return std::nullopt;
    found.digits = 10 * found.digits + static_cast<std::uint64_t>(text[at] - '0');
  }
  if (at == text.size()) return found;
  if (text[at] != 'e' && text[at] != 'E') return std::nullopt;
  if (++at < text.size() && text[at] == '+') ++at;
  int exponent = 0;
  const auto [end, code] = std::from_chars(text.data() + at, text.data() + text.size(), exponent);
  constexpr int kFar = 10'000;  // beyond every format
  if (code != std::errc{} || end != text.data() + text.size() || std::abs(exponent) > kFar) return std::nullopt;
  found.exponent += exponent;
  return found;
}

/// Whether `value`, finite, is below (-1), at (0) or above (1) the decimal.
int compare(double value, const std::string& decimal) {
  free_mpfr_cache_at_thread_exit();
  mpfr_t
      cut;  // toward zero; a double is a number of so many bits, so it lies on the side of the decimal on which it lies
  mpfr_init2(cut, std::numeric_limits<double>::digits);
  const int rest = mpfr_strtofr(cut, decimal.c_str(), nullptr, 10, MPFR_RNDZ);
  const int order = mpfr_cmp_d(cut, value);
  mpfr_clear(cut);
  if (order != 0) return order < 0 ? 1 : -1;
  return rest == 0 ? 0 : rest < 0 ? -1 : 1;  // rest < 0: what was cut off made the number smaller
}

/// The key of the least number of `format` that is not below the decimal, or of the greatest that is not above it.
std::int64_t key_beside(const std::string& decimal, Format format, bool least) {
  const double nearest = read_number(decimal, format)->value;
  const std::int64_t key = ordered_key(format, round_to_bits(format, nearest));
  const int side = std::isfinite(nearest) ? compare(nearest, decimal) : nearest > 0 ? 1 : -1;
  if (least) return side < 0 ? key + 1 : key;
  return side > 0 ? key - 1 : key;
}

}  // namespace

KeyInterval GivenResult::read_exactly(Format format) const {
  const std::int64_t key = ordered_key(format, bits);
  return exact.value_or(KeyInterval{key, key});
}

KeyInterval GivenResult::read_widely(Format format) const {
  const KeyInterval read = read_exactly(format);
  if (!printed) return read;
  return {std::min(read.low, printed->low), std::max(read.high, printed->high)};
}

std::optional<PrintedDecimal> read_printed(std::string_view text, Format format) {
  const FloatEnvironment environment;
  if (!read_number(text, format)) return std::nullopt;
  const bool negative = text[0] == '-';
  if (negative || text[0] == '+') text.remove_prefix(1);
  const auto printed = printed_digits(text);
  if (!printed) return std::nullopt;
  const auto end = [&](bool away) {  // end of the interval, away from zero or towards it
    const std::uint64_t tenfold = 10 * printed->digits;
    const bool across = !away && tenfold == 0;  // a printed zero: as far to the other side
    const std::uint64_t digits = away ? tenfold + 5 : across ? 5 : tenfold - 5;
    return (negative != across ? "-" : "") + std::to_string(digits) + "e" + std::to_string(printed->exponent - 1);
  };
  const KeyInterval numbers{key_beside(end(negative), format, true), key_beside(end(!negative), format, false)};
  if (numbers.low > numbers.high) return std::nullopt;
  return PrintedDecimal{std::max(printed->count, 1), numbers};
}

}  // namespace orderlab
