// A draw takes 128 numbers by the bits of a Philox block, then numbers are put in or left out at random places until
// the subset has its size. Tiles of 128 numbers are added to all draws in turn: the sums of all subsets of eight
// neighbours are a table, which stays in the cache.
#include "metrics/random_subsets.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "core/arithmetic_guard.hpp"
#include "orderlab/philox.hpp"
#include "vectors/philox_vectors.hpp"

namespace orderlab {

namespace {

constexpr std::size_t kTile = 128;      // bits of a block
constexpr std::size_t kNeighbours = 8;  // numbers of one table
constexpr std::uint32_t kPlanes = 8;    // bits by which a number is in or not

using Bits = std::array<std::uint64_t, 2>;
using SumTable = std::array<std::array<double, 1U << kNeighbours>, kTile / kNeighbours>;

/// Which numbers of a tile are in a draw, each with probability chance / 256.
Bits drawn_bits(const RandomStream& stream, std::uint64_t tile, std::uint32_t chance) {
  Bits bits{};
  if (chance == 0) return bits;
  const auto first = static_cast<std::uint32_t>(std::countr_zero(chance));
  const auto take = [&](std::uint32_t plane, const Bits& words) {
    for (std::size_t i = 0; i < bits.size(); ++i)
      bits[i] = (chance >> plane & 1U) != 0 ? bits[i] | words[i] : bits[i] & words[i];
  };
  if (first + 1 == kPlanes) {  // vectors would be slower
    const RandomStream::Block b = stream.block(tile * kPlanes + first);
    take(first, {b[0] | std::uint64_t{b[1]} << 32, b[2] | std::uint64_t{b[3]} << 32});
    return bits;
  }
  std::array<std::uint64_t, kPlanes> low, high;
  const std::uint32_t planes = kPlanes - first;
  philox_blocks(stream, tile * kPlanes + first, 0, std::span(low).first(planes), std::span(high).first(planes));
  for (std::uint32_t k = 0; k < planes; ++k) take(first + k, {low[k], high[k]});
  return bits;
}

/// Sums of all subsets of each eight neighbours; what lies beyond the end counts as 0.
SumTable sums_of(std::span<const double> x) {
  SumTable table{};
  for (std::size_t part = 0; part < table.size(); ++part)
    for (std::uint32_t subset = 1; subset < table[part].size(); ++subset) {
      const std::size_t i = part * kNeighbours + static_cast<std::size_t>(std::countr_zero(subset));
      table[part][subset] = table[part][subset & (subset - 1)] + (i < x.size() ? x[i] : 0);
    }
  return table;
}

/// Bits of the numbers that there are.
Bits mask_of(std::size_t numbers) {
  const auto low = [](std::size_t bits) { return bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1; };
  return {low(numbers), numbers > 64 ? low(numbers - 64) : 0};
}

class DrawnSubsets {
 public:
  DrawnSubsets(std::span<const double> x, std::uint64_t seed, std::uint64_t draws, std::uint32_t chance)
      : x_(x), seed_(seed), chance_(chance), sums_(draws), sizes_(draws) {
    if (chance == 0) return;
    for (std::size_t tile = 0; tile * kTile < x.size(); ++tile) add_tile(tile);
  }

  /// Puts numbers in, or leaves them out, until every subset has this size.
  void resize(std::size_t size) {
    std::vector<bool> changed(x_.size());
    std::vector<std::uint32_t> places;
    for (std::uint64_t s = 0; s < sums_.size(); ++s) {
      constexpr std::uint64_t kOfPlaces = std::uint64_t{1} << 40;  // samples whose words are places
      WordReader words(RandomStream(seed_, streams::kGoodnessOfFit, kOfPlaces + s));
      const RandomStream stream = stream_of(s);
      places.clear();
      for (std::uint64_t j = 0; sizes_[s] != size; ++j) {
        const bool puts_in = sizes_[s] < size;
        const std::uint32_t place = words.below(static_cast<std::uint32_t>(x_.size()), j);
        if (changed[place] || has(stream, place) == puts_in) continue;
        changed[place] = true;
        places.push_back(place);
        sums_[s] += puts_in ? x_[place] : -x_[place];
        sizes_[s] += puts_in ? 1U : ~0U;
      }
      for (const std::uint32_t place : places) changed[place] = false;
    }
  }

  std::vector<double> sums() && { return std::move(sums_); }

 private:
  RandomStream stream_of(std::uint64_t draw) const { return {seed_, streams::kGoodnessOfFit, draw}; }

  bool has(const RandomStream& stream, std::uint32_t place) const {
    if (chance_ == 0) return false;
    return (drawn_bits(stream, place / kTile, chance_)[place % kTile / 64] >> (place % 64) & 1) != 0;
  }

  void add_tile(std::size_t tile) {
    const std::span<const double> x = x_.subspan(tile * kTile).first(std::min(kTile, x_.size() - tile * kTile));
    const SumTable table = sums_of(x);
    const Bits mask = mask_of(x.size());
    for (std::uint64_t s = 0; s < sums_.size(); ++s) {
      const Bits bits = drawn_bits(stream_of(s), tile, chance_);
      for (std::size_t i = 0; i < bits.size(); ++i) {
        const std::uint64_t in = bits[i] & mask[i];
        double sum = 0;
        for (std::size_t part = 0; part < 64 / kNeighbours; ++part)
          sum += table[i * (64 / kNeighbours) + part][in >> (part * kNeighbours) & 0xFF];
        sums_[s] += sum;
        sizes_[s] += static_cast<std::uint32_t>(std::popcount(in));
      }
    }
  }

  std::span<const double> x_;
  std::uint64_t seed_;
  std::uint32_t chance_;
  std::vector<double> sums_;
  std::vector<std::uint32_t> sizes_;
};

}  // namespace

std::vector<double> random_subset_sums(std::span<const double> x, std::uint64_t seed, std::uint64_t draws) {
  return DrawnSubsets(x, seed, draws, 1U << (kPlanes - 1)).sums();
}

std::vector<double> random_subset_sums(std::span<const double> x, std::size_t size, std::uint64_t seed,
                                       std::uint64_t draws) {
  // Rounded down, as it is quicker to find a number that is not in a small subset than one that is; below 8 of 256 the
  // subset is made of such finds alone.
  constexpr std::uint64_t kFewest = 8;
  const std::uint64_t chance = (std::uint64_t{size} << kPlanes) / x.size();
  DrawnSubsets subsets(x, seed, draws, chance < kFewest ? 0 : static_cast<std::uint32_t>(chance));
  subsets.resize(size);
  return std::move(subsets).sums();
}

}  // namespace orderlab
