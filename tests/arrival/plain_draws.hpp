// The arrival models that draw in bulk, in their plainest form: one number at a time, a heap, std::sort.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <queue>
#include <span>
#include <vector>

#include "arrival/random_numbers.hpp"
#include "arrival/service_time.hpp"
#include "orderlab/philox.hpp"

namespace orderlab::testing {

/// Sorts `order` by position, ties by number.
inline void sort_plainly(std::span<const double> positions, std::span<std::uint32_t> order) {
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return positions[a] < positions[b]; });
}

/// Launch indices by i + spread(i) N_i.
template <class Spread>
void delay_plainly(const RandomStream& stream, std::span<std::uint32_t> order, Spread spread) {
  std::vector<double> positions(order.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    positions[i] = static_cast<double>(i) + spread(i) * normal(stream.block(i));
  sort_plainly(positions, order);
}

/// The slots model with a heap of times.
inline void slots_plainly(std::uint64_t r, double cv, double stagger, const RandomStream& stream,
                          std::span<std::uint32_t> order) {
  const std::size_t m = order.size();
  const ServiceTime service(cv);
  std::priority_queue<double, std::vector<double>, std::greater<>> free_at;
  for (std::uint64_t j = 0; j < std::min<std::uint64_t>(r, m); ++j)
    free_at.push(stagger * static_cast<double>(j) / static_cast<double>(r));
  std::vector<double> ends(m);
  for (std::size_t i = 0; i < m; ++i) {
    ends[i] = free_at.top() + service(stream, i);
    free_at.pop();
    free_at.push(ends[i]);
  }
  sort_plainly(ends, order);
}

}  // namespace orderlab::testing
