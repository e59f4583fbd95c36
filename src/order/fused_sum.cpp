// Steps of fused units in exact integers: the definition. Longer than most files: one function for each kind of step.
//
// A number of a format is s * 2^e with an integer s of `precision` bits and e = max(floor(log2 |x|), e_min) - precision
// + 1, so subnormal numbers keep the exponent e_min. A product is (s_a s_b) * 2^(e_a + e_b), not normalised: its
// exponent, by which it is aligned, is the sum of those of its factors, and its significand is in [1, 4).
//
// Error of a step that is `aligned`. E is the greatest exponent of a term that is not 0, c included. A term is cut
// toward zero to a multiple of 2^(E - F), and loses less than 2^(E - F), or nothing if it is such a multiple. The sum
// of the cut terms is exact: each is below 4 * 2^E, so `length` + 1 of them below 2^(E + 2) (length + 1), and integers
// of 126 bits hold them in units of 2^(E - F) for F <= 60 and length <= 2^20. Its rounding loses less than an ulp of
// the result toward zero, half of one to nearest. So
//
//     |sum - (c + sum of products)|  <=  (terms that are cut) * 2^(E - F)  +  ulp or half of one, if it is rounded.
//
// The errors of the steps add up, as each result enters the next step as it is. Other kinds of steps lose what their
// roundings lose, and numbers that are flushed.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/arithmetic_guard.hpp"
#include "core/float_environment.hpp"
#include "core/infinity.hpp"
#include "orderlab/error.hpp"
#include "orderlab/fused.hpp"

namespace orderlab {

namespace {

__extension__ using Signed128 = __int128;
__extension__ using Magnitude128 = unsigned __int128;

constexpr int kFloorBits = 31;  // of the sum of products of a `floored` step

int width_of(Magnitude128 x) {
  const auto high = static_cast<std::uint64_t>(x >> 64);
  return high != 0 ? 64 + static_cast<int>(std::bit_width(high))
                   : static_cast<int>(std::bit_width(static_cast<std::uint64_t>(x)));
}

/// significand * 2^unit, aligned by `exponent`.
struct FusedTerm {
  std::int64_t significand;
  int unit;
  int exponent;
};

FusedTerm term_of(Format format, double x) {
  const FormatInfo& f = info(format);
  if (x == 0) return {0, 0, 0};
  const int exponent = std::max(std::ilogb(x), f.e_min);
  const int unit = exponent - f.precision + 1;
  return {static_cast<std::int64_t>(std::ldexp(x, -unit)), unit, exponent};
}

FusedTerm term_of(Format format, const Factors& p) {
  const FusedTerm a = term_of(format, p.x);
  const FusedTerm b = term_of(format, p.y);
  return {a.significand * b.significand, a.unit + b.unit, a.exponent + b.exponent};
}

/// An upper bound of a + b, of numbers >= 0.
double sum_upward(double a, double b) { return (a + b) * (1 + 0x1p-51); }

/// Adds up terms as integers in units of 2^unit.
class AlignedSum {
 public:
  explicit AlignedSum(int unit) : unit_(unit) {}

  /// Terms that are cut lose less than 2^unit each: toward zero, or downward.
  void add_cut(const FusedTerm& t, bool downward) {
    if (t.significand == 0) return;
    const int left = t.unit - unit_;
    if (left >= 0) {
      total_ += static_cast<Signed128>(t.significand) * (static_cast<Signed128>(1) << left);
      return;
    }
    const int right = std::min(-left, 63);
    const auto magnitude = static_cast<std::uint64_t>(t.significand < 0 ? -t.significand : t.significand);
    const std::uint64_t kept = magnitude >> right;
    const bool lost = (kept << right) != magnitude;
    cut_ += lost ? 1U : 0U;
    const auto whole = static_cast<Signed128>(kept);
    total_ += t.significand < 0 ? -whole - (downward && lost ? 1 : 0) : whole;
  }

  Signed128 total() const { return total_; }
  double error() const { return cut_ * std::ldexp(1.0, unit_); }

