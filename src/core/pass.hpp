// Loops that can be stopped and report their progress, at any depth.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>

#include "core/stop.hpp"

namespace orderlab {

/// While it lives, passes that begin on this thread tell `advances`, from one thread at a time, how far they are.
class PassScope {
 public:
  using Advances = std::function<void(std::uint64_t done, std::uint64_t total)>;

  explicit PassScope(Advances advances);
  ~PassScope();
  PassScope(const PassScope&) = delete;
  PassScope& operator=(const PassScope&) = delete;

 private:
  friend class Pass;

  PassScope* before_;
  Advances advances_;
  bool passing_ = false;
};

/// A pass over `total` items. Of passes within a pass only the outer one is told.
class Pass {
 public:
  explicit Pass(std::uint64_t total);
  ~Pass();
  Pass(const Pass&) = delete;
  Pass& operator=(const Pass&) = delete;

  /// So many more items are done, on any thread. A stop point too.
  void did(std::uint64_t items);

 private:
  PassScope* told_;  ///< null: nobody
  std::uint64_t total_;
  std::mutex mutex_;
  std::uint64_t done_ = 0;
};

/// Calls body(first, count) for consecutive chunks of n items, which are a pass.
template <class Body>
void in_chunks(std::size_t n, const Body& body, std::size_t most = kStepsBetweenStops) {
  Pass pass(n);
  for (std::size_t first = 0; first < n; first += most) {
    const std::size_t count = std::min(most, n - first);
    body(first, count);
    pass.did(count);
  }
}

/// Calls body(0) ... body(n - 1), which are a pass. An item takes about so many quick steps.
template <class Body>
void each_in_pass(std::size_t n, const Body& body, std::size_t steps = 16) {
  in_chunks(
      n,
      [&](std::size_t first, std::size_t count) {
        for (std::size_t i = first; i < first + count; ++i) body(i);
      },
      std::max<std::size_t>(1, kStepsBetweenStops / std::max<std::size_t>(1, steps)));
}

/// std::sort, whose comparisons are stop points.
template <class Iterator, class Less = std::less<>>
void stoppable_sort(Iterator begin, Iterator end, Less less = {}) {
  StopCounter comparisons;
  std::sort(begin, end, [&](const auto& a, const auto& b) {
    comparisons.step();
    return less(a, b);
  });
}

}  // namespace orderlab
