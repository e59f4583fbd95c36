// In Highway's portable vectors: this file is compiled once for each extension.
#include "metrics/output_blocks.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "metrics/output_blocks.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, as Highway asks.
#include <hwy/highway.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/arithmetic_guard.hpp"
#include "vectors/each_vector.hpp"

HWY_BEFORE_NAMESPACE();
namespace orderlab {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

void widen_floats(const float* from, double* to, std::size_t n) {
  each_vector<double>(n, [&](auto tag, std::size_t i) HWY_ATTR {
    const hn::Rebind<float, decltype(tag)> floats;
    hn::StoreU(hn::PromoteTo(tag, hn::LoadU(floats, from + i)), tag, to + i);
  });
}

/// The larger of two numbers; `largest` where x is NaN.
template <class Tag, class V>
HWY_INLINE V raised(Tag, V largest, V x) {
  return hn::IfThenElse(hn::Gt(x, largest), x, largest);
}

/// Outputs begin .. end - 1 of the block, by vectors of that tag.
template <class Tag>
HWY_INLINE void compare_outputs(Tag tag, std::size_t begin, std::size_t end, const OutputBlock& block,
                                const double* results, OutputTally& tally, OutputDifferences& sum,
                                BlockQuotients& quotients) {
  constexpr std::uint64_t kSumOfExponents = std::uint64_t{2 * 1023} << 52;  // in the bits of 2^e and 2^-e
  const hn::RebindToUnsigned<Tag> words;
  const hn::Rebind<std::uint32_t, Tag> counts;
  const auto infinity = hn::Set(tag, std::numeric_limits<double>::infinity());
  auto largest_difference = hn::Set(tag, sum.largest_difference);
  auto largest_error = hn::Set(tag, sum.largest_error);
  std::size_t bits = 0;
  std::size_t values = 0;
  std::size_t from_launch = 0;
  std::uint32_t* const different = tally.different.data() + block.place;
  double* const least = tally.least.data() + block.place;
  double* const greatest = tally.greatest.data() + block.place;
  for (std::size_t i = begin; i < end; i += hn::Lanes(tag)) {
    const auto a = hn::Load(tag, block.base.data() + i);
    const auto b = hn::LoadU(tag, results + i);
    const auto bits_of_b = hn::BitCast(words, b);
    const auto differs = hn::Ne(bits_of_b, hn::BitCast(words, a));
    const auto moved = hn::Ne(bits_of_b, hn::BitCast(words, hn::Load(tag, block.launch.data() + i)));
    bits += hn::CountTrue(words, differs);
    from_launch += hn::CountTrue(words, moved);
    const auto ones = hn::TruncateTo(counts, hn::VecFromMask(words, differs));  // all ones are -1
    hn::StoreU(hn::Sub(hn::LoadU(counts, different + i), ones), counts, different + i);

    const auto low = hn::LoadU(tag, least + i);
    const auto high = hn::LoadU(tag, greatest + i);
    const auto lower = hn::And(hn::RebindMask(tag, moved), hn::Lt(b, low));
    const auto higher = hn::And(hn::RebindMask(tag, moved), hn::Gt(b, high));
    if (!hn::AllFalse(tag, hn::Or(lower, higher))) {  // seldom, so that most of the memory is read alone
      const auto b_or_zero =
          hn::Add(b, hn::Zero(tag));  // not -0, which is as small as 0: whichever came first would stay
      hn::StoreU(hn::IfThenElse(lower, b_or_zero, low), tag, least + i);
      hn::StoreU(hn::IfThenElse(higher, b_or_zero, high), tag, greatest + i);
    }

    const auto ulp = hn::Load(tag, block.ulp.data() + i);
    const auto per_ulp = hn::BitCast(tag, hn::Sub(hn::Set(words, kSumOfExponents), hn::BitCast(words, ulp)));
    const auto in_ulps = [&](auto x) HWY_ATTR { return block.inverts ? hn::Mul(x, per_ulp) : hn::Div(x, ulp); };
    const auto exact = hn::Load(tag, block.high.data() + i);
    const auto error = hn::Abs(hn::Sub(hn::Sub(b, exact), hn::Load(tag, block.low.data() + i)));
    const auto known = hn::IfThenElse(hn::Eq(error, error), in_ulps(error), infinity);  // b is NaN, or `exact` is
    largest_error = raised(tag, largest_error, hn::IfThenElseZero(hn::Lt(hn::Abs(exact), infinity), known));

    const auto difference = hn::Abs(hn::Sub(a, b));
    auto divided = hn::AndNot(hn::Eq(a, b), hn::RebindMask(tag, differs));  // Ne of NaN differs from machine to machine
    values += hn::CountTrue(tag, divided);
    if (!hn::AllTrue(tag, hn::Lt(difference, infinity))) {
      const auto finite = hn::And(hn::Lt(hn::Abs(a), infinity), hn::Lt(hn::Abs(b), infinity));
      const auto nonfinite = hn::AndNot(finite, divided);
      sum.nonfinite += hn::CountTrue(tag, nonfinite);
      largest_difference = hn::IfThenElse(nonfinite, infinity, largest_difference);
      divided = hn::And(divided, finite);
    }
    largest_difference = raised(tag, largest_difference, hn::IfThenElseZero(divided, in_ulps(difference)));
    const auto store = [&](auto divisor, BlockNumbers& to) HWY_ATTR {
      hn::Store(hn::IfThenElseZero(divided, hn::Div(difference, divisor)), tag, to.data() + i);
    };
    store(hn::Abs(a), quotients.paper);
    store(hn::Abs(hn::Add(a, hn::Set(tag, kCodeOffset))), quotients.code);
    store(hn::Load(tag, block.magnitude.data() + i), quotients.robust);
  }
  sum.bits += bits;
  sum.values += values;
  sum.from_launch += from_launch;
  sum.largest_difference = hn::GetLane(hn::MaxOfLanes(tag, largest_difference));
  sum.largest_error = hn::GetLane(hn::MaxOfLanes(tag, largest_error));
}

void compare_all_outputs(const OutputBlock& block, const double* results, OutputTally& tally, OutputDifferences& sum,
                         BlockQuotients& quotients) {
  const hn::CappedTag<double, 8> vectors;
  const std::size_t whole = block.count / hn::Lanes(vectors) * hn::Lanes(vectors);
  compare_outputs(vectors, 0, whole, block, results, tally, sum, quotients);
  compare_outputs(hn::CappedTag<double, 1>(), whole, block.count, block, results, tally, sum, quotients);
}

}  // namespace HWY_NAMESPACE
}  // namespace orderlab
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orderlab {

HWY_EXPORT(widen_floats);
HWY_EXPORT(compare_all_outputs);

bool inverts(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const std::uint64_t exponent = bits >> 52;
  return (std::isnan(x) && !std::signbit(x)) || (bits << 12 == 0 && exponent >= 1 && exponent <= 2 * 1023 - 1);
}

void widen(const float* from, double* to, std::size_t n) { HWY_DYNAMIC_DISPATCH(widen_floats)(from, to, n); }

void compare_block(const OutputBlock& block, const double* results, OutputTally& tally, OutputDifferences& sum,
                   BlockQuotients& quotients) {
  HWY_DYNAMIC_DISPATCH(compare_all_outputs)(block, results, tally, sum, quotients);
}

}  // namespace orderlab
#endif
