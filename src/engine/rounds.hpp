// Samples in parallel, in rounds of consecutive chunks: the loop that everything sampled shares.
#pragma once

#include <tbb/parallel_for.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <vector>

#include "engine/arena.hpp"
#include "orderlab/sample.hpp"

namespace orderlab {

/// Tally of the indices options.begin .. options.end-1, of an unbroken range from `begin` on when stopped.
///
/// `empty()` makes a tally, `take(begin, end, tally)` adds the indices begin .. end-1, at most `together` of them, to
/// one, on any thread; tallies merge in ascending order.
template <class Empty, class Take>
auto sample_runs_in_rounds(const SampleOptions& options, std::uint64_t together, Empty empty, Take take) {
  using Tally = decltype(empty());
  using Clock = std::chrono::steady_clock;
  // Chunks grow until a round takes about this long: short enough to stop soon, long enough for the counting and
  // merging not to matter. A thread that has no more chunks waits for the others' last ones, so they are many.
  constexpr double kRoundSeconds = 0.1;
  constexpr std::uint64_t kChunksPerThread = 16;
  constexpr double kMostGrowth = 16;  // the first rounds are so short that their times say little
  constexpr std::uint64_t kMaxChunk = std::uint64_t{1} << 16;
  struct Chunk {
    std::uint64_t begin;
    std::uint64_t end;
    Tally tally;
    bool complete = false;
  };
  const auto run = [&](std::size_t threads) {
    Tally all = empty();
    std::uint64_t next = options.begin;
    std::uint64_t chunk_size = together;
    while (next < options.end && !options.stop.stop_requested()) {
      std::vector<Chunk> round;
      // The last rounds share what is left evenly.
      const std::uint64_t share = (options.end - next) / (threads * kChunksPerThread);
      const std::uint64_t size = std::clamp<std::uint64_t>(share / together * together, 1, chunk_size);
      for (std::uint64_t c = 0; c < threads * kChunksPerThread && next < options.end; ++c) {
        const std::uint64_t end = next + std::min(size, options.end - next);
        round.push_back({next, end, empty()});
        next = end;
      }
      const auto start = Clock::now();
      const auto take_chunk = [&](std::size_t c) {
        Chunk& chunk = round[c];
        for (std::uint64_t i = chunk.begin; i < chunk.end; i += together) {
          if (options.stop.stop_requested()) return;
          take(i, std::min(i + together, chunk.end), chunk.tally);
        }
        chunk.complete = true;
      };
      tbb::parallel_for(std::size_t{0}, round.size(), take_chunk, tbb::simple_partitioner());
      for (const Chunk& chunk : round) {
        if (!chunk.complete) return all;  // stopped: what is counted is an unbroken range
        all.merge(chunk.tally);
      }
      if (options.progress) options.progress(next - options.begin, options.end - options.begin);
      const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
      const double growth = std::min(kRoundSeconds / seconds, kMostGrowth);
      if (growth >= 2) chunk_size = std::min(kMaxChunk, chunk_size * static_cast<std::uint64_t>(growth));
    }
    return all;
  };
  return with_threads(options.threads, run);
}

/// The same where indices are taken one by one: `take(i, tally)`.
template <class Empty, class Take>
auto sample_in_rounds(const SampleOptions& options, Empty empty, Take take) {
  return sample_runs_in_rounds(options, 1, empty, [&](std::uint64_t i, std::uint64_t, auto& tally) { take(i, tally); });
}

}  // namespace orderlab
