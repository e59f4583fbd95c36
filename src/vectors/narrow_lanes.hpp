// Numbers of 16 bits in the lanes of Highway's portable vectors, where they are floats: for files that are compiled
// once for each extension. Included like highway.h itself, once each time: after foreach_target.h.
//
// Every fp16 and bf16 number is a float. A sum of two of them rounded to 24 bits and then to 11 or 8 is rounded
// correctly (24 >= 2 * 11 + 2), and below the normal range it is exact before its last rounding.
#if defined(ORDERLAB_NARROW_LANES_TARGET) == defined(HWY_TARGET_TOGGLE)  // an include guard for each extension
#ifdef ORDERLAB_NARROW_LANES_TARGET
#undef ORDERLAB_NARROW_LANES_TARGET
#else
#define ORDERLAB_NARROW_LANES_TARGET
#endif

#include <hwy/highway.h>

#include <cstdint>
#include <type_traits>

#include "orderlab/format.hpp"

// x86's instructions for fp16 round and widen as IEEE 754 says; what Highway does without them does not.
#undef ORDERLAB_FP16_INSTRUCTIONS
#define ORDERLAB_FP16_INSTRUCTIONS (HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2)

HWY_BEFORE_NAMESPACE();
namespace orderlab {
namespace HWY_NAMESPACE {

/// Codes of 16 bits, as many as F has floats.
template <class F>
using NarrowCodes = hwy::HWY_NAMESPACE::Rebind<std::uint16_t, F>;

/// The numbers of format T that `narrow` are the codes of; a NaN is a NaN, of any payload.
template <class T, class F>
HWY_INLINE hwy::HWY_NAMESPACE::Vec<F> widened(F floats, hwy::HWY_NAMESPACE::Vec<NarrowCodes<F>> narrow) {
  namespace hn = hwy::HWY_NAMESPACE;
  static_assert(std::is_same_v<T, Half> || std::is_same_v<T, Bfloat16>);
  const hn::RebindToUnsigned<F> codes;
  if constexpr (std::is_same_v<T, Bfloat16>) {
    return hn::BitCast(floats, hn::ShiftLeft<16>(hn::PromoteTo(codes, narrow)));
  } else {
#if ORDERLAB_FP16_INSTRUCTIONS
    return hn::PromoteTo(floats, hn::BitCast(hn::Rebind<hwy::float16_t, F>(), narrow));
#else
    const auto bits = hn::PromoteTo(codes, narrow);
    const auto magnitude = hn::And(bits, hn::Set(codes, 0x7fff));
    const auto sign = hn::ShiftLeft<16>(hn::Sub(bits, magnitude));
    const auto special = hn::Gt(magnitude, hn::Set(codes, 0x7bff));
    const auto moved = hn::BitCast(floats, hn::ShiftLeft<13>(magnitude));  // the exponent is 127 - 15 too small
    const auto value = hn::BitCast(codes, hn::Mul(moved, hn::Set(floats, 0x1p112f)));
    const auto all = hn::Or(value, hn::IfThenElseZero(special, hn::Set(codes, 0x7f800000)));
    return hn::BitCast(floats, hn::Or(all, sign));
#endif
  }
}

/// Sums of two numbers of format T, as floats, rounded to T: to nearest, ties to even. Floats are left as they are.
template <class T, class F>
HWY_INLINE hwy::HWY_NAMESPACE::Vec<F> rounded(F floats, hwy::HWY_NAMESPACE::Vec<F> value) {
  namespace hn = hwy::HWY_NAMESPACE;
  [[maybe_unused]] const hn::RebindToUnsigned<F> codes;
  if constexpr (std::is_same_v<T, float>) {
    return value;
  } else if constexpr (std::is_same_v<T, Bfloat16>) {
    const auto bits = hn::BitCast(codes, value);
    const auto odd = hn::And(hn::ShiftRight<16>(bits), hn::Set(codes, 1));
    const auto up = hn::Add(bits, hn::Add(odd, hn::Set(codes, 0x7fff)));
    const auto near = hn::BitCast(floats, hn::And(up, hn::Set(codes, 0xffff0000)));
    return hn::IfThenElse(hn::IsNaN(value), value, near);
  } else {
    static_assert(std::is_same_v<T, Half>);
#if ORDERLAB_FP16_INSTRUCTIONS
    return hn::PromoteTo(floats, hn::DemoteTo(hn::Rebind<hwy::float16_t, F>(), value));
#else
    // To a multiple of the format's unit q = 2^max(e - 10, -24) by adding and subtracting 1.5 * 2^23 q, which is even.
    const auto bits = hn::BitCast(codes, value);
    const auto exponent = hn::Max(hn::And(bits, hn::Set(codes, 0x7f800000)), hn::Set(codes, (127 - 14) << 23));
    const auto large = hn::BitCast(floats, hn::Add(exponent, hn::Set(codes, (13 << 23) + (1 << 22))));
    const auto near = hn::CopySign(hn::Sub(hn::Add(value, large), large), value);
    const auto overflows = hn::Ge(hn::Abs(value), hn::Set(floats, 65520.0f));
    return hn::IfThenElse(overflows, hn::CopySign(hn::Inf(floats), value), near);
#endif
  }
}

/// The codes of numbers of format T; a NaN has the canonical one.
template <class T, class F>
HWY_INLINE hwy::HWY_NAMESPACE::Vec<NarrowCodes<F>> narrowed(F floats, hwy::HWY_NAMESPACE::Vec<F> value) {
  namespace hn = hwy::HWY_NAMESPACE;
  static_assert(std::is_same_v<T, Half> || std::is_same_v<T, Bfloat16>);
  const hn::RebindToUnsigned<F> codes;
  constexpr std::uint32_t kNan = std::is_same_v<T, Bfloat16> ? 0x7fc0 : 0x7e00;
  auto bits = hn::ShiftRight<16>(hn::BitCast(codes, value));
  if constexpr (std::is_same_v<T, Half>) {
    const auto moved = hn::BitCast(codes, hn::Mul(hn::Abs(value), hn::Set(floats, 0x1p-112f)));
    const auto magnitude = hn::Min(hn::ShiftRight<13>(moved), hn::Set(codes, 0x7c00));
    bits = hn::Or(magnitude, hn::And(bits, hn::Set(codes, 0x8000)));
  }
  bits = hn::IfThenElse(hn::RebindMask(codes, hn::IsNaN(value)), hn::Set(codes, kNan), bits);
  return hn::DemoteTo(NarrowCodes<F>(), hn::BitCast(hn::RebindToSigned<decltype(codes)>(), bits));
}

}  // namespace HWY_NAMESPACE
}  // namespace orderlab
HWY_AFTER_NAMESPACE();

#endif