 private:
  int unit_;
  Signed128 total_ = 0;
  double cut_ = 0;
};

/// (-1)^negative * magnitude * 2^unit rounded once to a number of `format`.
FusedSum rounded_magnitude(bool negative, Magnitude128 magnitude, int unit, Format format, FusedRounding rounding) {
  constexpr int kMostCut = 120;
  const FormatInfo& f = info(format);
  if (magnitude == 0) return {0, 0};
  const double sign = negative ? -1 : 1;
  const int exponent = width_of(magnitude) - 1 + unit;
  if (exponent > f.e_max) return {sign * kInfinity, kInfinity};
  const int precision = rounding == FusedRounding::e8m13 ? info(Format::e8m13).precision : f.precision;
  const int last = std::max(exponent, f.e_min) - precision + 1;  // the result is a multiple of 2^last
  int cut = last - unit;
  if (cut <= 0) return {sign * std::ldexp(static_cast<double>(static_cast<std::uint64_t>(magnitude)), unit), 0};
  for (; cut > kMostCut; --cut) magnitude = magnitude >> 1 | (magnitude & 1);  // what is far below a tie stays there
  auto kept = static_cast<std::uint64_t>(magnitude >> cut);
  const Magnitude128 rest = magnitude - (static_cast<Magnitude128>(kept) << cut);
  const Magnitude128 half = static_cast<Magnitude128>(1) << (cut - 1);
  const bool nearest = rounding == FusedRounding::to_nearest;
  if (nearest && (rest > half || (rest == half && (kept & 1) != 0))) ++kept;
  const double sum = std::ldexp(static_cast<double>(kept), last);
  if (sum >= std::ldexp(2.0, f.e_max)) return {sign * kInfinity, kInfinity};
  const double ulp = std::ldexp(1.0, last);
  return {sign * sum, rest == 0 ? 0 : nearest ? ulp / 2 : ulp};
}

FusedSum rounded_integer(Signed128 total, int unit, Format format, FusedRounding rounding) {
  const auto bits = static_cast<Magnitude128>(total);
  return rounded_magnitude(total < 0, total < 0 ? -bits : bits, unit, format, rounding);
}

/// The sum of the infinite numbers and NaN among the products and c; 0 if there is none.
double special_sum(std::span<const Factors> products, double c) {
  double sum = std::isfinite(c) ? 0 : c;
  for (const Factors& p : products)
    if (!std::isfinite(p.x) || !std::isfinite(p.y)) sum += p.x * p.y;
  return sum;
}

/// What a step needs to know.
struct FusedContext {
  const FusedUnit& unit;
  Format accumulate;

  FusedRounding rounding() const { return unit.rounding(accumulate); }
};

std::vector<FusedTerm> terms_of(const FusedContext& context, std::span<const Factors> products) {
  std::vector<FusedTerm> terms;
  terms.reserve(products.size() + 1);
  for (const Factors& p : products)
    if (p.x != 0 && p.y != 0) terms.push_back(term_of(context.unit.terms, p));
  return terms;
}

int greatest_exponent(std::span<const FusedTerm> terms) {
  int greatest = std::numeric_limits<int>::min();
  for (const FusedTerm& t : terms) greatest = std::max(greatest, t.exponent);
  return greatest;
}

FusedSum step_aligned(const FusedContext& context, std::span<const Factors> products, double c) {
  if (const double special = special_sum(products, c); special != 0) return {special, kInfinity};
  std::vector<FusedTerm> terms = terms_of(context, products);
  if (c != 0) terms.push_back(term_of(context.accumulate, c));
  if (terms.empty()) return {0, 0};
  const int unit = greatest_exponent(terms) - context.unit.fraction_bits;
  AlignedSum sum(unit);
  for (const FusedTerm& t : terms) sum.add_cut(t, false);
  FusedSum result = rounded_integer(sum.total(), unit, context.accumulate, context.rounding());
  result.error = sum_upward(result.error, sum.error());
  return result;
}

/// a + b rounded to nearest.
FusedSum nearest_sum(Format format, double a, double b) {
  const double sum = format == Format::fp64 ? a + b : value_of_bits(format, round_to_bits(format, a + b));
  const FormatInfo& f = info(format);
  return {sum, f.unit_roundoff() * std::fabs(sum)};  // additions do not underflow
}

FusedSum step_halves(const FusedContext& context, std::span<const Factors> products, double c) {
  FusedSum t{0, 0};
  for (const std::size_t half : {0U, 2U}) {
    std::vector<Factors> some;
    for (std::size_t k = 0; k < products.size(); ++k)
      if ((k & 2) == half) some.push_back(products[k]);
    const FusedSum next = step_aligned(context, some, t.sum);
    t = {next.sum, sum_upward(t.error, next.error)};
  }
  const FusedSum sum = nearest_sum(context.accumulate, t.sum, c);  // special values as IEEE 754 has them
  return {sum.sum, sum_upward(sum.error, t.error)};
}

/// An integer of any sign, in units of 2^unit.
class WideInteger {
 public:
  explicit WideInteger(int unit) : unit_(unit) {}

