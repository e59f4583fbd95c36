// Work that can be stopped, and that says how far it is, wherever in it the time goes: functions in between neither
// pass on a token nor know of it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <stop_token>

#include "orderlab/stopped.hpp"

namespace orderlab {

/// Until it ends, a stop ends what this thread does: stop_point() throws Stopped. A loop of engine/arena.hpp takes it
/// along to its threads.
class Stoppable {
 public:
  /// Called by passes, from one thread at a time.
  using Advances = std::function<void(std::uint64_t done, std::uint64_t total)>;

  explicit Stoppable(std::stop_token stop, Advances advances = {});
  ~Stoppable();
  Stoppable(const Stoppable&) = delete;
  Stoppable& operator=(const Stoppable&) = delete;

  /// Null where nobody stops this thread.
  static Stoppable* current();

 private:
  friend class Pass;
  friend class Joined;
  friend void stop_point();

  Stoppable* outer_;
  std::stop_token stop_;
  Advances advances_;
  std::mutex mutex_;  ///< of the calls, and of what passes count
  bool passing_ = false;
};

/// Until it ends, this thread does a part of work that began on another one.
class Joined {
 public:
  explicit Joined(Stoppable* work);
  ~Joined();
  Joined(const Joined&) = delete;
  Joined& operator=(const Joined&) = delete;

 private:
  Stoppable* before_;
};

/// Throws Stopped where a stop of this thread's work was requested. Costs some nanoseconds.
void stop_point();

/// A pass over `total` items. Of passes within a pass, the outer one says how far the work is.
class Pass {
 public:
  explicit Pass(std::uint64_t total);
  ~Pass();
  Pass(const Pass&) = delete;
  Pass& operator=(const Pass&) = delete;

  /// So many more items are done, on any thread. A stop point too.
  void did(std::uint64_t items);

 private:
  Stoppable* work_;  ///< null where it says nothing
  std::uint64_t total_;
  std::uint64_t done_ = 0;
};

/// Calls body(first, count) for consecutive chunks of n items, which are a pass.
template <class Body>
void in_chunks(std::size_t n, const Body& body, std::size_t most = std::size_t{1} << 16) {
  Pass pass(n);
  for (std::size_t first = 0; first < n; first += most) {
    const std::size_t count = std::min(most, n - first);
    body(first, count);
    pass.did(count);
  }
}

/// Calls body(0) ... body(n - 1), which are a pass.
template <class Body>
void each_in_pass(std::size_t n, const Body& body) {
  constexpr std::size_t kAtOnce = std::size_t{1} << 12;  // items of some microseconds are still few
  in_chunks(
      n,
      [&](std::size_t first, std::size_t count) {
        for (std::size_t i = first; i < first + count; ++i) body(i);
      },
      kAtOnce);
}

/// std::sort, whose comparisons are stop points.
template <class Iterator, class Less = std::less<>>
void stoppable_sort(Iterator begin, Iterator end, Less less = {}) {
  constexpr std::uint64_t kAtOnce = std::uint64_t{1} << 12;
  std::uint64_t comparisons = 0;
  std::sort(begin, end, [&](const auto& a, const auto& b) {
    if (++comparisons % kAtOnce == 0) stop_point();
    return less(a, b);
  });
}

}  // namespace orderlab
