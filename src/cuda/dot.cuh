// What the dot products do alike.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "cuda/last_block.cuh"

namespace orderlab::cuda {

inline constexpr LaunchShape kDotShapes[] = {{128, 1, 6}, {256, 1, 2}, {64, 1, 40}};

/// The order of a grid-stride loop followed by finish_by_tree; `accumulate` is an option of `tile`.
inline std::string dot_claim(const LaunchShape& shape, std::size_t n, std::string_view accumulate) {
  const std::string b = std::to_string(shape.threads);
  return "tile(" + tile_arguments(shape, n) + std::string(accumulate) + ") | halving(" + b + ") | strided(" + b +
         ",from=zero) | halving(" + b + ")";
}

/// Runs kernel(x, y, n, block_sums, tickets, sum).
template <class T, class Device>
RunResult<T> run_dot(Device& device, const RunInput<T>& in, std::string_view name,
                     void (*kernel)(const T*, const T*, std::size_t, T*, unsigned*, T*)) {
  return run_last_block(device, in, [&](T* block_sums, unsigned* tickets, T* sum) {
    const unsigned b = in.shape.threads;
    device.launch(name, kernel, thread_blocks(in.shape, in.x.size()), b, b * sizeof(T), device.input(in.x, "x"),
                  device.input(in.y, "y"), in.x.size(), block_sums, tickets, sum);
  });
}

}  // namespace orderlab::cuda
