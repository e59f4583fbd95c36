// What the callers of cub::DeviceReduce do alike. CUDA only.
#pragma once

#include <cub/device/device_reduce.cuh>
#include <string>
#include <string_view>

#include "cuda/check.cuh"
#include "cuda/cub_grid.hpp"
#include "orderlab/kernel.hpp"

namespace orderlab::cuda {

/// `shape` with the grid that `bytes` of temporary storage for sums of T tell.
template <class T>
LaunchShape with_cub_grid(LaunchShape shape, std::uint64_t bytes, unsigned multiprocessors, std::string_view name) {
  const auto grid = cub_grid(bytes, sizeof(T), multiprocessors);
  if (!grid)
    throw Error(ErrorKind::unsupported,
                std::string(name) + ": " + std::to_string(bytes) +
                    " bytes of temporary storage do not tell the grid on a GPU of " + std::to_string(multiprocessors) +
                    " multiprocessors; this was written for CUB 3.0.1, this is " + std::to_string(CUB_VERSION));
  shape.grid = *grid;
  return shape;
}

/// cub::DeviceReduce::Sum of terms that lie `shift` terms beyond an aligned address.
template <class T, class Device>
RunResult<T> cub_device_sum(Device& device, const RunInput<T>& in, std::string_view name, std::size_t shift) {
  const T* const x = device.input(in.x, shift);
  T* const sum = device.template scratch<T>(1);
  std::size_t bytes = 0;
  check(cub::DeviceReduce::Sum(nullptr, bytes, x, sum, in.x.size()), "size query of cub::DeviceReduce::Sum");
  std::byte* const storage = device.template scratch<std::byte>(bytes);
  check(cub::DeviceReduce::Sum(storage, bytes, x, sum, in.x.size()), "cub::DeviceReduce::Sum");
  return {.sum = device.result(sum),
          .shape = with_cub_grid<T>(in.shape, bytes, device.multiprocessors(), name),
          .temporary_bytes = bytes};
}

}  // namespace orderlab::cuda
