// Extraction into primed accumulators, in Highway's portable vectors: this file is compiled once for each extension.
//
// A pair of accumulators per lane starts at the primes P = 1.5 * 2^top and p = 1.5 * 2^(top - 45). A term x is split by
//     T = fl(H + x), q = fl(T - H), r = fl(x - q), H = T       and       t = fl(h + r), s = fl(t - h), h = t.
// Claim: if every T kept the exponent of P, and if s = r each time, then H - P + h - p is the exact sum of the terms.
//   1. H and T lie in [2^top, 2^(top + 1)), so both are multiples of 2^(top - 52), and so is their difference, of less
//      than 2^top: a double, q = T - H exactly. Then x - q = (H + x) - T is the error of an addition to nearest, which
//      is a double (absent underflow, see 4): r is exact, and |r| <= 2^(top - 53), half an ulp of T.
//   2. A block gives an accumulator at most kSteps = 2^7 terms. h starts in the middle of its binade, 2^(top - 46) from
//      either end, and 2^7 * 2^(top - 53) = 2^(top - 46). A step that reached an end exactly would do no harm: at the
//      upper one t is still a multiple of 2^(top - 97), and no step follows. So as in 1, s = t - h exactly, always.
//   3. So s = r says that nothing of r was lost, and H + h has grown by q + s = x.
//   4. Underflow: top >= -900 and T, H, q are multiples of 2^(top - 52). r is a multiple of x's lowest bit, so it is a
//      double even where subnormal, and subtraction of doubles never rounds there.
// What is checked is gathered in one word per lane: the bits in which a T differs from P, and those in which an s
// differs from its r (a zero's sign aside). An infinite or NaN term makes a T that is no neighbour of P.
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

using Doubles = hn::CappedTag<double, 8>;
using Words = hn::RebindToUnsigned<Doubles>;
using Integers = hn::RebindToSigned<Doubles>;
using Double = hn::Vec<Doubles>;
using Word = hn::Vec<Words>;
using Integer = hn::Vec<Integers>;

constexpr std::size_t kSteps = 128;
constexpr std::size_t kPairs = 4;
constexpr int kBlocks = 64;
static_assert(kBlockTerms == kSteps * kPairs * 8);

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

/// Adds n terms, at most a block, to the sums; returns false, and adds nothing, if that would not be exact.
HWY_INLINE bool add_block(const double* x, std::size_t n, Double high_prime, Double low_prime, Integer& high_sum,
                          Integer& low_sum) {
  const Doubles doubles;
  const Words words;
  const std::size_t lanes = hn::Lanes(doubles);
  Double a = high_prime, b = high_prime, c = high_prime, d = high_prime;
  Double a_low = low_prime, b_low = low_prime, c_low = low_prime, d_low = low_prime;
  Word moved = hn::Zero(words), lost = hn::Zero(words);
  double last[kPairs * 8] = {};
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
  }

  const Word sign_and_exponent = hn::Set(words, ~std::uint64_t{0} << 52);
  const Word all_but_sign = hn::Set(words, ~std::uint64_t{0} >> 1);
  const Word failures = hn::Or(hn::And(moved, sign_and_exponent), hn::And(lost, all_but_sign));
  if (!hn::AllTrue(words, hn::Eq(failures, hn::Zero(words)))) return false;
  high_sum = hn::Add(high_sum, growth(a, b, c, d, high_prime));
  low_sum = hn::Add(low_sum, growth(a_low, b_low, c_low, d_low, low_prime));
  return true;
}

Extracted extract(const double* x, std::size_t n, int top) {
  const Doubles doubles;
  const Integers integers;
  const std::size_t block = kSteps * kPairs * hn::Lanes(doubles);
  const Double high_prime = hn::Set(doubles, 1.5 * power_of_two(top));
  const Double low_prime = hn::Set(doubles, 1.5 * power_of_two(top - kWindowBits + kHighBits));
  Integer high = hn::Zero(integers), low = hn::Zero(integers);
  std::size_t done = 0;
  for (int i = 0; i < kBlocks && done < n; ++i) {
    const std::size_t count = std::min(block, n - done);
    if (!add_block(x + done, count, high_prime, low_prime, high, low)) break;
    done += count;
  }
  return {done, hn::GetLane(hn::SumOfLanes(integers, high)), hn::GetLane(hn::SumOfLanes(integers, low))};
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
      widen<Format::fp32>(terms, absolute, high);
      break;
    case Format::fp16:
      widen<Format::fp16>(terms, absolute, high);
      break;
    case Format::bf16:
      widen<Format::bf16>(terms, absolute, high);
      break;
  }
  return true;
}

}  // namespace HWY_NAMESPACE
}  // namespace orderlab
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orderlab {

HWY_EXPORT(extract);
HWY_EXPORT(split_terms);

Extracted extract(const double* x, std::size_t n, int top) { return HWY_DYNAMIC_DISPATCH(extract)(x, n, top); }

bool split_terms(const TermView& terms, bool absolute, double* high, double* low) {
  return HWY_DYNAMIC_DISPATCH(split_terms)(terms, absolute, high, low);
}

}  // namespace orderlab
#endif
