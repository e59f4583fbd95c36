// Philox4x32-10 in Highway's portable vectors, for files that are compiled once for each extension. Included like
// highway.h itself, once each time: after foreach_target.h.
//
// A lane of 64 bits holds one word of a block in its low half, which is all that the widening multiplication reads; the
// high halves are noise.
#if defined(ORDERLAB_PHILOX_LANES_TARGET) == defined(HWY_TARGET_TOGGLE)  // an include guard for each extension
#ifdef ORDERLAB_PHILOX_LANES_TARGET
#undef ORDERLAB_PHILOX_LANES_TARGET
#else
#define ORDERLAB_PHILOX_LANES_TARGET
#endif

#include <hwy/highway.h>

#include <array>
#include <cstddef>
#include <cstdint>

#include "orderlab/philox.hpp"

HWY_BEFORE_NAMESPACE();
namespace orderlab {
namespace HWY_NAMESPACE {

inline constexpr std::size_t kMaxPhiloxLanes = 8;
using PhiloxLanes = hwy::HWY_NAMESPACE::CappedTag<std::uint64_t, kMaxPhiloxLanes>;
using PhiloxWord = hwy::HWY_NAMESPACE::Vec<PhiloxLanes>;

/// The keys of all rounds: of word 0 and of word 2 in turn.
using RoundKeys = std::array<std::uint64_t, std::size_t{2} * philox_constants::kRounds>;

inline RoundKeys round_keys(RandomStream::Key key) {
  RoundKeys keys;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    keys[i] = key[i % 2];
    key[i % 2] += philox_constants::kWeyl[i % 2];
  }
  return keys;
}

/// The 64-bit products of the low halves.
HWY_INLINE PhiloxWord widening_product(PhiloxWord a, std::uint32_t b) {
  namespace hn = hwy::HWY_NAMESPACE;
#if HWY_TARGET == HWY_SCALAR  // its one lane is no two halves
  return hn::Mul(hn::And(a, hn::Set(PhiloxLanes(), 0xFFFFFFFF)), hn::Set(PhiloxLanes(), b));
#else
  const hn::Repartition<std::uint32_t, PhiloxLanes> halves;
  return hn::MulEven(hn::BitCast(halves, a), hn::Set(halves, b));
#endif
}

/// Sets the words of counters to the words of their blocks.
HWY_INLINE void philox_lanes(const RoundKeys& keys, PhiloxWord& c0, PhiloxWord& c1, PhiloxWord& c2, PhiloxWord& c3) {
  namespace hn = hwy::HWY_NAMESPACE;
  const PhiloxLanes words;
  HWY_UNROLL(10)  // a loop would broadcast keys and move words about between the operations
  for (std::size_t i = 0; i < keys.size(); i += 2) {
    const PhiloxWord p0 = widening_product(c0, philox_constants::kMultipliers[0]);
    const PhiloxWord p1 = widening_product(c2, philox_constants::kMultipliers[1]);
    c0 = hn::Xor3(hn::ShiftRight<32>(p1), c1, hn::Set(words, keys[i]));
    c1 = p1;
    c2 = hn::Xor3(hn::ShiftRight<32>(p0), c3, hn::Set(words, keys[i + 1]));
    c3 = p0;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace orderlab
HWY_AFTER_NAMESPACE();

#endif
