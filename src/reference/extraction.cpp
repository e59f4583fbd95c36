// Extraction into primed accumulators, in Highway's portable vectors: this file is compiled once for each extension.
// Longer than most files: the proof stands above the few steps that it is about.
//
// A pair of accumulators per lane starts at the primes P = 1.5 * 2^top and p = 1.5 * 2^(top - 45). A term x is split by
//     T = fl(H + x), q = fl(T - H), r = fl(x - q), H = T       and       t = fl(h + r), s = fl(t - h), h = t.
// Claim: if every T kept the exponent of P, and if s = r each time, then H - P + h - p is the exact sum of the terms.
//   1. H and T lie in [2^top, 2^(top + 1)), so both are multiples of 2^(top - 52), and so is their difference, of less
//      than 2^top: a double, q = T - H exactly. Then x - q = (H + x) - T is the error of an addition to nearest, which
//      is a double (absent underflow, see 4): r is exact, and |r| <= 2^(top - 53), half an ulp of T.
//   2. A block gives an accumulator at most kSteps = 2^5 terms. h starts in the middle of its binade, 2^(top - 46) from
//      either end, and 2^5 * 2^(top - 53) is a quarter of that. So as in 1, s = t - h exactly, always.
//   3. So s = r says that nothing of r was lost, and H + h has grown by q + s = x.
//   4. Underflow: top >= -900 and T, H, q are multiples of 2^(top - 52). r is a multiple of x's lowest bit, so it is a
//      double even where subnormal, and subtraction of doubles never rounds there.
// What is checked is gathered in one word per lane: the bits in which a T differs from P, and those in which an s
// differs from its r (a zero's sign aside). An infinite or NaN term makes a T that is no neighbour of P.
//
// Where all terms have exponents from top - kNearRoom - kNearExponents to top - kNearRoom - 1, nothing else need be
// checked, and any rounding mode will do:
//   1. Terms are below 2^(top - 7). 2^5 + 1 of them keep H within 2^(top - 1) of P. T is a multiple of 2^(top - 52) in
//      the binade of P, so q is exact; it is less than an ulp of T, 2^(top - 52), from x.
//   2. Terms are multiples of 2^(top - 39 - 52), so r is, and has at most 39 bits: exact. 2^5 + 1 of them keep h
//      within 2^(top - 46) of p: in its binade, where h + r is exact, too.
//   3. No number is subnormal: neither the terms, nor the multiples of 2^(top - 91).
//
// H - P is an integer times 2^(top - 52), h - p one times 2^(top - 97), both the difference of bit patterns and at most
// 2^51 in absolute value. A block adds kPairs of them in each lane, 4 * 8 in all where vectors have 512 bits; so
// kBlocks = 2^6 blocks sum up to at most 2^62 even over all lanes, which leaves vectors of twice that length room.
#include "reference/extraction.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "reference/extraction.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, as Highway asks.
#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "core/arithmetic_guard.hpp"
#include "vectors/narrow_lanes.hpp"

