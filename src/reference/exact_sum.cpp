// The superaccumulator: a fixed-point number wide enough for every product of two doubles. Integers only, so the
// caller's rounding mode and flushing of subnormals do not matter.
#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <type_traits>

#include "core/arithmetic_guard.hpp"
#include "orderlab/exact.hpp"
#include "reference/exact_digits.hpp"
#include "reference/exact_loop.hpp"
#include "reference/natural.hpp"
#include "reference/parts.hpp"

namespace orderlab {
namespace {

__extension__ using Word128 = unsigned __int128;

constexpr unsigned kBits = 64;  // bits in a word

// A piece, 53 bits shifted by at most 63, is below 2^116. A carry leaves less than 2^64, so 2^10 pieces leave every
// word below 2^127.
constexpr std::uint32_t kRoom = 1024;

}  // namespace

/// word += high * 2^64 + low, the sum modulo 2^128.
inline void ExactLoop::add(ExactSum::Word& word, std::uint64_t low, std::int64_t high) {
  word.low += low;
  word.high += high + std::int64_t{word.low < low};
}

/// Adds (-1)^negative * significand * 2^position, significand < 2^53, in units of the lowest word.
inline void ExactLoop::add_piece(ExactSum::Word* words, std::uint64_t significand, unsigned position, bool negative) {
  const unsigned shift = position % kBits;
  const std::int64_t flip = -std::int64_t{negative};  // (v ^ flip) - flip is v or -v
  const std::int64_t piece = (static_cast<std::int64_t>(significand) ^ flip) - flip;
  add(words[position / kBits], static_cast<std::uint64_t>(piece) << shift, piece >> 1 >> (kBits - 1 - shift));
}

/// A term that is infinite or NaN: one factor is special. Takes it apart again, so that the loops need not keep parts.
template <bool kProducts, class T>
void ExactLoop::note_special(ExactSum& sum, const T* x, const T* y, bool negative) {
  const Parts a = parts_of(*x);
  const Parts b = kProducts ? parts_of(*y) : Parts{1, 0, false, false};
  const auto is_nan = [](const Parts& p) { return p.special && p.significand != 0; };
  const auto is_zero = [](const Parts& p) { return !p.special && p.significand == 0; };
  if (is_nan(a) || is_nan(b) || is_zero(a) || is_zero(b))
    sum.nan_ = true;
  else
    (negative ? sum.negative_infinity_ : sum.positive_infinity_) = true;
}

template <bool kProducts, bool kAbsolute, class T>
void ExactLoop::add_block(ExactSum& sum, const T* x, const T* y, std::size_t n) {
  ExactSum::Word* const words = sum.words_.data();
  std::uint64_t other_than_negative_zero = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const Parts a = parts_of(x[i]);
    const Parts b = kProducts ? parts_of(y[i]) : Parts{1, 0, false, false};
    const bool negative = !kAbsolute && a.negative != b.negative;
    if (a.special || b.special) [[unlikely]] {
      note_special<kProducts>(sum, x + i, kProducts ? y + i : y, negative);
      continue;
    }
    const auto position = static_cast<unsigned>(a.exponent + b.exponent - kLowestExponent);
    if constexpr (!kProducts || info(kFormatOf<T>).precision <= 26) {
      const std::uint64_t product = a.significand * b.significand;
      add_piece(words, product, position, negative);
      other_than_negative_zero |= product | std::uint64_t{!negative};
    } else {
      constexpr unsigned kLowBits = 53;
      const Word128 product = Word128{a.significand} * b.significand;
      const std::uint64_t low = static_cast<std::uint64_t>(product) & ((std::uint64_t{1} << kLowBits) - 1);
      add_piece(words, low, position, negative);
      add_piece(words, static_cast<std::uint64_t>(product >> kLowBits), position + kLowBits, negative);
      other_than_negative_zero |= static_cast<std::uint64_t>(product >> kLowBits) | low | std::uint64_t{!negative};
    }
  }
  sum.other_than_negative_zero_ |= other_than_negative_zero;
}

template <bool kProducts, bool kAbsolute, class T>
void ExactLoop::add(ExactSum& sum, const T* x, const T* y, std::size_t n) {
  // A product of two doubles has 106 bits: two pieces.
  constexpr std::uint32_t kPieces = kProducts && info(kFormatOf<T>).precision > 26 ? 2 : 1;
  if (n > 0) sum.empty_ = false;
  for (std::size_t begin = 0; begin < n;) {
    if (sum.pending_ + kPieces > kRoom) sum.carry();
    const std::size_t count = std::min(n - begin, std::size_t{(kRoom - sum.pending_) / kPieces});
    add_block<kProducts, kAbsolute>(sum, x + begin, kProducts ? y + begin : y, count);
    sum.pending_ += static_cast<std::uint32_t>(count) * kPieces;
    begin += count;
  }
}

