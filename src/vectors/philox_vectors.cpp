// Blocks by Highway's portable vectors: this file is compiled once for each extension.
#include "vectors/philox_vectors.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "vectors/philox_vectors.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, as Highway asks.
#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>

#include "vectors/philox_lanes.hpp"

HWY_BEFORE_NAMESPACE();
namespace orderlab {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Words = PhiloxLanes;
using Word = PhiloxWord;

void philox_blocks(const RandomStream& stream, std::uint64_t first, std::uint16_t attempt, std::span<std::uint64_t> low,
                   std::span<std::uint64_t> high) {
  const Words words;
  const std::size_t lanes = hn::Lanes(words);
  const std::size_t n = low.size();
  const RandomStream::Block base = stream.counter(0, attempt);
  const RoundKeys keys = round_keys(stream.key());
  const Word half = hn::Set(words, 0xFFFFFFFF);
  const Word from_0 = hn::Iota(words, 0);
  for (std::size_t i = 0; i < n; i += lanes) {
    const Word index = hn::Add(hn::Set(words, first + i), from_0);
    Word c0 = index, c1 = hn::Or(hn::ShiftRight<32>(index), hn::Set(words, base[1]));
    Word c2 = hn::Set(words, base[2]), c3 = hn::Set(words, base[3]);
    philox_lanes(keys, c0, c1, c2, c3);
    const Word low_words = hn::Or(hn::And(c0, half), hn::ShiftLeft<32>(c1));
    const Word high_words = hn::Or(hn::And(c2, half), hn::ShiftLeft<32>(c3));
    if (n - i >= lanes) {
      hn::StoreU(low_words, words, &low[i]);
      hn::StoreU(high_words, words, &high[i]);
    } else {
      std::uint64_t last[2][kMaxPhiloxLanes];
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
