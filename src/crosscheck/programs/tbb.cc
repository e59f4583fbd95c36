// Reductions of oneTBB: with the splits that it is told to make, and with those that it makes of itself.
#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_reduce.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>
#include <tbb/version.h>

#include <chrono>
#include <map>
#include <memory>
#include <thread>

#include "jobs.hh"

// Its threads stay from call to call.
static tbb::task_arena& arena_of(int threads) {
  static std::map<int, std::unique_ptr<tbb::task_arena>> arenas;
  std::unique_ptr<tbb::task_arena>& arena = arenas[threads];
  if (!arena) arena = std::make_unique<tbb::task_arena>(threads);
  return *arena;
}

template <class T>
static T add(const Job& job, const T* x) {
  using Range = tbb::blocked_range<std::size_t>;
  const Range all(0, job.terms, job.parameter);
  // Parts take unequal time, so that threads that are idle take parts of others.
  const bool waits = job.call != "deterministic";
  const auto body = [&](const Range& range, T s) {
    if (waits) std::this_thread::sleep_for(std::chrono::microseconds(50 + 41 * (range.begin() * 5 + job.number) % 200));
    for (std::size_t i = range.begin(); i != range.end(); ++i) s += x[i];
    return s;
  };
  const auto join = [](T a, T b) { return a + b; };
  T s = 0;
  arena_of(job.workers).execute([&] {
    if (job.call == "deterministic")
      s = tbb::parallel_deterministic_reduce(all, T(0), body, join);
    else if (job.call == "simple")
      s = tbb::parallel_reduce(all, T(0), body, join, tbb::simple_partitioner());
    else if (job.call == "auto")
      s = tbb::parallel_reduce(all, T(0), body, join);
    else
      leave(4);
  });
  return s;
}

int main(int, char** argv) {
  const tbb::global_control threads(tbb::global_control::max_allowed_parallelism, 64);
  return run_jobs(argv[1], std::string("oneTBB ") + TBB_runtime_version(), true,
                  [](const Job& job, const auto* x, const auto*, auto* sums) { sums[0] = add(job, x); });
}
