// In Highway's portable vectors: this file is compiled once for each extension.
#include "metrics/output_blocks.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "metrics/output_blocks.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, as Highway asks.
#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "core/arithmetic_guard.hpp"

HWY_BEFORE_NAMESPACE();
namespace orderlab {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Between these, nothing that quotient() computes overflows or underflows: quotients lie within 2^-800 and 2^801, and a
// remainder of x is a multiple of 2^-106 |x|, and so exact.
constexpr double kLeastFactor = 0x1p-400;
constexpr double kMostFactor = 0x1p400;

/// x / d, rounded as a division rounds it, where y is 1 / d, rounded: the first product is within two ulps, the second
/// is one of the two doubles around the quotient, and the third is the nearest [Markstein1990].
template <class V>
HWY_INLINE V quotient(V x, V d, V y) {
  const V near = hn::Mul(x, y);
  const V beside = hn::MulAdd(hn::NegMulAdd(near, d, x), y, near);
  return hn::MulAdd(hn::NegMulAdd(beside, d, x), y, beside);
}

void prepare_outputs(OutputBlock& block) {
  constexpr std::uint64_t kSumOfExponents = std::uint64_t{2 * 1023} << 52;  // in the bits of 2^e and 2^-e
  const hn::CappedTag<double, kBlockSamples> tag;
  const hn::RebindToUnsigned<decltype(tag)> words;
  const auto infinity = hn::Set(tag, std::numeric_limits<double>::infinity());
  bool usual = true;
  const auto set = [&](BlockDivisors& divisors, std::size_t i, auto x) HWY_ATTR {
    hn::Store(x, tag, divisors.numbers.data() + i);
    hn::Store(hn::Div(hn::Set(tag, 1.0), x), tag, divisors.inverses.data() + i);
    const auto in_range = hn::And(hn::Ge(x, hn::Set(tag, kLeastFactor)), hn::Le(x, hn::Set(tag, kMostFactor)));
    usual = usual && hn::AllFalse(tag, hn::AndNot(in_range, hn::FirstN(tag, block.outputs.size() - i)));
  };
  for (std::size_t i = 0; i < block.outputs.size(); i += hn::Lanes(tag)) {
    const auto high = hn::Load(tag, block.high.data() + i);
    const auto finite = hn::Lt(hn::Abs(high), infinity);
    hn::Store(hn::IfThenElse(finite, high, hn::Set(tag, std::numeric_limits<double>::quiet_NaN())), tag,
              block.high.data() + i);
    hn::Store(hn::IfThenElseZero(finite, infinity), tag, block.no_error.data() + i);
    const auto bits_of_ulp = hn::BitCast(words, hn::Load(tag, block.ulp.data() + i));
    hn::Store(hn::BitCast(tag, hn::Sub(hn::Set(words, kSumOfExponents), bits_of_ulp)), tag, block.per_ulp.data() + i);
    const auto base = hn::Load(tag, block.base.data() + i);
    set(block.paper, i, hn::Abs(base));
    set(block.code, i, hn::Abs(hn::Add(base, hn::Set(tag, kCodeOffset))));
    set(block.robust, i, hn::Load(tag, block.magnitude.data() + i));
  }
  block.by_products = HWY_NATIVE_FMA && usual;
}

/// The larger of two numbers; `largest` where x is NaN.
template <class V>
HWY_INLINE V raised(V largest, V x) {
  return hn::IfThenElse(hn::Gt(x, largest), x, largest);
}

/// One member of the sums of samples from `lane` on.
template <class Tag, class N>
HWY_INLINE hn::Vec<Tag> load_sums(Tag tag, const BlockSamples& samples, std::size_t lane,
                                  N OutputDifferences::*member) {
  HWY_ALIGN std::array<N, kBlockSamples> numbers{};
  for (std::size_t k = lane; k < samples.count; ++k) numbers[k] = samples.sums[k]->*member;
  return hn::Load(tag, numbers.data() + lane);
}

template <class Tag, class N>
HWY_INLINE void store_sums(Tag tag, const BlockSamples& samples, std::size_t lane, N OutputDifferences::*member,
                           hn::Vec<Tag> sums) {
  HWY_ALIGN std::array<N, kBlockSamples> numbers{};
  hn::Store(sums, tag, numbers.data() + lane);
  for (std::size_t k = lane; k < std::min(samples.count, lane + hn::Lanes(tag)); ++k)
    samples.sums[k]->*member = numbers[k];
}

/// The samples from `lane` on, as many as a vector has.
template <bool kInPairs>
HWY_INLINE void compare_lanes(const OutputBlock& block, const BlockSamples& samples, std::size_t lane) {
  const hn::CappedTag<double, kBlockSamples> tag;
  const hn::RebindToUnsigned<decltype(tag)> words;
  using Sums = OutputDifferences;
  auto bits = load_sums(words, samples, lane, &Sums::bits);
  auto values = load_sums(words, samples, lane, &Sums::values);
  auto from_launch = load_sums(words, samples, lane, &Sums::from_launch);
  auto paper = load_sums(tag, samples, lane, &Sums::vermv_paper);
  auto code = load_sums(tag, samples, lane, &Sums::vermv_code);
  auto robust = load_sums(tag, samples, lane, &Sums::vermv_robust);
  auto largest_difference = load_sums(tag, samples, lane, &Sums::largest_difference);
  auto largest_error = load_sums(tag, samples, lane, &Sums::largest_error);
  const auto infinity = hn::Set(tag, std::numeric_limits<double>::infinity());
  const auto used = hn::FirstN(words, samples.count - lane);
  OutputTally* const tally = block.tally;
  for (std::size_t i = 0; i < block.outputs.size(); ++i) {
    const auto a = kInPairs ? hn::Load(tag, samples.against[i].data() + lane) : hn::Set(tag, block.base[i]);
    const auto b = hn::Load(tag, samples.results[i].data() + lane);
    const auto bits_of_b = hn::BitCast(words, b);
    const auto differs = hn::And(used, hn::Ne(bits_of_b, hn::BitCast(words, a)));
    const auto moved = hn::And(used, hn::Ne(bits_of_b, hn::BitCast(words, hn::Set(tag, block.launch[i]))));

    const auto in_ulps = [&](auto x) HWY_ATTR {
      return block.inverts ? hn::Mul(x, hn::Set(tag, block.per_ulp[i])) : hn::Div(x, hn::Set(tag, block.ulp[i]));
    };
    const auto error = hn::Abs(hn::Sub(hn::Sub(b, hn::Set(tag, block.high[i])), hn::Set(tag, block.low[i])));
    const auto known = hn::Eq(error, error);  // neither b nor the exact result is NaN
    largest_error = raised(largest_error, hn::IfThenElse(known, in_ulps(error), hn::Set(tag, block.no_error[i])));

    from_launch = hn::Sub(from_launch, hn::VecFromMask(words, moved));  // all ones are -1
    if (tally != nullptr) {
      double& least = tally->least[block.place + i];
      double& greatest = tally->greatest[block.place + i];
      const auto low = hn::Set(tag, least);
      const auto high = hn::Set(tag, greatest);
      const auto lower = hn::And(hn::RebindMask(tag, moved), hn::Lt(b, low));
      const auto higher = hn::And(hn::RebindMask(tag, moved), hn::Gt(b, high));
      if (!hn::AllFalse(tag, hn::Or(lower, higher))) {  // seldom, so that most of the memory is read alone
        // Not -0, which is as small as 0: whichever came first would stay.
        const auto b_or_zero = hn::Add(b, hn::Zero(tag));
        least = hn::GetLane(hn::MinOfLanes(tag, hn::IfThenElse(lower, b_or_zero, low)));
        greatest = hn::GetLane(hn::MaxOfLanes(tag, hn::IfThenElse(higher, b_or_zero, high)));
      }
    }
    if (hn::AllFalse(words, differs)) continue;

    bits = hn::Sub(bits, hn::VecFromMask(words, differs));
    if (tally != nullptr)
      tally->different[block.place + i] += static_cast<std::uint32_t>(hn::CountTrue(words, differs));
    auto divided = hn::AndNot(hn::Eq(a, b), hn::RebindMask(tag, differs));  // Ne of NaN differs from machine to machine
    values = hn::Sub(values, hn::VecFromMask(words, hn::RebindMask(words, divided)));
    const auto difference = hn::Abs(hn::Sub(a, b));
    const auto add = [&](auto& sum, auto x) HWY_ATTR { sum = hn::Add(sum, hn::IfThenElseZero(divided, x)); };
    const auto usual =
        hn::And(hn::Ge(difference, hn::Set(tag, kLeastFactor)), hn::Le(difference, hn::Set(tag, kMostFactor)));
    if (!kInPairs && block.by_products && hn::AllFalse(tag, hn::AndNot(usual, divided))) {
      const auto divide = [&](const BlockDivisors& by) HWY_ATTR {
        return quotient(difference, hn::Set(tag, by.numbers[i]), hn::Set(tag, by.inverses[i]));
      };
      add(paper, divide(block.paper));
      add(code, divide(block.code));
      add(robust, divide(block.robust));
    } else {
      const auto finite = hn::And(hn::Lt(hn::Abs(a), infinity), hn::Lt(hn::Abs(b), infinity));
      const auto nonfinite = hn::AndNot(finite, divided);
      if (!hn::AllFalse(tag, nonfinite)) {
        const auto count = hn::Sub(load_sums(words, samples, lane, &Sums::nonfinite),
                                   hn::VecFromMask(words, hn::RebindMask(words, nonfinite)));
        store_sums(words, samples, lane, &Sums::nonfinite, count);
        largest_difference = hn::IfThenElse(nonfinite, infinity, largest_difference);
        divided = hn::And(divided, finite);
      }
      add(paper, hn::Div(difference, hn::Abs(a)));
      add(code, hn::Div(difference, hn::Abs(hn::Add(a, hn::Set(tag, kCodeOffset)))));
      add(robust, hn::Div(difference, hn::Set(tag, block.magnitude[i])));
    }
    largest_difference = raised(largest_difference, hn::IfThenElseZero(divided, in_ulps(difference)));
  }
  store_sums(words, samples, lane, &Sums::bits, bits);
  store_sums(words, samples, lane, &Sums::values, values);
  store_sums(words, samples, lane, &Sums::from_launch, from_launch);
  store_sums(tag, samples, lane, &Sums::vermv_paper, paper);
  store_sums(tag, samples, lane, &Sums::vermv_code, code);
  store_sums(tag, samples, lane, &Sums::vermv_robust, robust);
  store_sums(tag, samples, lane, &Sums::largest_difference, largest_difference);
  store_sums(tag, samples, lane, &Sums::largest_error, largest_error);
}

void compare_samples(const OutputBlock& block, const BlockSamples& samples) {
  const std::size_t lanes = hn::Lanes(hn::CappedTag<double, kBlockSamples>());
  for (std::size_t lane = 0; lane < samples.count; lane += lanes) {
    if (samples.in_pairs)
      compare_lanes<true>(block, samples, lane);
    else
      compare_lanes<false>(block, samples, lane);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace orderlab
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orderlab {

HWY_EXPORT(prepare_outputs);
HWY_EXPORT(compare_samples);

bool inverts(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const std::uint64_t exponent = bits >> 52;
  return (std::isnan(x) && !std::signbit(x)) || (bits << 12 == 0 && exponent >= 1 && exponent <= 2 * 1023 - 1);
}

void prepare(OutputBlock& block) { HWY_DYNAMIC_DISPATCH(prepare_outputs)(block); }

void compare_block(const OutputBlock& block, const BlockSamples& samples) {
  HWY_DYNAMIC_DISPATCH(compare_samples)(block, samples);
}

}  // namespace orderlab
#endif
