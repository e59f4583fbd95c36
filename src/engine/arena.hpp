// A TBB arena of a given number of threads.
#pragma once

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <cstddef>

#include "engine/task_list.hpp"

namespace orderlab {

/// Runs `work(threads)` where loops use so many threads; 0 is all that the machine has, kLoopThreads those of the loop
/// that it is called from.
template <class Work>
auto with_threads(int threads, Work work) {
  if (threads == kLoopThreads)  // isolated: a thread that waits in here must not begin with the next task of that loop
    return tbb::this_task_arena::isolate(
        [&] { return work(static_cast<std::size_t>(tbb::this_task_arena::max_concurrency())); });
  const int used = threads_used(threads);
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(used));
  tbb::task_arena arena(used);
  return arena.execute([&] { return work(static_cast<std::size_t>(used)); });
}

}  // namespace orderlab
