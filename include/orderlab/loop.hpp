// Loops over independent parts of a task, which may run at once.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>

namespace orderlab {

/// Calls body(0), ..., body(count - 1), each once, in any order or at once; returns when all are done. Errors: what a
/// body throws.
using Loop = std::function<void(std::size_t count, const std::function<void(std::size_t part)>& body)>;

/// The loop on one thread.
inline void serial_loop(std::size_t count, const std::function<void(std::size_t part)>& body) {
  for (std::size_t part = 0; part < count; ++part) body(part);
}

/// Calls body(first, count) for parts of n items, `most` in each but the last.
template <class Body>
void loop_over(std::size_t n, const Loop& loop, const Body& body, std::size_t most = std::size_t{1} << 18) {
  loop((n + most - 1) / most, [&](std::size_t part) {
    const std::size_t first = part * most;
    body(first, std::min(most, n - first));
  });
}

}  // namespace orderlab
