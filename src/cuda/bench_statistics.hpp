// What prices are made of: medians of times, the shape a kernel is timed in. Plain C++.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "orderlab/kernel.hpp"

namespace orderlab::cuda {

/// The middle one of `values`, or the mean of the middle two. Shape: not empty.
inline double median(std::vector<double> values) {
  const std::size_t middle = values.size() / 2;
  const auto upper = values.begin() + static_cast<std::ptrdiff_t>(middle);
  std::nth_element(values.begin(), upper, values.end());
  if (values.size() % 2 == 1) return *upper;
  return (*std::max_element(values.begin(), upper) + *upper) / 2;
}

/// GB/s (10^9) of `bytes` in `seconds`.
constexpr double gigabytes_per_second(double bytes, double seconds) { return bytes / seconds / 1e9; }

/// The shape in which a kernel is timed: 256 threads a thread block, and where the kernel strides over the terms, 8
/// thread blocks a multiprocessor, which is all the threads that one holds. Nothing for kernels of one thread block
/// only, whose price says nothing of a whole GPU, and for those of many outputs or of mixed formats.
inline std::optional<LaunchShape> price_shape(const KernelInfo& kernel, unsigned multiprocessors) {
  constexpr unsigned kThreads = 256;
  constexpr unsigned kResident = 8;
  const auto is_one = [](unsigned grid) { return grid == 1; };
  const auto is_set = [](unsigned grid) { return grid != 0; };
  if (kernel.outputs != nullptr || kernel.formats.empty()) return std::nullopt;
  if (std::ranges::all_of(kernel.shapes, is_one, &LaunchShape::grid)) return std::nullopt;
  const bool strides = std::ranges::any_of(kernel.shapes, is_set, &LaunchShape::grid);
  return LaunchShape{kThreads, kernel.shapes.front().items, strides ? kResident * multiprocessors : 0};
}

}  // namespace orderlab::cuda
