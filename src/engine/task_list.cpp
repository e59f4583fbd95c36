#include "engine/task_list.hpp"

#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>

#include "engine/arena.hpp"

namespace orderlab {

int threads_used(int asked) { return asked > 0 ? asked : tbb::this_task_arena::max_concurrency(); }

void run_task_list(std::size_t count, int threads, std::size_t at_once, const std::function<void(std::size_t)>& task) {
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  std::exception_ptr failure;
  // Nothing is thrown through TBB: it would cancel the loops inside the tasks that are under way.
  const auto take_tasks = [&](std::size_t) {
    for (std::size_t i = next++; i < count; i = next++) try {
        task(i);
      } catch (...) {
        next = count;
        const std::lock_guard lock(mutex);
        if (!failure) failure = std::current_exception();
      }
  };
  // A range of takers would be split in halves and hand out the list from several places: one counter keeps its order.
  with_threads(threads, [&](std::size_t used) {
    const std::size_t takers = std::clamp<std::size_t>(at_once, 1, used);
    tbb::parallel_for(std::size_t{0}, takers, take_tasks, tbb::simple_partitioner());
    return 0;
  });
  if (failure) std::rethrow_exception(failure);
}

}  // namespace orderlab
