// Philox4x32-10 in Highway's portable vectors: this file is compiled once for each extension. A lane of 64 bits holds
// one word of a block in its low half, which is all that the widening multiplication reads; the high halves are noise.
#include "core/philox_vectors.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/philox_vectors.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, as Highway asks.
#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>

HWY_BEFORE_NAMESPACE();
namespace orderlab {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Words = hn::CappedTag<std::uint64_t, 8>;
using Word = hn::Vec<Words>;

/// The 64-bit products of the low halves.
HWY_INLINE Word widening_product(Word a, std::uint32_t b) {
#if HWY_TARGET == HWY_SCALAR  // its one lane is no two halves
  return hn::Mul(hn::And(a, hn::Set(Words(), 0xFFFFFFFF)), hn::Set(Words(), b));
#else
  const hn::Repartition<std::uint32_t, Words> halves;
  return hn::MulEven(hn::BitCast(halves, a), hn::Set(halves, b));
#endif
}

/// The keys of all rounds.
struct Keys {
  std::uint64_t of_round[philox_constants::kRounds][2];

  explicit Keys(RandomStream::Key key) {
    for (auto& keys : of_round) {
      for (std::size_t i = 0; i < 2; ++i) keys[i] = key[i];
      for (std::size_t i = 0; i < 2; ++i) key[i] += philox_constants::kWeyl[i];
    }
  }
};

/// The blocks of counters (c0, c1, c2, c3): their words 0 and 1 in `low`, 2 and 3 in `high`.
HWY_INLINE void philox_lanes(Word c0, Word c1, Word c2, Word c3, const Keys& keys, Word& low, Word& high) {
  const Words words;
  HWY_UNROLL(10)  // a loop would broadcast keys and move words about between the operations
  for (int round = 0; round < philox_constants::kRounds; ++round) {
    const Word p0 = widening_product(c0, philox_constants::kMultipliers[0]);
    const Word p1 = widening_product(c2, philox_constants::kMultipliers[1]);
    c0 = hn::Xor(hn::Xor(hn::ShiftRight<32>(p1), c1), hn::Set(words, keys.of_round[round][0]));
    c1 = p1;
    c2 = hn::Xor(hn::Xor(hn::ShiftRight<32>(p0), c3), hn::Set(words, keys.of_round[round][1]));
    c3 = p0;
  }
  const Word half = hn::Set(words, 0xFFFFFFFF);
  low = hn::Or(hn::And(c0, half), hn::ShiftLeft<32>(c1));
  high = hn::Or(hn::And(c2, half), hn::ShiftLeft<32>(c3));
}

void philox_blocks(const RandomStream& stream, std::uint64_t first, std::uint16_t attempt, std::span<std::uint64_t> low,
                   std::span<std::uint64_t> high) {
  const Words words;
  const std::size_t lanes = hn::Lanes(words);
  const std::size_t n = low.size();
  const RandomStream::Block base = stream.counter(0, attempt);
  const Keys keys(stream.key());
  const Word from_0 = hn::Iota(words, 0);
  for (std::size_t i = 0; i < n; i += lanes) {
    const Word index = hn::Add(hn::Set(words, first + i), from_0);
    const Word upper_index = hn::Or(hn::ShiftRight<32>(index), hn::Set(words, base[1]));
    Word low_words, high_words;
    philox_lanes(index, upper_index, hn::Set(words, base[2]), hn::Set(words, base[3]), keys, low_words, high_words);
    if (n - i >= lanes) {
      hn::StoreU(low_words, words, &low[i]);
      hn::StoreU(high_words, words, &high[i]);
    } else {
      std::uint64_t last[2][8];
      hn::StoreU(low_words, words, last[0]);
      hn::StoreU(high_words, words, last[1]);
      std::copy_n(last[0], n - i, &low[i]);
      std::copy_n(last[1], n - i, &high[i]);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace orderlab
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orderlab {

HWY_EXPORT(philox_blocks);

void philox_blocks(const RandomStream& stream, std::uint64_t first, std::uint16_t attempt, std::span<std::uint64_t> low,
                   std::span<std::uint64_t> high) {
  HWY_DYNAMIC_DISPATCH(philox_blocks)(stream, first, attempt, low, high);
}

}  // namespace orderlab
#endif