  void add(const FusedTerm& t) {
    const auto position = static_cast<unsigned>(t.unit - unit_);
    const auto low = static_cast<Signed128>(t.significand) << (position % 64);
    Magnitude128 carry = 0;
    for (std::size_t i = position / 64; i < kWords; ++i) {
      const std::size_t at = i - position / 64;
      const Signed128 digits = at < 2 ? low >> (64 * at) : low >> 127;
      const Magnitude128 sum = Magnitude128{words_[i]} + static_cast<std::uint64_t>(digits) + carry;
      words_[i] = static_cast<std::uint64_t>(sum);
      carry = sum >> 64;
    }
  }

  /// Rounded to nearest. What lies below the upper 65 bits or more becomes one bit, far below a tie.
  FusedSum nearest(Format format) const {
    std::array<std::uint64_t, kWords> words = words_;
    const bool negative = words.back() >> 63 != 0;
    if (negative) negate(words);
    std::size_t top = kWords - 1;
    while (top > 1 && words[top] == 0) --top;
    bool rest = false;
    for (std::size_t i = 0; i + 1 < top; ++i) rest |= words[i] != 0;
    const Magnitude128 upper = Magnitude128{words[top]} << 64 | words[top - 1] | (rest ? 1U : 0U);
    return rounded_magnitude(negative, upper, unit_ + 64 * static_cast<int>(top - 1), format,
                             FusedRounding::to_nearest);
  }

 private:
  static constexpr std::size_t kWords = 20;  // exponents of products and sums differ by less than 1150

  static void negate(std::array<std::uint64_t, kWords>& words) {
    bool carry = true;
    for (std::uint64_t& word : words) {
      word = ~word + (carry ? 1 : 0);
      carry = carry && word == 0;
    }
  }

  int unit_;
  std::array<std::uint64_t, kWords> words_{};
};

FusedSum step_exact(const FusedContext& context, std::span<const Factors> products, double c) {
  if (const double special = special_sum(products, c); special != 0) return {special, kInfinity};
  std::vector<FusedTerm> terms = terms_of(context, products);
  if (c != 0) terms.push_back(term_of(context.accumulate, c));
  if (terms.empty()) return {0, 0};
  int unit = terms.front().unit;
  for (const FusedTerm& t : terms) unit = std::min(unit, t.unit);
  WideInteger sum(unit);
  for (const FusedTerm& t : terms) sum.add(t);
  return sum.nearest(context.accumulate);
}

FusedSum step_floored(const FusedContext& context, std::span<const Factors> products, double c) {
  constexpr double kGreatestProduct = 0x1p128;
  if (const double special = special_sum(products, c); special != 0) return {special, kInfinity};
  double overflow = 0;
  for (const Factors& p : products)
    if (std::fabs(p.x * p.y) >= kGreatestProduct) overflow += std::copysign(kInfinity, p.x * p.y);
  if (overflow != 0 || std::isnan(overflow)) return {overflow, kInfinity};
  const std::vector<FusedTerm> terms = terms_of(context, products);
  if (terms.empty() && c == 0) return {0, 0};
  const FusedTerm before = term_of(context.accumulate, c);
  const int of_products = terms.empty() ? before.exponent : greatest_exponent(terms);
  const int greatest = c == 0 ? of_products : std::max(of_products, before.exponent);
  AlignedSum cut(of_products - context.unit.fraction_bits);
  for (const FusedTerm& t : terms) cut.add_cut(t, false);
  // The sum of at most 2^8 products of F = 24 bits is an integer of 64.
  AlignedSum all(greatest - kFloorBits);
  all.add_cut({static_cast<std::int64_t>(cut.total()), of_products - context.unit.fraction_bits, 0}, true);
  AlignedSum of_start(greatest - context.unit.fraction_bits);
  of_start.add_cut(before, true);
  const int more = kFloorBits - context.unit.fraction_bits;
  const Signed128 total = all.total() + of_start.total() * (Signed128{1} << more);
  FusedSum sum = rounded_integer(total, greatest - kFloorBits, context.accumulate, FusedRounding::to_nearest);
  for (const double lost : {cut.error(), all.error(), of_start.error()}) sum.error = sum_upward(sum.error, lost);
  return sum;
}

/// Which subnormal numbers become zeros of their sign.
enum class Flush : std::uint8_t {
  none,
  rounded,    ///< inputs, and results that are subnormal as fp32 rounds them
  unbounded,  ///< inputs, and results that are below 2^-126 when rounded to 24 bits with any exponent; fp32 rounds
              ///< some of these up to 2^-126
};

/// fp32 arithmetic that may flush subnormal numbers, factors in their own format; adds up what may be lost.
class FusedFloats {
 public:
  FusedFloats(Flush flush, Format factors) : flush_(flush), least_factor_(power_of_two(info(factors).e_min)) {}

