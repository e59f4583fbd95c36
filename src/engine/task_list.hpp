// A list of tasks of very different size, which are parallel themselves.
#pragma once

#include <cstddef>
#include <functional>

namespace orderlab {

/// As a number of threads of a loop in a task: those of the list.
inline constexpr int kLoopThreads = -1;

/// Number of threads for a request of `asked`: 0 means all that the machine has.
int threads_used(int asked);

/// Runs task(0) ... task(count - 1) on `threads` threads (0: all), begun in this order, at most `at_once` of them at a
/// time. Loops inside a task that use kLoopThreads share the threads that have no task left; none is added.
///
/// An exception of a task is thrown once the tasks under way have ended; no further one is begun.
/// Stopped ends the list the same way and is not thrown: what other tasks have done stays.
void run_task_list(std::size_t count, int threads, std::size_t at_once, const std::function<void(std::size_t)>& task);

}  // namespace orderlab
