#include "engine/task_list.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>

#include "core/stop.hpp"
#include "engine/arena.hpp"

namespace orderlab {

void run_task_list(std::size_t count, int threads, std::size_t at_once, const std::function<void(std::size_t)>& task) {
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  std::exception_ptr failure;
  // Nothing is thrown through TBB: it would cancel the loops inside the tasks that are under way.
  const auto take_tasks = [&](std::uint64_t) {
    for (std::size_t i = next++; i < count; i = next++) try {
        task(i);
      } catch (const Stopped&) {
        next = count;
      } catch (...) {
        next = count;
        const std::lock_guard lock(mutex);
        if (!failure) failure = std::current_exception();
      }
  };
  // A range of takers would be split in halves and hand out the list from several places: one counter keeps its order.
  run_with_threads(threads, [&](std::size_t used) {
    const std::size_t takers = std::clamp<std::size_t>(at_once, 1, used);
    parallel_for(0, takers, Grain::apart, take_tasks);
  });
  if (failure) std::rethrow_exception(failure);
}

}  // namespace orderlab
