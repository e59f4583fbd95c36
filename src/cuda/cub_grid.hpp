// The grid of cub::DeviceReduce, read back from the temporary storage that it asks for. Plain C++.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "orderlab/kernel.hpp"

namespace orderlab::cuda {

/// Shape that the claims of DeviceReduce are made of: 256 threads in every format (Policy600), and the grid at most.
inline constexpr LaunchShape kCubDeviceShapes[] = {{256}};

/// Thread blocks that cub::DeviceReduce launches at most, from the answer `bytes` to its query: room for one sum of
/// `sum_bytes` each, rounded up to 256, and 255 more. It is a multiple of 5 for each multiprocessor, which undoes the
/// rounding; nothing where two multiples fit, or none.
///
/// Shape:   1 where `bytes` is 1, the answer for terms of a single tile.
/// Source:  CUB 3.0.1, AliasTemporaries of util_temporary_storage.cuh; subscription factor of util_arch.cuh.
inline std::optional<unsigned> cub_grid(std::uint64_t bytes, std::size_t sum_bytes, unsigned multiprocessors) {
  constexpr std::uint64_t kAlignment = 256;
  constexpr std::uint64_t kSubscription = 5;
  if (bytes == 1) return 1;
  if (bytes < 2 * kAlignment - 1 || (bytes + 1) % kAlignment != 0) return std::nullopt;
  const std::uint64_t rounded = bytes - (kAlignment - 1);
  const std::uint64_t step = kSubscription * multiprocessors;
  const std::uint64_t blocks = rounded / sum_bytes / step * step;
  const auto fits = [&](std::uint64_t count) {
    return count > 0 && count * sum_bytes <= rounded && rounded - count * sum_bytes < kAlignment;
  };
  if (!fits(blocks) || fits(blocks - step)) return std::nullopt;
  return static_cast<unsigned>(blocks);
}

}  // namespace orderlab::cuda
