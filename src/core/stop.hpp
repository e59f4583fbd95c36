// Stopping work from deep inside it, where no stop token is passed.
#pragma once

#include <cstddef>
#include <optional>
#include <stop_token>
#include <utility>

#include "orderlab/error.hpp"

namespace orderlab {

namespace detail {
inline thread_local constinit const std::stop_token* stop_of_this_thread = nullptr;
}

/// While it lives, stop_point() of this thread asks `stop`, which has to outlive it, or where no stop of it can be
/// requested, what it asked before. Loops on several threads (engine/arena.hpp) hand it on to theirs.
class StopScope {
 public:
  explicit StopScope(const std::stop_token& stop) : StopScope(stop.stop_possible() ? &stop : current()) {}
  explicit StopScope(std::stop_token&&) = delete;

  /// As another thread has it; null: nothing stops.
  explicit StopScope(const std::stop_token* stop) : before_(std::exchange(detail::stop_of_this_thread, stop)) {}

  ~StopScope() { detail::stop_of_this_thread = before_; }
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;

  static const std::stop_token* current() { return detail::stop_of_this_thread; }

 private:
  const std::stop_token* before_;
};

/// Where nothing in it is to be cut: what has been found is worked out to its end.
class Unstopped : StopScope {
 public:
  Unstopped() : StopScope(nullptr) {}
};

/// Ends the work with Stopped if a stop was requested. Long loops call it every millisecond or so; it costs about as
/// much as ten additions.
inline void stop_point() {
  const std::stop_token* const stop = detail::stop_of_this_thread;
  if (stop != nullptr && stop->stop_requested()) throw Stopped{};
}

/// How many quick steps, of a few nanoseconds each, a loop does between two stop points.
inline constexpr std::size_t kStepsBetweenStops = std::size_t{1} << 16;

/// step(i) for i = begin .. end - 1, with stop points between long pieces. In each piece the compiler has a plain loop.
template <class Step>
void stoppable_loop(std::size_t begin, std::size_t end, Step step) {
  while (begin < end) {
    const std::size_t piece = end - begin > kStepsBetweenStops ? begin + kStepsBetweenStops : end;
    for (; begin < piece; ++begin) step(begin);
    if (begin < end) stop_point();
  }
}

/// The stop points of a loop over i.
inline void stop_point_at(std::size_t i) {
  if (i % kStepsBetweenStops == 0) stop_point();
}

/// A stop point at every kStepsBetweenStops-th call, for loops whose steps are not numbered.
class StopCounter {
 public:
  void step() {
    if (++steps_ % kStepsBetweenStops == 0) stop_point();
  }

 private:
  std::size_t steps_ = 0;
};

/// What work() returns; empty when it was stopped.
template <class Work>
auto unless_stopped(Work work) -> std::optional<decltype(work())> {
  try {
    return work();
  } catch (const Stopped&) {
    return std::nullopt;
  }
}

}  // namespace orderlab
