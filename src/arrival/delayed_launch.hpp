// Launch order with every thread block delayed by some positions.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace orderlab {

/// Sets `order` to the launch indices i sorted by i + delay(i), ties by i. `delay` gives no NaN.
template <class Delay>
void delayed_launch(std::span<std::uint32_t> order, Delay delay) {
  struct Delayed {
    double position;
    std::uint32_t index;

    bool operator<(const Delayed& other) const {
      if (position < other.position) return true;
      return !(other.position < position) && index < other.index;
    }
  };
  std::vector<Delayed> delayed(order.size());
  for (std::size_t i = 0; i < delayed.size(); ++i)
    delayed[i] = {static_cast<double>(i) + delay(i), static_cast<std::uint32_t>(i)};
  std::sort(delayed.begin(), delayed.end());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = delayed[k].index;
}

}  // namespace orderlab
