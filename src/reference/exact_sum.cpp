// The superaccumulator: a fixed-point number wide enough for every product of two doubles. Integers only, so the
// caller's rounding mode and flushing of subnormals do not matter.
#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "core/arithmetic_guard.hpp"
#include "orderlab/exact.hpp"
#include "reference/exact_digits.hpp"
#include "reference/exact_loop.hpp"
#include "reference/natural.hpp"
#include "reference/parts.hpp"

namespace orderlab {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr unsigned kDigitBits = 32;
constexpr std::int64_t kDigitMask = (std::int64_t{1} << kDigitBits) - 1;

// A piece, 53 bits shifted by at most 31, adds less than 2^32 to one digit and at most 2^52 to the next. A carry
// leaves less than 2^32, so 2^10 pieces leave every digit below 2^63.
constexpr std::uint32_t kRoom = 1024;

/// Adds (-1)^negative * significand * 2^position, significand < 2^53, in units of digit 0.
inline void add_piece(std::int64_t* digits, std::uint64_t significand, unsigned position, bool negative) {
  const unsigned shift = position % kDigitBits;
  std::int64_t* digit = digits + position / kDigitBits;
  const std::int64_t flip = -std::int64_t{negative};  // (v ^ flip) - flip is v or -v
  const std::int64_t piece = (static_cast<std::int64_t>(significand) ^ flip) - flip;
  digit[0] += static_cast<std::uint32_t>(piece) << shift;
  digit[1] += piece >> (kDigitBits - shift);  // rounds down, so that digit[0] grows by what is left, never negative
}

}  // namespace

/// A term that is infinite or NaN: one factor is special.
void ExactLoop::note_special(ExactSum& sum, const Parts& a, const Parts& b, bool negative) {
  const auto is_nan = [](const Parts& p) { return p.special && p.significand != 0; };
  const auto is_zero = [](const Parts& p) { return !p.special && p.significand == 0; };
  if (is_nan(a) || is_nan(b) || is_zero(a) || is_zero(b))
    sum.nan_ = true;
  else
    (negative ? sum.negative_infinity_ : sum.positive_infinity_) = true;
}

template <bool kProducts, bool kAbsolute, class T>
void ExactLoop::add_block(ExactSum& sum, const T* x, const T* y, std::size_t n) {
  std::int64_t* const digits = sum.digits_.data();
  std::uint64_t other_than_negative_zero = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const Parts a = parts_of(x[i]);
    const Parts b = kProducts ? parts_of(y[i]) : Parts{1, 0, false, false};
    const bool negative = !kAbsolute && a.negative != b.negative;
    if (a.special || b.special) [[unlikely]] {
      note_special(sum, a, b, negative);
      continue;
    }
    const auto position = static_cast<unsigned>(a.exponent + b.exponent - kLowestExponent);
    if constexpr (!kProducts || info(kFormatOf<T>).precision <= 26) {
      const std::uint64_t product = a.significand * b.significand;
      add_piece(digits, product, position, negative);
      other_than_negative_zero |= product | std::uint64_t{!negative};
    } else {
      constexpr unsigned kLowBits = 53;
      const Wide product = Wide{a.significand} * b.significand;
      const std::uint64_t low = static_cast<std::uint64_t>(product) & ((std::uint64_t{1} << kLowBits) - 1);
      add_piece(digits, low, position, negative);
      add_piece(digits, static_cast<std::uint64_t>(product >> kLowBits), position + kLowBits, negative);
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

void ExactLoop::add_scaled(ExactSum& sum, std::uint64_t magnitude, int exponent, bool negative) {
  constexpr std::uint32_t kPieces = 2;
  if (sum.pending_ + kPieces > kRoom) sum.carry();
  const auto position = static_cast<unsigned>(exponent - kLowestExponent);
  add_piece(sum.digits_.data(), magnitude & static_cast<std::uint64_t>(kDigitMask), position, negative);
  add_piece(sum.digits_.data(), magnitude >> kDigitBits, position + kDigitBits, negative);
  sum.pending_ += kPieces;
}

ExactSum::ExactSum() = default;

void ExactSum::add(double x) { ExactLoop::add<false, false, double>(*this, &x, nullptr, 1); }

void ExactSum::add_product(double x, double y) { ExactLoop::add<true, false, double>(*this, &x, &y, 1); }

/// Leaves every digit in [0, 2^32) but the highest, which holds the sign.
void ExactSum::carry() {
  std::int64_t carry = 0;
  for (std::size_t i = 0; i + 1 < digits_.size(); ++i) {
    const std::int64_t digit = digits_[i] + carry;
    carry = digit >> kDigitBits;  // rounds down
    digits_[i] = digit & kDigitMask;
  }
  digits_.back() += carry;
  pending_ = 0;
}

void ExactSum::merge(const ExactSum& other) {
  ExactSum addend = other;
  addend.carry();
  carry();
  for (std::size_t i = 0; i < digits_.size(); ++i) digits_[i] += addend.digits_[i];
  pending_ = 1;  // less than 2^32 was added to each digit
  other_than_negative_zero_ |= other.other_than_negative_zero_;
  empty_ = empty_ && other.empty_;
  positive_infinity_ = positive_infinity_ || other.positive_infinity_;
  negative_infinity_ = negative_infinity_ || other.negative_infinity_;
  nan_ = nan_ || other.nan_;
}

ExactValue ExactSum::value() const {
  using Digits = ExactValue::Digits;
  static_assert(Digits::kWords * 2 == kDigits);
  const auto result = std::make_shared<Digits>();
  if (nan_ || (positive_infinity_ && negative_infinity_)) {
    result->kind = Digits::Kind::nan;
  } else if (positive_infinity_ || negative_infinity_) {
    result->kind = Digits::Kind::infinite;
    result->negative = negative_infinity_;
  } else {
    std::int64_t carry = 0;
    for (std::size_t i = 0; i < Digits::kWords; ++i) {
      if ((digits_[2 * i] | digits_[2 * i + 1] | carry) == 0) continue;  // most: this is what a short sum costs
      const std::int64_t low = digits_[2 * i] + carry;
      const std::int64_t high = digits_[2 * i + 1] + (low >> kDigitBits);  // rounds down, as in carry()
      carry = high >> kDigitBits;
      result->words[i] = static_cast<std::uint64_t>(low & kDigitMask) | static_cast<std::uint64_t>(high) << kDigitBits;
    }
    result->negative = carry < 0;  // beyond the highest digit there is the sign and nothing else
    if (result->negative) negate(result->words);
    constexpr int kRoundUp = kWordBits - 1;
    result->size = static_cast<std::size_t>((bit_length(result->words) + kRoundUp) / kWordBits);
    if (result->size == 0) result->negative = !empty_ && other_than_negative_zero_ == 0;
  }
  ExactValue value;
  value.digits_ = result;
  return value;
}

}  // namespace orderlab