  float sum(float a, float b) { return done(a + b); }
  float fma(const Factors& p, float c) {
    const float a = input(p.x, least_factor_);
    const float b = input(p.y, least_factor_);
    if (a == 0 || b == 0) lost(std::fabs(p.x * p.y));
    const float sum = std::fma(a, b, c);
    if (flush_ == Flush::unbounded && rounded_up_to_normal(a, b, c, sum)) return flushed(sum);
    return done(sum);
  }
  float start(double c) {
    const float number = input(c, static_cast<double>(kLeastNormal));
    lost(std::fabs(c - static_cast<double>(number)));
    return number;
  }

  double error() const { return error_; }

 private:
  static constexpr float kLeastNormal = std::numeric_limits<float>::min();

  float input(double x, double least) const {
    const auto number = static_cast<float>(x);
    return flush_ != Flush::none && std::fabs(x) < least ? std::copysign(0.0f, number) : number;
  }

  void lost(double error) {
    if (error > 0) error_ = sum_upward(error_, error);
  }

  /// Whether a * b + c, which rounds to `sum`, is nearer to 0 than (1 - 2^-25) 2^-126, and the sum is not. Products of
  /// bf16 are exact in fp64. Where the sum is 2^-126, c is below 2^-102 and a multiple of 2^-149, so the limit is
  /// exact, too.
  static bool rounded_up_to_normal(float a, float b, float c, float sum) {
    if (std::fabs(sum) != kLeastNormal) return false;
    const double sign = sum < 0 ? -1 : 1;
    const double product = sign * static_cast<double>(a) * static_cast<double>(b);
    return product < (static_cast<double>(kLeastNormal) - sign * static_cast<double>(c)) - 0x1p-151;
  }

  float done(float sum) {
    const FormatInfo& f = info(Format::fp32);
    lost(f.unit_roundoff() * std::fabs(static_cast<double>(sum)) + f.underflow_unit());
    if (flush_ == Flush::none || !(std::fabs(sum) < kLeastNormal) || sum == 0) return sum;
    return flushed(sum);
  }

  float flushed(float sum) {
    lost(std::fabs(static_cast<double>(sum)));
    return std::copysign(0.0f, sum);
  }