void ExactLoop::add(ExactSum& sum, const TermView& terms, bool absolute) {
  with_type_of(terms.format, [&](auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    const auto* x = static_cast<const T*>(terms.x);
    const auto* y = static_cast<const T*>(terms.y);
    if (terms.products())
      absolute ? add<true, true>(sum, x, y, terms.n) : add<true, false>(sum, x, y, terms.n);
    else
      absolute ? add<false, true>(sum, x, y, terms.n) : add<false, false>(sum, x, y, terms.n);
  });
}

void ExactLoop::add_scaled(ExactSum& sum, Integer128 integer, int exponent) {
  if (sum.pending_ == kRoom) sum.carry();
  const auto position = static_cast<unsigned>(exponent - kLowestExponent);
  const unsigned shift = position % kBits;
  const auto low = static_cast<std::uint64_t>(integer);
  const auto high = static_cast<std::int64_t>(integer >> kBits);
  ExactSum::Word* const words = sum.words_.data() + position / kBits;
  add(words[0], low << shift, 0);
  add(words[1], static_cast<std::uint64_t>(high) << shift | low >> 1 >> (kBits - 1 - shift), 0);
  const std::int64_t rest = high >> 1 >> (kBits - 1 - shift);
  add(words[2], static_cast<std::uint64_t>(rest), rest >> (kBits - 1));
  ++sum.pending_;
}

void ExactLoop::note_nonzero(ExactSum& sum) {
  sum.empty_ = false;
  sum.other_than_negative_zero_ = 1;
}

ExactValue ExactLoop::value_of(Integer128 integer, int exponent) {
  const bool negative = integer < 0;
  const auto magnitude = negative ? -static_cast<Word128>(integer) : static_cast<Word128>(integer);
  const int position = exponent - kLowestExponent;
  const int shift = position % kWordBits;
  const auto low = static_cast<std::uint64_t>(magnitude);
  const auto high = static_cast<std::uint64_t>(magnitude >> kWordBits);
  ExactValue value;
  value.near_[0] = low << shift;
  value.near_[1] = high << shift | low >> 1 >> (kWordBits - 1 - shift);
  value.near_[2] = high >> 1 >> (kWordBits - 1 - shift);
  value.size_ = value.near_[2] != 0 ? 3 : value.near_[1] != 0 ? 2 : value.near_[0] != 0 ? 1 : 0;
  value.first_ = static_cast<std::uint8_t>(position / kWordBits);
  value.negative_ = negative;
  return value;
}

ExactSum::ExactSum() = default;

void ExactSum::add(double x) { ExactLoop::add<false, false, double>(*this, &x, nullptr, 1); }

void ExactSum::add_product(double x, double y) { ExactLoop::add<true, false, double>(*this, &x, &y, 1); }

/// What `word` and a carry come to: 64 bits, which are returned, and the next carry.
inline std::uint64_t ExactLoop::carried(const ExactSum::Word& word, std::int64_t& carry) {
  const Integer128 sum = Integer128{word.high} * (Integer128{1} << kBits) + word.low + carry;
  carry = static_cast<std::int64_t>(sum >> kBits);  // rounds down
  return static_cast<std::uint64_t>(sum);
}

/// Leaves every word in [0, 2^64) but the highest, which holds the sign.
void ExactSum::carry() {
  std::int64_t carry = 0;
  for (Word& word : words_) word = {ExactLoop::carried(word, carry), 0};
  words_.back().high = carry;
  pending_ = 0;
}

void ExactSum::merge(const ExactSum& other) {
  ExactSum addend = other;
  addend.carry();
  carry();
  for (std::size_t i = 0; i < words_.size(); ++i)
    ExactLoop::add(words_[i], addend.words_[i].low, addend.words_[i].high);
  pending_ = 1;  // less than 2^64 was added to each word
  other_than_negative_zero_ |= other.other_than_negative_zero_;
  empty_ = empty_ && other.empty_;
  positive_infinity_ = positive_infinity_ || other.positive_infinity_;
  negative_infinity_ = negative_infinity_ || other.negative_infinity_;
  nan_ = nan_ || other.nan_;
}

ExactValue ExactSum::value() const {
  using Kind = ExactValue::Kind;
  static_assert(kExactWords == kWords);
  if (nan_ || (positive_infinity_ && negative_infinity_)) return ExactValue(Kind::nan, false);
  if (positive_infinity_ || negative_infinity_) return ExactValue(Kind::infinite, negative_infinity_);

  const auto untouched = [&](std::size_t i) { return words_[i].low == 0 && words_[i].high == 0; };
  std::size_t begin = 0;
  std::size_t end = kExactWords;
  while (end > 0 && untouched(end - 1)) --end;
  while (begin < end && untouched(begin)) ++begin;
  std::array<std::uint64_t, kExactWords + 1> words;
  std::int64_t carry = 0;
  for (std::size_t i = begin; i < end; ++i) words[i] = ExactLoop::carried(words_[i], carry);
  words[end] = static_cast<std::uint64_t>(carry);  // with the sign
  const std::span sum(words.data() + begin, end + 1 - begin);
  if (carry < 0) negate(sum);
  ExactValue value(carry < 0, sum, begin);
  if (value.zero()) value.negative_ = !empty_ && other_than_negative_zero_ == 0;
  return value;
}

}  // namespace orderlab
