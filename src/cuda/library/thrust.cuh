// thrust::reduce over raw pointers, which keep the vector loads of cub::DeviceReduce.
#pragma once

#include <string>

#include "cuda/cub_grid.hpp"
#include "orderlab/kernel.hpp"

namespace orderlab::cuda {

struct Thrust {
  static constexpr KernelInfo info{.name = "thrust",
                                   .summary = "thrust::reduce over raw pointers",
                                   .source = "Thrust 3.0.1",
                                   .formats = kEveryFormat,
                                   .shapes = kCubDeviceShapes,
                                   .runs = Runs::gpu_only,
                                   .claim = [](const LaunchShape& shape, std::size_t) {
                                     return shape.grid == 0 ? "cub" : "cub(" + std::to_string(shape.grid) + ")";
                                   }};

  template <class T, class Device>
  static RunResult<T> run(Device& device, const RunInput<T>& in);
};

}  // namespace orderlab::cuda

#ifdef __CUDACC__
#include "cuda/thrust_sum.cuh"

template <class T, class Device>
orderlab::RunResult<T> orderlab::cuda::Thrust::run(Device& device, const RunInput<T>& in) {
  return thrust_sum(device, in, info.name, device.input(in.x));
}
#endif