HWY_BEFORE_NAMESPACE();
namespace orderlab {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Doubles = hn::CappedTag<double, kMostLanes>;
using Words = hn::RebindToUnsigned<Doubles>;
using Integers = hn::RebindToSigned<Doubles>;
using Double = hn::Vec<Doubles>;
using Word = hn::Vec<Words>;
using Integer = hn::Vec<Integers>;

constexpr std::size_t kSteps = 32;
constexpr std::size_t kPairs = 4;
constexpr int kBlocks = 64;
static_assert(kBlockTerms == kSteps * kPairs * kMostLanes);

constexpr int kBias = 1023;
constexpr int kNearExponents = 32;  // a power of two
constexpr int kNearRoom = 7;
constexpr int kNearMargin = kNearRoom + 3;  // from the largest exponent of the sample to `top`
// The exponent fields of normal numbers, of which neither 0 nor 0x7ff is near, even if a distance wraps.
static_assert(kLowestTop - kNearRoom - kNearExponents + kBias > 0);
static_assert(kHighestTop - kNearRoom + kBias <= 0x7ff);

/// Splits x between `high` and `low`; gathers what `high` differs from `prime` in, and what was lost.
HWY_INLINE void step(Double x, Double& high, Double& low, Double prime, Word& moved, Word& lost) {
  const Words words;
  const Double next_high = hn::Add(high, x);
  const Double rest = hn::Sub(x, hn::Sub(next_high, high));
  const Double next_low = hn::Add(low, rest);
  const Double taken = hn::Sub(next_low, low);
  moved = hn::Or(moved, hn::Xor(hn::BitCast(words, next_high), hn::BitCast(words, prime)));
  lost = hn::Or(lost, hn::Xor(hn::BitCast(words, taken), hn::BitCast(words, rest)));
  high = next_high;
  low = next_low;
}

/// What four accumulators have grown by since they were `prime`, in units of their last bit.
HWY_INLINE Integer growth(Double a, Double b, Double c, Double d, Double prime) {
  const Integers integers;
  const Integer start = hn::BitCast(integers, prime);
  return hn::Add(hn::Add(hn::Sub(hn::BitCast(integers, a), start), hn::Sub(hn::BitCast(integers, b), start)),
                 hn::Add(hn::Sub(hn::BitCast(integers, c), start), hn::Sub(hn::BitCast(integers, d), start)));
}

/// Whether nothing was gathered.
HWY_INLINE bool all_zero(Word gathered) {
  const Words words;
  return hn::AllTrue(words, hn::Eq(gathered, hn::Zero(words)));
}

/// Whether every T kept the exponent of its prime, and every s was its r.
HWY_INLINE bool nothing_lost(Word moved, Word lost) {
  const Words words;
  const Word sign_and_exponent = hn::Set(words, ~std::uint64_t{0} << 52);
  const Word all_but_sign = hn::Set(words, ~std::uint64_t{0} >> 1);
  return all_zero(hn::Or(hn::And(moved, sign_and_exponent), hn::And(lost, all_but_sign)));
}

/// Adds n terms, at most a block, to the sums; returns false, and adds nothing, if that would not be exact.
HWY_INLINE bool add_block(const double* x, std::size_t n, Double high_prime, Double low_prime, Integer& high_sum,
                          Integer& low_sum) {
  const Doubles doubles;
  const Words words;
  const std::size_t lanes = hn::Lanes(doubles);
  Double a = high_prime, b = high_prime, c = high_prime, d = high_prime;
  Double a_low = low_prime, b_low = low_prime, c_low = low_prime, d_low = low_prime;
  Word moved = hn::Zero(words), lost = hn::Zero(words);
  double last[kPairs * kMostLanes] = {};
  for (std::size_t i = 0; i < n; i += kPairs * lanes) {
    const double* from = x + i;
    if (n - i < kPairs * lanes) {  // zeros change nothing
      std::memcpy(last, from, (n - i) * sizeof(double));
      from = last;
    }
    step(hn::LoadU(doubles, from), a, a_low, high_prime, moved, lost);
    step(hn::LoadU(doubles, from + lanes), b, b_low, high_prime, moved, lost);
    step(hn::LoadU(doubles, from + 2 * lanes), c, c_low, high_prime, moved, lost);
    step(hn::LoadU(doubles, from + 3 * lanes), d, d_low, high_prime, moved, lost);
    if (i == 0 && !nothing_lost(moved, lost)) return false;  // most failures show at once
  }
  if (!nothing_lost(moved, lost)) return false;
  high_sum = hn::Add(high_sum, growth(a, b, c, d, high_prime));
  low_sum = hn::Add(low_sum, growth(a_low, b_low, c_low, d_low, low_prime));
  return true;
}

/// Whether all distances, in the bits of an exponent and modulo 2^11, were below kNearExponents.
HWY_INLINE bool all_near(Word distances) {
  return all_zero(hn::And(distances, hn::Set(Words(), ((std::uint64_t{1} << 11) - kNearExponents) << 52)));
}

/// Splits x, whose exponent is all that must be checked, between `high` and `low`. Its distance from the least exponent
/// goes to `distances`. x * 1 + y is x + y, in units that most machines have in addition to their adders.
HWY_INLINE void near_step(Double x, Double& high, Double& low, Word least, Word& distances) {
  const Double one = hn::Set(Doubles(), 1.0);
  const Double next_high = hn::MulAdd(x, one, high);
  low = hn::MulAdd(hn::Sub(x, hn::Sub(next_high, high)), one, low);
  distances = hn::Or(distances, hn::Sub(hn::BitCast(Words(), x), least));
  high = next_high;
}

/// Adds n terms, at least a vector and less than a block and a vector, to the sums; false, and adds nothing, if one is
/// not near.
HWY_INLINE bool add_near_block(const double* x, std::size_t n, Double high_prime, Double low_prime, Word least,
                               Integer& high_sum, Integer& low_sum) {
  const Doubles doubles;
  const Words words;
  const std::size_t lanes = hn::Lanes(doubles);
  Double a = high_prime, b = high_prime, c = high_prime, d = high_prime;
  Double a_low = low_prime, b_low = low_prime, c_low = low_prime, d_low = low_prime;
  Word distances = hn::Zero(words);
  std::size_t i = 0;
  for (; i + kPairs * lanes <= n; i += kPairs * lanes) {
    near_step(hn::LoadU(doubles, x + i), a, a_low, least, distances);
    near_step(hn::LoadU(doubles, x + i + lanes), b, b_low, least, distances);
    near_step(hn::LoadU(doubles, x + i + 2 * lanes), c, c_low, least, distances);
    near_step(hn::LoadU(doubles, x + i + 3 * lanes), d, d_low, least, distances);
    if (i == 0 && !all_near(distances)) return false;  // most failures show at once
  }
  for (; i + lanes <= n; i += lanes) {
    near_step(hn::LoadU(doubles, x + i), a, a_low, least, distances);
    const Double other = a, other_low = a_low;  // std::swap does not take vectors without a size
    a = b;
    a_low = b_low;
    b = other;
    b_low = other_low;
  }
  if (i < n) {  // the last vector of terms, with zeros for those that were added before
    const auto added = hn::FirstN(words, lanes - (n - i));
    const Word last = hn::BitCast(words, hn::LoadU(doubles, x + n - lanes));
    Word ignored = distances;
    near_step(hn::BitCast(doubles, hn::IfThenZeroElse(added, last)), c, c_low, least, ignored);
    distances = hn::Or(distances, hn::IfThenZeroElse(added, hn::Sub(last, least)));
  }
  if (!all_near(distances)) return false;
  high_sum = hn::Add(high_sum, growth(a, b, c, d, high_prime));
  low_sum = hn::Add(low_sum, growth(a_low, b_low, c_low, d_low, low_prime));
  return true;
}

/// Calls add(begin, count) for block after block, until one fails, there are no more, or the integers are full. A block
/// has at least `least_count` terms; fewer that would be left at the end go with the last one.
template <class Add>
HWY_INLINE std::size_t add_blocks(std::size_t n, std::size_t least_count, Add add) {
  const std::size_t block = kSteps * kPairs * hn::Lanes(Doubles());
  std::size_t done = 0;
  for (int i = 0; i < kBlocks && n - done >= least_count; ++i) {
    const std::size_t count = n - done < block + least_count ? n - done : block;
    if (!add(done, count)) break;
    done += count;
  }
  return done;
}

Extracted extract_near(const double* x, std::size_t n) {
  const Doubles doubles;
  const Words words;
  const Integers integers;
  const std::size_t lanes = hn::Lanes(doubles);
  Double largest = hn::Zero(doubles);
  for (std::size_t i = 0; i + lanes <= std::min(n, kNearSample); i += lanes)
    largest = hn::Max(largest, hn::Abs(hn::LoadU(doubles, x + i)));
  const auto bits = std::bit_cast<std::uint64_t>(hn::GetLane(hn::MaxOfLanes(doubles, largest)));
  const int top = std::clamp(static_cast<int>(bits >> 52) - kBias + kNearMargin, kLowestTop, kHighestTop);

  const Double high_prime = hn::Set(doubles, 1.5 * power_of_two(top));
  const Double low_prime = hn::Set(doubles, 1.5 * power_of_two(top - kWindowBits + kHighBits));
  const int least_exponent = top - kNearRoom - kNearExponents;
  const Word least = hn::Set(words, static_cast<std::uint64_t>(least_exponent + kBias) << 52);
  Integer high = hn::Zero(integers), low = hn::Zero(integers);
  const std::size_t count = add_blocks(n, lanes, [&](std::size_t begin, std::size_t size) HWY_ATTR {
    return add_near_block(x + begin, size, high_prime, low_prime, least, high, low);
  });
  return {count, hn::GetLane(hn::SumOfLanes(integers, high)), hn::GetLane(hn::SumOfLanes(integers, low)), top};
}

Extracted extract(const double* x, std::size_t n, int top) {
  const Doubles doubles;
  const Integers integers;
  const Double high_prime = hn::Set(doubles, 1.5 * power_of_two(top));
  const Double low_prime = hn::Set(doubles, 1.5 * power_of_two(top - kWindowBits + kHighBits));
  Integer high = hn::Zero(integers), low = hn::Zero(integers);
  const std::size_t count = add_blocks(n, 1, [&](std::size_t begin, std::size_t size) HWY_ATTR {
    return add_block(x + begin, size, high_prime, low_prime, high, low);
  });
  return {count, hn::GetLane(hn::SumOfLanes(integers, high)), hn::GetLane(hn::SumOfLanes(integers, low)), top};
}

/// As many terms of a format, as doubles, as a vector has lanes. Every one of these conversions is exact.
template <Format F>
HWY_INLINE Double load(const void* data, std::size_t i) {
  const Doubles doubles;
  const hn::Rebind<float, Doubles> floats;
  if constexpr (F == Format::fp64) {
    return hn::LoadU(doubles, static_cast<const double*>(data) + i);
  } else if constexpr (F == Format::fp32) {
    return hn::PromoteTo(doubles, hn::LoadU(floats, static_cast<const float*>(data) + i));
  } else {
    using T = std::conditional_t<F == Format::bf16, Bfloat16, Half>;
    const auto codes = hn::LoadU(NarrowCodes<decltype(floats)>(), static_cast<const std::uint16_t*>(data) + i);
    return hn::PromoteTo(doubles, widened<T>(floats, codes));
  }
}

HWY_INLINE Double magnitude_if(bool absolute, Double x) { return absolute ? hn::Abs(x) : x; }

/// Terms, or products of narrow formats: 2 * 24 bits are a double's.
template <Format F>
void widen(const TermView& terms, bool absolute, double* out) {
  const Doubles doubles;
  const std::size_t lanes = hn::Lanes(doubles);
  std::size_t i = 0;
  for (; i + lanes <= terms.n; i += lanes) {
    Double value = load<F>(terms.x, i);
    if (terms.products()) value = hn::Mul(value, load<F>(terms.y, i));
    hn::StoreU(magnitude_if(absolute, value), doubles, out + i);
  }
  for (; i < terms.n; ++i) {
    const double value = terms.left(i) * terms.right(i);
    out[i] = absolute ? std::fabs(value) : value;
  }
}

#if HWY_NATIVE_FMA
/// Products of doubles as their nearest doubles and the rest, one fused multiply-add. The rest is exact if its lowest
/// bit, 2^-106 of the product or more, is no less than the smallest subnormal.
bool split_products(const TermView& terms, bool absolute, double* high, double* low) {
  const Doubles doubles;
  const Double least = hn::Set(doubles, power_of_two(-1074 + 106));
  const Double greatest = hn::Set(doubles, std::numeric_limits<double>::max());
  const std::size_t lanes = hn::Lanes(doubles);
  auto good = hn::Eq(least, least);
  double last[4][8] = {};
  for (std::size_t i = 0; i < terms.n; i += lanes) {
    const double* x = static_cast<const double*>(terms.x) + i;
    const double* y = static_cast<const double*>(terms.y) + i;
    double* to_high = high + i;
    double* to_low = low + i;
    const std::size_t rest = terms.n - i;
    if (rest < lanes) {
      x = std::copy_n(x, rest, last[0]) - rest;
      y = std::copy_n(y, rest, last[1]) - rest;
      to_high = last[2];
      to_low = last[3];
    }
    const Double a = magnitude_if(absolute, hn::LoadU(doubles, x));
    const Double b = magnitude_if(absolute, hn::LoadU(doubles, y));
    const Double product = hn::Mul(a, b);
    hn::StoreU(product, doubles, to_high);
    hn::StoreU(hn::MulSub(a, b, product), doubles, to_low);
    const Double size = hn::Abs(product);
    const auto zero = hn::Or(hn::Eq(a, hn::Zero(doubles)), hn::Eq(b, hn::Zero(doubles)));
    good = hn::And(good, hn::And(hn::Le(size, greatest), hn::Or(zero, hn::Ge(size, least))));
    if (rest < lanes) {
      std::copy_n(to_high, rest, high + i);
      std::copy_n(to_low, rest, low + i);
    }
  }
  return hn::AllTrue(doubles, good);
}
#else
bool split_products(const TermView&, bool, double*, double*) { return false; }
#endif

bool split_terms(const TermView& terms, bool absolute, double* high, double* low) {
  switch (terms.format) {
    case Format::fp64:
      if (terms.products()) return split_products(terms, absolute, high, low);
      widen<Format::fp64>(terms, absolute, high);
      break;
    case Format::fp32:
    case Format::tf32:
      widen<Format::fp32>(terms, absolute, high);
      break;
    case Format::fp16:
    case Format::e4m3:
    case Format::e5m2:
      widen<Format::fp16>(terms, absolute, high);
      break;
    case Format::bf16:
      widen<Format::bf16>(terms, absolute, high);
      break;
    case Format::fp80:
      refuse_fp80_array();
    case Format::e8m13:
      refuse_e8m13_array();
  }
  return true;
}

}  // namespace HWY_NAMESPACE
}  // namespace orderlab
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orderlab {

HWY_EXPORT(extract);
HWY_EXPORT(extract_near);
HWY_EXPORT(split_terms);

Extracted extract(const double* x, std::size_t n, int top) { return HWY_DYNAMIC_DISPATCH(extract)(x, n, top); }

Extracted extract_near(const double* x, std::size_t n) { return HWY_DYNAMIC_DISPATCH(extract_near)(x, n); }

bool split_terms(const TermView& terms, bool absolute, double* high, double* low) {
  return HWY_DYNAMIC_DISPATCH(split_terms)(terms, absolute, high, low);
}

}  // namespace orderlab
#endif
