// Bounded draws by vectors, one Philox block a lane: this file is compiled once for each extension.
#include "vectors/permutation.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "vectors/bounded_draws.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, as Highway asks.
#include <hwy/highway.h>

#include <algorithm>

#include "core/stop.hpp"
#include "vectors/philox_lanes.hpp"

HWY_BEFORE_NAMESPACE();
namespace orderlab {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

void draw_below(const RandomStream& stream, std::uint32_t first_bound, std::uint32_t step, std::uint64_t first_word,
                std::span<std::uint32_t> draws) {
  WordReader words(stream);
  for (std::size_t i = 0; i < draws.size(); ++i)
    draws[i] = words.below(first_bound + step * static_cast<std::uint32_t>(i), first_word + i);
}

#else

namespace hn = hwy::HWY_NAMESPACE;

using Blocks = PhiloxLanes;
using Halves = hn::Repartition<std::uint32_t, Blocks>;
using Block = PhiloxWord;
using Half = hn::Vec<Halves>;

HWY_INLINE Half halves(Block x) { return hn::BitCast(Halves(), x); }
HWY_INLINE Block upper_half(Block x) { return hn::ShiftRight<32>(x); }

/// Products of words with bounds: of `word_a` with the lower halves of `bounds`, of `word_b` with the upper.
HWY_INLINE void multiply(Block word_a, Block word_b, Half bounds, Half& high, Half& low) {
  const Block a = hn::MulEven(halves(word_a), bounds);
  const Block b = hn::MulEven(halves(word_b), halves(upper_half(hn::BitCast(Blocks(), bounds))));
  high = hn::OddEven(halves(b), halves(upper_half(a)));
  low = hn::OddEven(halves(hn::ShiftLeft<32>(b)), halves(a));
}

/// Philox block, counted from the first of a vector, whose words lane l has: so placed that interleaving lanes within
/// 128 bits puts them in order.
constexpr std::size_t block_of_lane(std::size_t l, std::size_t lanes) { return l / 2 + l % 2 * (lanes / 2); }

/// Stores the words of all blocks in order: a lane has two in `first` and two in `second`.
HWY_INLINE void store_in_order(Half first, Half second, std::uint32_t* out) {
  const Blocks blocks;
  const Halves words;
  const Block a = hn::BitCast(blocks, first);
  const Block b = hn::BitCast(blocks, second);
  hn::StoreU(halves(hn::InterleaveLower(blocks, a, b)), words, out);
  hn::StoreU(halves(hn::InterleaveUpper(blocks, a, b)), words, out + hn::Lanes(words));
}

void draw_below(const RandomStream& stream, std::uint32_t first_bound, std::uint32_t step, std::uint64_t first_word,
                std::span<std::uint32_t> draws) {
  const Blocks blocks;
  const Halves words;
  const std::size_t lanes = hn::Lanes(blocks);
  const std::size_t at_once = 4 * lanes;
  const RandomStream::Block counter = stream.counter(0);
  const RoundKeys keys = round_keys(stream.key());
  std::uint64_t first_index[kMaxPhiloxLanes];
  std::uint32_t first_bounds[2 * kMaxPhiloxLanes];  // bounds for the first two words of each block
  for (std::size_t l = 0; l < lanes; ++l) {
    const std::size_t block = block_of_lane(l, lanes);
    first_index[l] = first_word / 4 + block;
    first_bounds[2 * l] = first_bound + step * static_cast<std::uint32_t>(4 * block);
    first_bounds[2 * l + 1] = first_bounds[2 * l] + step;
  }
  Block index = hn::LoadU(blocks, first_index);
  Half bounds01 = hn::LoadU(words, first_bounds);
  const Half two_steps = hn::Set(words, 2 * step);
  const Half all_steps = hn::Set(words, step * static_cast<std::uint32_t>(at_once));

  for (std::size_t done = 0; done < draws.size(); done += at_once) {
    Block c0 = index;
    Block c1 = hn::Or(upper_half(index), hn::Set(blocks, counter[1]));
    Block c2 = hn::Set(blocks, counter[2]);
    Block c3 = hn::Set(blocks, counter[3]);
    philox_lanes(keys, c0, c1, c2, c3);
    const Half bounds23 = hn::Add(bounds01, two_steps);
    Half high01, low01, high23, low23;
    multiply(c0, c1, bounds01, high01, low01);
    multiply(c2, c3, bounds23, high23, low23);

    const std::size_t count = std::min(at_once, draws.size() - done);
    std::uint32_t last[4 * kMaxPhiloxLanes];
    std::uint32_t* const out = count == at_once ? &draws[done] : last;
    store_in_order(high01, high23, out);
    const auto doubtful = hn::Or(hn::Lt(low01, bounds01), hn::Lt(low23, bounds23));
    if (!hn::AllFalse(words, doubtful)) {
      std::uint32_t low[4 * kMaxPhiloxLanes];
      store_in_order(low01, low23, low);
      WordReader reader(stream);
      for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t bound = first_bound + static_cast<std::uint32_t>(done + i) * step;
        if (low[i] < bound) out[i] = reader.below(bound, first_word + done + i);
      }
    }
    if (count < at_once) std::copy_n(last, count, &draws[done]);
    index = hn::Add(index, hn::Set(blocks, lanes));
    bounds01 = hn::Add(bounds01, all_steps);
  }
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace orderlab
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orderlab {

HWY_EXPORT(draw_below);

void draw_below(const RandomStream& stream, std::uint32_t first_bound, std::uint32_t step, std::uint64_t first_word,
                std::span<std::uint32_t> draws) {
  stop_point();  // what draws without end, shuffles and grows trees, comes through here every kDrawsAhead draws
  HWY_DYNAMIC_DISPATCH(draw_below)(stream, first_bound, step, first_word, draws);
}

}  // namespace orderlab
#endif
