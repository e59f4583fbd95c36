#include "orderlab/sample.hpp"

#include <tbb/enumerable_thread_specific.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "orderlab/bounds.hpp"
#include "orderlab/error.hpp"
#include "orderlab/philox.hpp"

namespace orderlab {

namespace {

using Clock = std::chrono::steady_clock;

// Samples are taken in rounds of consecutive chunks. Chunks grow until a round takes about this long: short enough to
// stop soon, long enough for the counting and merging not to matter.
constexpr double kRoundSeconds = 0.05;
constexpr std::uint64_t kChunksPerThread = 4;
constexpr std::uint64_t kMaxChunk = std::uint64_t{1} << 16;

struct Chunk {
  std::uint64_t begin;
  std::uint64_t end;
  ResultCounts counts;
  bool complete = false;
};

class Sampler {
 public:
  Sampler(const Evaluator& evaluator, const CountingFrame& frame, const SampleOptions& options)
      : evaluator_(evaluator),
        frame_(frame),
        options_(options),
        scratch_([this] { return evaluator_.make_scratch(); }) {}

  ResultCounts run(std::uint64_t threads) {
    ResultCounts counts(frame_);
    std::uint64_t next = options_.begin;
    std::uint64_t chunk_size = 1;
    while (next < options_.end && !options_.stop.stop_requested()) {
      std::vector<Chunk> round;
      for (std::uint64_t c = 0; c < threads * kChunksPerThread && next < options_.end; ++c) {
        const std::uint64_t end = next + std::min(chunk_size, options_.end - next);
        round.push_back({next, end, ResultCounts(frame_)});
        next = end;
      }
      const auto start = Clock::now();
      tbb::parallel_for(std::size_t{0}, round.size(), [&](std::size_t c) { take(round[c]); });
      for (const Chunk& chunk : round) {
        if (!chunk.complete) return counts;  // stopped: what is counted is an unbroken range
        counts.merge(chunk.counts);
      }
      if (options_.progress) options_.progress(counts.samples(), options_.end - options_.begin);
      const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
      if (seconds < kRoundSeconds / 2) chunk_size = std::min(kMaxChunk, chunk_size * 2);
    }
    return counts;
  }

 private:
  void take(Chunk& chunk) {
    Evaluator::Scratch& scratch = *scratch_.local();
    const Format accumulate = evaluator_.formats().accumulate;
    for (std::uint64_t i = chunk.begin; i < chunk.end; ++i) {
      if (options_.stop.stop_requested()) return;
      const Evaluation e = evaluator_.evaluate(i, scratch);
      chunk.counts.add(e, running_bound(e.error),
                       probabilistic_bound(e.error, accumulate, e.height, evaluator_.term_count()));
    }
    chunk.complete = true;
  }

  const Evaluator& evaluator_;
  const CountingFrame& frame_;
  const SampleOptions& options_;
  tbb::enumerable_thread_specific<std::unique_ptr<Evaluator::Scratch>> scratch_;
};

}  // namespace

ResultCounts sample(const Evaluator& evaluator, const CountingFrame& frame, const SampleOptions& options) {
  if (options.begin >= options.end || options.end > RandomStream::kSampleLimit)
    throw Error(ErrorKind::usage, "samples " + std::to_string(options.begin) + ":" + std::to_string(options.end) +
                                      ": the range must hold at least one sample and end by 2^48");
  const int threads = options.threads > 0 ? options.threads : tbb::this_task_arena::max_concurrency();
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads));
  tbb::task_arena arena(threads);
  return arena.execute([&] { return Sampler(evaluator, frame, options).run(static_cast<std::uint64_t>(threads)); });
}

}  // namespace orderlab