  Flush flush_;
  double least_factor_;
  double error_ = 0;
};

FusedSum finished(const FusedFloats& floats, float sum) { return {static_cast<double>(sum), floats.error()}; }

FusedSum step_chain(const FusedContext& context, std::span<const Factors> products, double c) {
  if (context.accumulate != Format::fp64) {
    FusedFloats floats(Flush::none, context.unit.terms);
    float sum = floats.start(c);
    for (const Factors& p : products) sum = floats.fma(p, sum);
    return finished(floats, sum);
  }
  const FormatInfo& f = info(Format::fp64);
  FusedSum sum{c, 0};
  for (const Factors& p : products) {
    sum.sum = std::fma(p.x, p.y, sum.sum);
    sum.error = sum_upward(sum.error, f.unit_roundoff() * std::fabs(sum.sum) + f.underflow_unit());
  }
  return sum;
}

FusedSum step_pairs(const FusedContext& context, std::span<const Factors> products, double c) {
  FusedFloats floats(Flush::rounded, context.unit.terms);
  std::vector<float> sums(context.unit.length, 0.0f);
  for (std::size_t i = 0; i < products.size(); ++i) sums[i] = floats.fma(products[i], 0.0f);
  for (std::size_t count = sums.size(); count > 1; count /= 2)
    for (std::size_t i = 0; 2 * i < count; ++i) sums[i] = floats.sum(sums[2 * i], sums[2 * i + 1]);
  return finished(floats, floats.sum(floats.start(c), sums[0]));
}

/// The product at i of a step that is filled up with zeros.
Factors filled(std::span<const Factors> products, std::size_t i) {
  return i < products.size() ? products[i] : Factors{0, 0};
}

FusedSum step_two_chains(const FusedContext& context, std::span<const Factors> products, double c) {
  FusedFloats floats(Flush::unbounded, context.unit.terms);
  float chains[2] = {0.0f, 0.0f};
  for (std::size_t i = 0; i < context.unit.length; ++i) chains[i % 2] = floats.fma(filled(products, i), chains[i % 2]);
  return finished(floats, floats.sum(floats.start(c), floats.sum(chains[0], chains[1])));
}

FusedSum step_swapped_pairs(const FusedContext& context, std::span<const Factors> products, double c) {
  FusedFloats floats(Flush::unbounded, context.unit.terms);
  float sum = floats.start(c);
  for (std::size_t i = 0; i < products.size(); i += 2) {
    sum = floats.fma(filled(products, i + 1), sum);
    sum = floats.fma(products[i], sum);
  }
  return finished(floats, sum);
}

FusedSum one_step(const FusedContext& context, std::span<const Factors> products, double c) {
  switch (context.unit.step) {
    case FusedStep::halves:
      return step_halves(context, products, c);
    case FusedStep::exact:
      return step_exact(context, products, c);
    case FusedStep::chain:
      return step_chain(context, products, c);
    case FusedStep::pairs:
      return step_pairs(context, products, c);
    case FusedStep::floored:
      return step_floored(context, products, c);
    case FusedStep::two_chains:
      return step_two_chains(context, products, c);
    case FusedStep::swapped_pairs:
      return step_swapped_pairs(context, products, c);
    default:
      return step_aligned(context, products, c);
  }
}

}  // namespace

std::uint64_t FusedUnit::height(std::size_t n) const {
  if (n == 0) return 0;
  switch (step) {
    case FusedStep::chain:
    case FusedStep::swapped_pairs:
      return n;
    case FusedStep::halves:
      return steps(n) + 2;
    case FusedStep::pairs:
      return steps(n) + 1 + static_cast<std::uint64_t>(std::bit_width(length - 1));
    case FusedStep::two_chains:
      return steps(n) + 1 + (std::min(n, length) + 1) / 2;
    default:
      return steps(n);
  }
}

FusedSum fused_sum(const FusedUnit& unit, Format accumulate, std::span<const Factors> products, double start) {
  const FloatEnvironment environment;
  if (!unit.built() || unit.rounding(accumulate) == FusedRounding::none)
    throw Error(ErrorKind::usage, std::string(unit.name) + ": no sums in " + std::string(info(accumulate).name));
  const FusedContext context{unit, accumulate};
  FusedSum sum{start, 0};
  for (std::size_t begin = 0; begin < products.size(); begin += unit.length) {
    const FusedSum next =
        one_step(context, products.subspan(begin, std::min(unit.length, products.size() - begin)), sum.sum);
    sum = {next.sum, sum_upward(sum.error, next.error)};
  }
  return sum;
}

}  // namespace orderlab
