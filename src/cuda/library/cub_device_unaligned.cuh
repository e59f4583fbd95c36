// cub::DeviceReduce::Sum over a pointer one term beyond an aligned one, which switches its vector loads off.
#pragma once

#include <string>

#include "cuda/cub_grid.hpp"
#include "orderlab/kernel.hpp"

namespace orderlab::cuda {

struct CubDeviceUnaligned {
  static constexpr KernelInfo kInfo{.name = "cub_device_unaligned",
                                    .summary = "cub::DeviceReduce::Sum, terms one element past an aligned address",
                                    .source = "CUB 3.0.1",
                                    .formats = kEveryFormat,
                                    .shapes = kCubDeviceShapes,
                                    .runs = Runs::gpu_only,
                                    .claim = [](const LaunchShape& shape, std::size_t) {
                                      return shape.grid == 0 ? "cub(load=striped)"
                                                             : "cub(" + std::to_string(shape.grid) + ",striped)";
                                    }};

  template <class T, class Device>
  static RunResult<T> run(Device& device, const RunInput<T>& in);
};

}  // namespace orderlab::cuda

#ifdef __CUDACC__
#include "cuda/cub_device_sum.cuh"

template <class T, class Device>
orderlab::RunResult<T> orderlab::cuda::CubDeviceUnaligned::run(Device& device, const RunInput<T>& in) {
  return cub_device_sum(device, in, kInfo.name, 1);
}
#endif
