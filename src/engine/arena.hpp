// Loops on several threads. TBB is included by arena.cpp alone: its headers and loops take a second in each source.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "engine/task_list.hpp"
#include "orderlab/loop.hpp"

namespace orderlab {

/// Runs `work(threads)` with loops limited to `threads`; 0 is all of the machine, kLoopThreads those of the calling
/// loop.
void run_with_threads(int threads, const std::function<void(std::size_t)>& work);

/// The same, and returns what it returns.
template <class Work>
auto with_threads(int threads, Work work) {
  std::optional<decltype(work(std::size_t{}))> result;
  run_with_threads(threads, [&](std::size_t used) { result.emplace(work(used)); });
  return *std::move(result);
}

/// Calls body(begin) ... body(end - 1), any of them at once. apart: each is a task of its own, however many there are;
/// joined: neighbours may be one task.
enum class Grain { apart, joined };
void parallel_for(std::uint64_t begin, std::uint64_t end, Grain grain, const std::function<void(std::uint64_t)>& body);

/// Loops of parallel_for, each part a task of its own, on so many threads as run_with_threads says.
Loop loop_on(int threads);

/// One value of each thread that asks for its own.
class ThreadSlots {
 public:
  using Make = std::function<std::shared_ptr<void>()>;

  explicit ThreadSlots(Make make);
  ~ThreadSlots();
  ThreadSlots(const ThreadSlots&) = delete;
  ThreadSlots& operator=(const ThreadSlots&) = delete;

  void* local();
  void each(const std::function<void(void*)>& call);

 private:
  struct Slots;
  std::unique_ptr<Slots> slots_;
};

template <class T>
class PerThread {
 public:
  PerThread() : PerThread([] { return std::make_shared<T>(); }) {}

  /// `make` returns a pointer to a new value that a std::shared_ptr<void> can own.
  explicit PerThread(ThreadSlots::Make make) : slots_(std::move(make)) {}

  T& local() { return *static_cast<T*>(slots_.local()); }

  /// Calls call(value) with the value of every thread that asked, none of which asks now.
  template <class Call>
  void each(Call call) {
    slots_.each([&](void* value) { call(*static_cast<T*>(value)); });
  }

 private:
  ThreadSlots slots_;
};

}  // namespace orderlab
