// Samples in parallel, in rounds of consecutive chunks: the loop of all that draws many samples, each of which takes little
// time, and that keeps the samples up to the first one that a stop left out. These loops are others, each for a reason:
//
// - Tasks that take long are begun in turn and kept in any order, by `engine/task_list.hpp`: runs of programs
//   (`program/run_samples.cpp`), seeds of a training, families of a fit, points of a sweep.
// - A tally of a whole output is as large as the output, so `study/sample_operation.cpp` has one for each thread, not one
//   for each chunk. `study/alternatives.cpp` says after each whole output how far it is, not after a round.
// - `engine/usual_arrivals.cpp` keeps each order that was drawn, whichever a stop left out.
// - `metrics/goodness_of_fit.cpp` is in a layer without threads.
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
/// one, on any thread; tallies merge in ascending order. Chunks are for `threads` threads, those of the loop around it.
template <class Empty, class Take>
auto sample_runs_on(std::size_t threads, const SampleOptions& options, std::uint64_t together, Empty empty, Take take) {
  using Clock = std::chrono::steady_clock;
  // Chunks grow until a round takes about this long: short enough to stop soon and to show progress (samples that are
  // slower than that come one a chunk), long enough for the counting and merging not to matter.
  constexpr double kRoundSeconds = 0.1;
  constexpr double kMostGrowth = 16;  // the first rounds are so short that their times say little
  constexpr std::uint64_t kMaxChunk = std::uint64_t{1} << 16;
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
}

/// The same on options.threads threads.
template <class Empty, class Take>
auto sample_runs_in_rounds(const SampleOptions& options, std::uint64_t together, Empty empty, Take take) {
  return with_threads(options.threads,
                      [&](std::size_t threads) { return sample_runs_on(threads, options, together, empty, take); });
}

/// The same where indices are taken one by one: `take(i, tally)`.
template <class Empty, class Take>
auto sample_in_rounds(const SampleOptions& options, Empty empty, Take take) {
  return sample_runs_in_rounds(options, 1, empty, [&](std::uint64_t i, std::uint64_t, auto& tally) { take(i, tally); });
}

/// value(i) of each index, in ascending order.
template <class Value>
auto list_in_rounds(const SampleOptions& options, Value value) {
  struct List {
    std::vector<decltype(value(std::uint64_t{}))> values = {};

    void merge(const List& other) { values.insert(values.end(), other.values.begin(), other.values.end()); }
  };
  return sample_in_rounds(
             options, [] { return List(); }, [&](std::uint64_t i, List& list) { list.values.push_back(value(i)); })
      .values;
}

/// Calls body(i) for each index, on any thread.
template <class Body>
void each_in_rounds(const SampleOptions& options, Body body) {
  struct Nothing {
    void merge(const Nothing&) {}
  };
  sample_in_rounds(
      options, [] { return Nothing(); }, [&](std::uint64_t i, Nothing&) { body(i); });
}

}  // namespace orderlab
