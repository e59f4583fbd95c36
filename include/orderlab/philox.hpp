// Philox4x32-10, the counter-based generator behind every draw, how orderlab fills its counter, and the keys of places
// in a computation.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "orderlab/error.hpp"

namespace orderlab {

namespace philox_constants {
inline constexpr int kRounds = 10;
inline constexpr std::array<std::uint32_t, 2> kMultipliers{0xD2511F53, 0xCD9E8D57};
inline constexpr std::array<std::uint32_t, 2> kWeyl{0x9E3779B9, 0xBB67AE85};  // golden ratio, sqrt(3) - 1
}  // namespace philox_constants

/// Philox4x32-10: four 32-bit words from a 128-bit counter and a 64-bit key.
///
/// Source: [Salmon2011]; known answers of the authors' Random123 are tested.
constexpr std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key) {
  using namespace philox_constants;
  for (int round = 0; round < kRounds; ++round) {
    const std::uint64_t p0 = std::uint64_t{kMultipliers[0]} * counter[0];
    const std::uint64_t p1 = std::uint64_t{kMultipliers[1]} * counter[2];
    counter = {static_cast<std::uint32_t>(p1 >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(p1),
               static_cast<std::uint32_t>(p0 >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(p0)};
    key[0] += kWeyl[0];
    key[1] += kWeyl[1];
  }
  return counter;
}

/// All draws of one purpose in one sample: a pure function of (key, stream, sample, index, attempt).
///
/// Counter: index (48 bits), sample (48), stream (16), attempt (16), from the lowest bit up. The key is the seed, or
/// what a DrawPath makes of it. `index` numbers blocks of four words; a draw that rejects words takes the block of the
/// next attempt.
///
/// A model that sorts by keys (SortKey) rejects nothing. In its stage's stream, attempts number what it draws: 0 the
/// normal number of unit `index` and, by word 3, whether it begins a batch, 1 the number of batch `index`; 2 and 3 the
/// same for the part of the delays that does not change from sample to sample, with sample 0; 4 the normal number of
/// the run, index 0.
class RandomStream {
 public:
  using Block = std::array<std::uint32_t, 4>;
  using Key = std::array<std::uint32_t, 2>;

  static constexpr std::uint64_t kIndexLimit = std::uint64_t{1} << 48;
  static constexpr std::uint64_t kSampleLimit = std::uint64_t{1} << 48;

  constexpr RandomStream(std::uint64_t key, std::uint16_t stream, std::uint64_t sample)
      : key_{static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(key >> 32)},
        sample_low_(static_cast<std::uint32_t>(sample & 0xFFFF) << 16),
        sample_high_(static_cast<std::uint32_t>(sample >> 16)),
        stream_(stream) {}

  constexpr Block block(std::uint64_t index, std::uint16_t attempt = 0) const {
    return philox(counter(index, attempt), key_);
  }

  /// The counter that block() encrypts.
  constexpr Block counter(std::uint64_t index, std::uint16_t attempt = 0) const {
    return {static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(index >> 32) | sample_low_, sample_high_,
            stream_ | (static_cast<std::uint32_t>(attempt) << 16)};
  }
  constexpr const Key& key() const { return key_; }

  /// The same stream in sample 0.
  constexpr RandomStream in_first_sample() const {
    RandomStream first = *this;
    first.sample_low_ = 0;
    first.sample_high_ = 0;
    return first;
  }

 private:
  Key key_;
  std::uint32_t sample_low_;
  std::uint32_t sample_high_;
  std::uint32_t stream_;
};

/// The words of one index as a UniformRandomBitGenerator of 64-bit numbers: two for each attempt, first 0, then 1, ...
class IndexGenerator {
 public:
  using result_type = std::uint64_t;

  constexpr IndexGenerator(const RandomStream& stream, std::uint64_t index) : stream_(stream), index_(index) {}

  /// The same, where the first two numbers are known: words 0 and 1, and 2 and 3, of attempt 0.
  constexpr IndexGenerator(const RandomStream& stream, std::uint64_t index, std::uint64_t first, std::uint64_t second)
      : stream_(stream), index_(index), known_{first, second}, next_(0), attempt_(1) {}

  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }

  constexpr result_type operator()() {
    if (next_ == known_.size()) draw_attempt();
    return known_[next_++];
  }

 private:
  constexpr void draw_attempt() {
    const RandomStream::Block words = stream_.block(index_, attempt_++);
    for (std::size_t i = 0; i < known_.size(); ++i)
      known_[i] = words[2 * i] | (static_cast<std::uint64_t>(words[2 * i + 1]) << 32);
    next_ = 0;
  }

  RandomStream stream_;
  std::uint64_t index_;
  std::array<std::uint64_t, 2> known_{};  ///< numbers of the attempt drawn last
  std::size_t next_ = known_.size();
  std::uint16_t attempt_ = 0;  ///< the next one
};

/// Numbers the words of a stream: word j is word j % 4 of block j / 4 (32 bits), or half j % 2 of block j / 2 (64
/// bits).
///
/// A bounded draw is the high part of word * bound; words that would make it uneven are redrawn at the next attempt.
/// Source: [Lemire2019].
class WordReader {
 public:
  explicit WordReader(const RandomStream& stream) : stream_(stream) {}

  /// Uniform in [0, bound), 1 <= bound < 2^32, from word `j`.
  std::uint32_t below(std::uint32_t bound, std::uint64_t j) {
    std::uint64_t product = static_cast<std::uint64_t>(word(j)) * bound;
    if (static_cast<std::uint32_t>(product) < bound) {
      const std::uint32_t uneven = (0u - bound) % bound;
      for (std::uint16_t attempt = 1; static_cast<std::uint32_t>(product) < uneven; ++attempt)
        product = static_cast<std::uint64_t>(stream_.block(j / 4, attempt)[j % 4]) * bound;
    }
    return static_cast<std::uint32_t>(product >> 32);
  }

  /// Uniform in [0, bound), bound >= 1, from 64-bit word `j`.
  std::uint64_t below_wide(std::uint64_t bound, std::uint64_t j) const {
    __extension__ using Wide = unsigned __int128;
    const std::uint64_t uneven = (0u - bound) % bound;
    for (std::uint16_t attempt = 0;; ++attempt) {
      const RandomStream::Block b = stream_.block(j / 2, attempt);
      const std::size_t low = 2 * (j % 2);
      const std::uint64_t word = b[low] | (static_cast<std::uint64_t>(b[low + 1]) << 32);
      const Wide product = static_cast<Wide>(word) * bound;
      if (static_cast<std::uint64_t>(product) >= uneven) return static_cast<std::uint64_t>(product >> 64);
    }
  }

 private:
  std::uint32_t word(std::uint64_t j) {
    if (j / 4 != index_) {
      index_ = j / 4;
      block_ = stream_.block(index_);
    }
    return block_[j % 4];
  }

  RandomStream stream_;
  std::uint64_t index_ = ~std::uint64_t{0};
  RandomStream::Block block_{};
};

/// What the streams are used for. Random stage k of a pipeline (from 0) takes kFirstStage + k, so that fixed stages in
/// front of it do not change what it draws.
namespace streams {
inline constexpr std::uint16_t kTerms = 0;
inline constexpr std::uint16_t kTermOrder = 1;      ///< the final shuffle of generated terms
inline constexpr std::uint16_t kGoodnessOfFit = 2;  ///< simulations of a test; `sample` numbers them
inline constexpr std::uint16_t kSearchMoves = 3;    ///< changes that a search for extreme orders tries; sample: chain
inline constexpr std::uint16_t kSearchStarts = 4;   ///< random orders that it starts from; sample: number of the order
inline constexpr std::uint16_t kCrossCheckChoices = 5;  ///< shapes and schedules of a cross-check; index: terms
inline constexpr std::uint16_t kFit = 6;                ///< simulated recordings; sample: number of the order
inline constexpr std::uint16_t kBootstrap = 7;          ///< resampling with replacement; sample: replicate
inline constexpr std::uint16_t kPathKeys = 8;        ///< keys of DrawPath; sample: step, index: output, attempt: site
inline constexpr std::uint16_t kIndices = 9;         ///< generated indices of operations; sample: number of the input
inline constexpr std::uint16_t kProbe = 10;          ///< places that a probe of a black box chooses
inline constexpr std::uint16_t kUsualArrivals = 11;  ///< arrival orders that a check tries; sample: number of the order
inline constexpr std::uint16_t kServing = 12;  ///< batches and arrivals of a model's server; sample: number of the run
inline constexpr std::uint16_t kFirstStage = 16;
inline constexpr std::uint16_t kFirstLaunch = 0x8000;    ///< launch l of a simulated GPU: 2 l the order in which thread
                                                         ///< blocks start, 2 l + 1 whose turn it is; l from 1
inline constexpr std::uint16_t kLaunchStreams = 0x8000;  ///< number of these streams; later launches reuse them
}  // namespace streams

/// Version of all drawn bits: raised by every change that alters any of them.
inline constexpr int kBitsVersion = 5;

/// A place that draws as if it had a seed of its own: a site of a program (one of its dot products), a step (an
/// iteration, an epoch), an output (a row of an operation), or some of them.
///
///     RandomStream(DrawPath{.seed = 1, .step = 7, .output = 42}.key(), stream, sample)
struct DrawPath {
  std::uint64_t seed = 0;
  std::optional<std::uint64_t> site = {};    ///< below kSiteLimit
  std::optional<std::uint64_t> step = {};    ///< below kStepLimit
  std::optional<std::uint64_t> output = {};  ///< below kOutputLimit

  static constexpr std::uint64_t kSiteLimit = 0xFFFF;
  static constexpr std::uint64_t kStepLimit = RandomStream::kSampleLimit - 1;
  static constexpr std::uint64_t kOutputLimit = RandomStream::kIndexLimit - 1;

  /// The key of the place's draws: the seed itself where site, step and output are all absent; else words 0 (low) and 1
  /// (high) of Philox4x32-10 of this counter, with the seed as key:
  ///
  ///     bits  0 ..  47  output + 1, or 0 where it is absent
  ///     bits 48 ..  95  step + 1, or 0
  ///     bits 96 .. 111  streams::kPathKeys
  ///     bits 112 .. 127 site + 1, or 0
  ///
  /// So keys are draws of a stream that has no other use, and consecutive outputs have consecutive blocks of it.
  /// Different paths have different counters. A key is 64 of the 128 bits that Philox makes of the counter: some two of
  /// N keys and seeds are equal with probability N^2 / 2^65 (3e-8 for a million, 3e-2 for a thousand million). Two
  /// places with equal keys draw alike; nothing else changes.
  ///
  /// Errors: usage for a site, step or output that is not below its limit.
  constexpr std::uint64_t key() const {
    if (!site && !step && !output) return seed;
    const RandomStream keys(seed, streams::kPathKeys, place("step", step, kStepLimit));
    const RandomStream::Block words =
        keys.block(place("output", output, kOutputLimit), static_cast<std::uint16_t>(place("site", site, kSiteLimit)));
    return words[0] | (std::uint64_t{words[1]} << 32);
  }

 private:
  static constexpr std::uint64_t place(const char* what, std::optional<std::uint64_t> number, std::uint64_t limit) {
    if (number && *number >= limit)
      throw Error(ErrorKind::usage, std::string(what) + " " + std::to_string(*number) +
                                        " of a draw path: must be below " + std::to_string(limit));
    return number ? *number + 1 : 0;
  }
};

}  // namespace orderlab
