#include "engine/task_list.hpp"

#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>

#include <algorithm>
#include <atomic>

#include "engine/arena.hpp"

namespace orderlab {

void run_task_list(std::size_t count, int threads, std::size_t at_once, const std::function<void(std::size_t)>& task) {
  std::atomic<std::size_t> next = 0;
  const auto take_tasks = [&](std::size_t) {
    try {
      for (std::size_t i = next++; i < count; i = next++) task(i);
    } catch (...) {
      next = count;
      throw;
    }
  };
  // A range of takers would be split in halves and hand out the list from several places: one counter keeps its order.
  with_threads(threads, [&](std::size_t used) {
    const std::size_t takers = std::clamp<std::size_t>(at_once, 1, used);
    tbb::parallel_for(std::size_t{0}, takers, take_tasks, tbb::simple_partitioner());
    return 0;
  });
}

}  // namespace orderlab
