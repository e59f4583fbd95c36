// Exact sums of floating-point numbers and of products of two, their correctly rounded values, and results that a user
// gives, as numbers or as they were printed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "orderlab/format.hpp"
#include "orderlab/term_view.hpp"

namespace orderlab {

/// A real number held without rounding (an integer times 2^-2148), or an infinity or NaN. Immutable, cheap to copy.
class ExactValue {
 public:
  /// +0.
  ExactValue() = default;

  bool finite() const;
  bool zero() const;

  /// floor(log2 |S|); only for finite values that are not 0.
  int exponent() const;

  /// Bit pattern in `format`, rounded to nearest, ties to even, straight from the exact value.
  std::uint64_t round_to(Format format) const;

  /// S * 2^exponent rounded once to fp64: scaled(-exponent()) lies in [1, 2], even if S is not a double.
  double scaled(int exponent) const;

  /// Nearest double.
  double to_double() const;

  /// `digits` significant decimal digits, correctly rounded: "5012345.25", "1.25e-300", "inf", "nan".
  std::string decimal(int digits) const;

  /// The value of such a text, rounded toward 0 to a multiple of 2^-2148; empty for another text, and for a number so
  /// large that no ExactSum has it.
  static std::optional<ExactValue> from_decimal(std::string_view text);

  /// x - S, rounded once to fp64; NaN unless both are finite. Error: at most half an ulp.
  double difference(double x) const;

  /// 2^ulp_exponent of the value in `format`: the unit of ulp errors, see format.hpp; for 0 the smallest subnormal.
  int ulp_exponent(Format format) const;

 private:
  friend class ExactSum;
  friend struct ExactLoop;
  enum class Kind : std::uint8_t { finite, infinite, nan };

  ExactValue(Kind kind, bool negative);
  /// (-1)^negative * words * 2^(64 first - 2148), the lowest word first; zeros around them are dropped.
  ExactValue(bool negative, std::span<const std::uint64_t> words, std::size_t first);

  std::span<const std::uint64_t> words() const { return {far_ ? far_.get() : near_.data(), size_}; }
  /// Exponent of the lowest bit of words().
  int lowest_exponent() const;

  // Few words, which most sums have, are in the value itself, so that a short sum costs no memory from the heap.
  static constexpr std::size_t kNearWords = 4;
  Kind kind_ = Kind::finite;
  bool negative_ = false;
  std::uint8_t first_ = 0;  ///< words below words(), all 0
  std::uint8_t size_ = 0;   ///< how many words() has; the highest is not 0
  std::array<std::uint64_t, kNearWords> near_{};
  std::shared_ptr<const std::uint64_t[]> far_;
};

/// Adds any finite doubles, and products of two, with no rounding at all: up to 2^63 of them, in any order.
///
/// Special: inf and NaN as IEEE 754 (inf - inf and 0 * inf are NaN); a sum of negative zeros only is -0.
class ExactSum {
 public:
  ExactSum();

  void add(double x);
  void add_product(double x, double y);
  void subtract(double x) { add(-x); }

  /// Adds what another has collected: merging is exact, so any split of the terms gives one value.
  void merge(const ExactSum& other);

  ExactValue value() const;

  /// What was collected, as at most 539 bytes. Equal for sums that no further term can tell apart, however they were
  /// collected: the value, and for 0 whether it is the sum of no term, of negative zeros only, or another.
  std::string wire() const;

  /// Reads what wire() gave. Any other bytes give Error(input), or a sum of which they are the wire form.
  static ExactSum from_wire(std::string_view bytes);

 private:
  friend struct ExactLoop;
  void carry();

  // The sum of words_[i] * 2^(64 i - 2148). 2^63 products of two doubles are below 2^2111, so 4260 bits and a sign,
  // 67 words, would do.
  static constexpr int kWords = 68;
  struct Word {  ///< high * 2^64 + low: 64 bits once carries are done, with room for many terms before
    std::uint64_t low;
    std::int64_t high;
  };
  std::array<Word, kWords> words_{};
  std::uint32_t pending_ = 0;                   // pieces added since the last carry
  std::uint64_t other_than_negative_zero_ = 0;  // not 0 once a finite term was not -0
  bool empty_ = true;
  bool positive_infinity_ = false;
  bool negative_infinity_ = false;
  bool nan_ = false;
};

/// Exact sum of the terms (of the products where the view has two factors).
ExactValue exact_sum(const TermView& terms);
ExactValue exact_sum(std::span<const double> terms);

/// Exact sum of the absolute values.
ExactValue exact_sum_abs(const TermView& terms);

/// (a - b) / c of finite doubles, c not 0: the difference exact, the quotient rounded once to fp64.
double exact_ratio(double a, double b, double c);

/// A number read from text.
struct ReadNumber {
  double value = 0;      ///< exactly representable in the format asked for
  bool inexact = false;  ///< the text was another real number
};

/// Reads a decimal or hex-float (0x1.8p3) number, or inf, infinity, nan with a sign, rounded once straight to `format`.
/// Empty when the text is none of these. Surrounding spaces are not accepted.
std::optional<ReadNumber> read_number(std::string_view text, Format format);

/// Numbers of a format from one to another, both included, as their ordered_key.
struct KeyInterval {
  std::int64_t low = 0;
  std::int64_t high = 0;

  bool holds(std::int64_t key) const { return low <= key && key <= high; }
  bool overlaps(const KeyInterval& other) const { return low <= other.high && other.low <= high; }
  std::uint64_t size() const { return static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1; }

  friend bool operator==(const KeyInterval&, const KeyInterval&) = default;
};

/// A result to judge, and how often it was given. It can be read in two ways: exactly, and as what printed digits leave
/// open.
struct GivenResult {
  std::uint64_t bits = 0;  ///< in the result format, NaN canonical; for a mean, a sum that has it
  std::uint64_t count = 1;
  int digits = 0;                         ///< significant digits of a decimal with fewer than the format needs; else 0
  std::optional<KeyInterval> exact = {};  ///< sums that have exactly this mean; empty for a sum, which is `bits` alone
  std::optional<KeyInterval> printed = {};  ///< numbers within half a unit of the last digit; empty for exact results
  std::string text = {};                    ///< a number as it was given; empty for bits

  KeyInterval read_exactly(Format format) const;

  /// What `printed` leaves open, with what is read exactly.
  KeyInterval read_widely(Format format) const;
};

/// Key interval of the numbers of `format` that lie within half a unit of the last digit of a decimal text, the ends
/// included: 3.00 stands for 2.995 to 3.005, 3e2 for 250 to 350. Empty for hex floats, inf, NaN and for texts that are
/// no number, and where the format has no such number.
struct PrintedDecimal {
  int digits = 0;  ///< significant ones; 1 for a zero
  KeyInterval numbers;
};
std::optional<PrintedDecimal> read_printed(std::string_view text, Format format);

}  // namespace orderlab
