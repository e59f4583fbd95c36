// Where in a computation draws are made: a path from the seed to a key of their own.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "orderlab/error.hpp"
#include "orderlab/philox.hpp"

namespace orderlab {

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
