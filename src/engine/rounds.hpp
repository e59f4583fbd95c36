// Samples in parallel, in rounds of consecutive chunks: the loop that everything sampled shares.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <vector>

#include "core/stop.hpp"
#include "engine/arena.hpp"
#include "orderlab/sample.hpp"

namespace orderlab {

namespace detail {

template <class Tally>
struct Chunk {
  std::uint64_t begin;
  std::uint64_t end;
  Tally tally;
  bool complete = false;
};

/// Consecutive chunks of at most `most` indices from `begin` on, enough of them for every thread to get a share; `most`
/// is at least `together`. Chunks at the end are shorter, so that threads finish together, but as long as every thread
/// gets one, none is smaller than `together`. The first round has one chunk for every thread, so that it is soon known
/// how long all of them take.
template <class Empty>
auto chunks_of_round(std::uint64_t begin, std::uint64_t end, std::uint64_t most, std::uint64_t together,
                     std::uint64_t threads, bool first, Empty empty) {
  // A thread that has no more chunks waits for the others' last ones, so they are many.
  constexpr std::uint64_t kChunksPerThread = 16;
  const std::uint64_t chunks = first ? threads : threads * kChunksPerThread;
  const std::uint64_t left = end - begin;
  const std::uint64_t least = std::clamp<std::uint64_t>(left / threads, 1, together);
  const std::uint64_t size = std::clamp(left / chunks / together * together, least, most);
  std::vector<Chunk<decltype(empty())>> round;
  while (round.size() < chunks && begin < end) {
    const std::uint64_t next = begin + std::min(size, end - begin);
    round.push_back({begin, next, empty()});
    begin = next;
  }
  return round;
}

}  // namespace detail

/// Tally of the indices options.begin .. options.end-1, of an unbroken range from `begin` on when stopped.
///
/// `empty()` makes a tally, `take(begin, end, tally)` adds the indices begin .. end-1, at most `together` of them, to
/// one, on any thread; tallies merge in ascending order.
template <class Empty, class Take>
auto sample_runs_in_rounds(const SampleOptions& options, std::uint64_t together, Empty empty, Take take) {
  using Clock = std::chrono::steady_clock;
  // Chunks grow until a round takes about this long: short enough to stop soon and to show progress (samples that are
  // slower than that come one a chunk), long enough for the counting and merging not to matter.
  constexpr double kRoundSeconds = 0.1;
  constexpr double kMostGrowth = 16;  // the first rounds are so short that their times say little
  constexpr std::uint64_t kMaxChunk = std::uint64_t{1} << 16;
  const auto run = [&](std::size_t threads) {
    const StopScope scope(options.stop);
    auto all = empty();
    std::uint64_t next = options.begin;
    std::uint64_t chunk_size = together;
    while (next < options.end && !options.stop.stop_requested()) {
      auto round =
          detail::chunks_of_round(next, options.end, chunk_size, together, threads, next == options.begin, empty);
      const auto start = Clock::now();
      const auto take_chunk = [&](std::uint64_t c) {
        auto& chunk = round[c];
        chunk.complete = unless_stopped([&] {
                           for (std::uint64_t i = chunk.begin; i < chunk.end; i += together) {
                             stop_point();
                             take(i, std::min(i + together, chunk.end), chunk.tally);
                           }
                           return true;
                         }).has_value();
      };
      parallel_for(0, round.size(), Grain::apart, take_chunk);
      for (const auto& chunk : round) {
        if (!chunk.complete) {                                  // stopped: the indices counted so far are consecutive
          if (!options.stop.stop_requested()) throw Stopped{};  // by another token than this call knows
          return all;
        }
        all.merge(chunk.tally);
      }
      next = round.back().end;
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
