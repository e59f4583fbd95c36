// A TBB arena of a given number of threads.
#pragma once

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <cstddef>

namespace orderlab {

/// Runs `work(threads)` where loops use so many threads; 0 is all that the machine has.
template <class Work>
auto with_threads(int threads, Work work) {
  const int used = threads > 0 ? threads : tbb::this_task_arena::max_concurrency();
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(used));
  tbb::task_arena arena(used);
  return arena.execute([&] { return work(static_cast<std::size_t>(used)); });
}

}  // namespace orderlab
