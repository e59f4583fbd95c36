#include "engine/arena.hpp"

#include <tbb/blocked_range.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include "core/float_environment.hpp"
#include "core/stop.hpp"

namespace orderlab {

int threads_used(int asked) { return asked > 0 ? asked : tbb::this_task_arena::max_concurrency(); }

void run_with_threads(int threads, const std::function<void(std::size_t)>& work) {
  if (threads ==
      kLoopThreads) {  // isolated: a thread that waits in here must not begin with the next task of that loop
    tbb::this_task_arena::isolate([&] { work(static_cast<std::size_t>(tbb::this_task_arena::max_concurrency())); });
    return;
  }
  const int used = threads_used(threads);
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(used));
  tbb::task_arena arena(used);
  arena.execute([&, stop = StopScope::current()] {  // on any thread
    const FloatEnvironment environment(FloatEnvironment::Of::task);
    const StopScope scope(stop);
    work(static_cast<std::size_t>(used));
  });
}

void parallel_for(std::uint64_t begin, std::uint64_t end, Grain grain, const std::function<void(std::uint64_t)>& body) {
  if (end - begin == 1) {
    const FloatEnvironment environment(FloatEnvironment::Of::task);
    return body(begin);
  }
  // A worker has the environment of whoever made its arena, or of the task that it waits in.
  const auto each = [&body, stop = StopScope::current()](const tbb::blocked_range<std::uint64_t>& range) {
    const FloatEnvironment environment(FloatEnvironment::Of::task);
    const StopScope scope(stop);
    for (std::uint64_t i = range.begin(); i < range.end(); ++i) body(i);
  };
  const tbb::blocked_range<std::uint64_t> range(begin, end);
  tbb::task_group_context context;
  if (grain == Grain::apart)
    tbb::parallel_for(range, each, tbb::simple_partitioner(), context);
  else
    tbb::parallel_for(range, each, tbb::auto_partitioner(), context);
  // By a loop around it, which something ended: what this one leaves is not whole.
  if (context.is_group_execution_cancelled()) throw Stopped{};
}

Loop loop_on(int threads) {
  return [threads](std::size_t count, const std::function<void(std::size_t)>& body) {
    if (count <= 1) return serial_loop(count, body);  // without starting threads
    const auto part = [&](std::uint64_t i) {
      stop_point();
      body(i);
    };
    run_with_threads(threads, [&](std::size_t) { parallel_for(0, count, Grain::apart, part); });
  };
}

struct ThreadSlots::Slots {
  tbb::enumerable_thread_specific<std::shared_ptr<void>> all;
};

ThreadSlots::ThreadSlots(Make make)
    : slots_(new Slots{tbb::enumerable_thread_specific<std::shared_ptr<void>>(std::move(make))}) {}
ThreadSlots::~ThreadSlots() = default;

void* ThreadSlots::local() { return slots_->all.local().get(); }

void ThreadSlots::each(const std::function<void(void*)>& call) {
  for (const std::shared_ptr<void>& value : slots_->all) call(value.get());
}

}  // namespace orderlab
