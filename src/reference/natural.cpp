#include "reference/natural.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>

#include "core/arithmetic_guard.hpp"
#include "orderlab/format.hpp"

namespace orderlab {
namespace {

__extension__ using Word128 = unsigned __int128;

/// value * 2^shift in two words, 0 <= shift < 64.
struct TwoWords {
  std::uint64_t low;
  std::uint64_t high;
};

TwoWords shifted(std::uint64_t value, int shift) {
  const Word128 wide = Word128{value} << shift;
  return {static_cast<std::uint64_t>(wide), static_cast<std::uint64_t>(wide >> kWordBits)};
}

/// Bits [from, from + 64) of the number; those outside it are 0.
std::uint64_t window(std::span<const std::uint64_t> words, int from) {
  const auto word = [&](int i) { return i >= 0 && i < std::ssize(words) ? words[static_cast<std::size_t>(i)] : 0; };
  const int shift = from & (kWordBits - 1);
  const int index = (from - shift) / kWordBits;
  const Word128 two = (Word128{word(index + 1)} << kWordBits) | word(index);
  return static_cast<std::uint64_t>(two >> shift);
}

/// Whether any of the bits below `position` is 1.
bool any_below(std::span<const std::uint64_t> words, int position) {
  if (position <= 0) return false;
  const std::size_t whole = std::min(static_cast<std::size_t>(position / kWordBits), words.size());
  for (std::size_t i = whole; i-- > 0;)
    if (words[i] != 0) return true;
  return whole < words.size() && (words[whole] & ((std::uint64_t{1} << (position % kWordBits)) - 1)) != 0;
}

}  // namespace

int bit_length(std::span<const std::uint64_t> words) {
  for (std::size_t i = words.size(); i-- > 0;)
    if (words[i] != 0) return static_cast<int>(i) * kWordBits + static_cast<int>(std::bit_width(words[i]));
  return 0;
}

bool add_at(std::span<std::uint64_t> words, std::uint64_t value, int position) {
  const TwoWords addend = shifted(value, position % kWordBits);
  const std::size_t first = static_cast<std::size_t>(position / kWordBits);
  std::uint64_t carry = 0;
  for (std::size_t i = first; i < words.size() && (i < first + 2 || carry != 0); ++i) {
    const std::uint64_t digit = i == first ? addend.low : i == first + 1 ? addend.high : 0;
    const Word128 sum = Word128{words[i]} + digit + carry;
    words[i] = static_cast<std::uint64_t>(sum);
    carry = static_cast<std::uint64_t>(sum >> kWordBits);
  }
  return carry != 0 || (first + 1 >= words.size() && addend.high != 0);
}

bool subtract_at(std::span<std::uint64_t> words, std::uint64_t value, int position) {
  const TwoWords subtrahend = shifted(value, position % kWordBits);
  const std::size_t first = static_cast<std::size_t>(position / kWordBits);
  std::uint64_t borrow = 0;
  for (std::size_t i = first; i < words.size() && (i < first + 2 || borrow != 0); ++i) {
    const std::uint64_t digit = i == first ? subtrahend.low : i == first + 1 ? subtrahend.high : 0;
    const Word128 difference = Word128{words[i]} - digit - borrow;
    words[i] = static_cast<std::uint64_t>(difference);
    borrow = static_cast<std::uint64_t>(difference >> kWordBits) & 1;
  }
  return borrow != 0 || (first + 1 >= words.size() && subtrahend.high != 0);
}

void negate(std::span<std::uint64_t> words) {
  for (std::uint64_t& word : words) word = ~word;
  add_at(words, 1, 0);
}

std::uint64_t divide(std::span<std::uint64_t> words, std::uint64_t divisor) {
  std::uint64_t remainder = 0;
  for (std::size_t i = words.size(); i-- > 0;) {
    const Word128 dividend = (Word128{remainder} << kWordBits) | words[i];
    words[i] = static_cast<std::uint64_t>(dividend / divisor);  // fits: remainder < divisor
    remainder = static_cast<std::uint64_t>(dividend % divisor);
  }
  return remainder;
}

Rounded round_natural(Format format, bool negative, std::span<const std::uint64_t> words, int exponent) {
  const FormatInfo& f = info(format);
  const std::uint64_t sign = std::uint64_t{negative} << (f.bits - 1);
  const std::uint64_t overflow = f.has_infinity() ? sign | f.overflow_bits() : f.nan_bits();
  const int length = bit_length(words);
  if (length == 0) return {sign, false};
  const int e = length - 1 + exponent;
  if (e > f.e_max) return {overflow, true};

  // Bit `cut` of the words is the last one that the format keeps; it keeps at most 53.
  const int cut = ulp_exponent(format, e) - exponent;
  const std::uint64_t kept_and_half = window(words, cut - 1);
  std::uint64_t quotient = kept_and_half >> 1;
  const bool half = (kept_and_half & 1) != 0;
  const bool sticky = any_below(words, cut - 1);
  if (half && (sticky || (quotient & 1) != 0)) ++quotient;

  // A quotient that rounds up to the next power of two carries into the exponent field, as it should.
  const std::uint64_t below = e > f.e_min ? static_cast<std::uint64_t>(e - f.e_min) << (f.precision - 1) : 0;
  const std::uint64_t rounded = below + quotient;
  return {rounded >= f.overflow_bits() ? overflow : sign | rounded, half || sticky};
}

}  // namespace orderlab
