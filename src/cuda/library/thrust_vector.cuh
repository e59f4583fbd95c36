// thrust::reduce over the iterators of a device_vector, which are no pointers and so switch the vector loads off.
#pragma once

#include <string>

#include "cuda/cub_grid.hpp"
#include "orderlab/kernel.hpp"

namespace orderlab::cuda {

struct ThrustVector {
  static constexpr KernelInfo info{.name = "thrust_vector",
                                   .summary = "thrust::reduce over the iterators of a device_vector",
                                   .source = "Thrust 3.0.1",
                                   .formats = kEveryFormat,
                                   .shapes = kCubDeviceShapes,
                                   .runs = Runs::gpu_only,
                                   .claim = [](const LaunchShape& shape, std::size_t) {
                                     return shape.grid == 0 ? "thrust" : "thrust(" + std::to_string(shape.grid) + ")";
                                   }};

  template <class T, class Device>
  static RunResult<T> run(Device& device, const RunInput<T>& in);
};

}  // namespace orderlab::cuda

#ifdef __CUDACC__
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>

#include "cuda/thrust_sum.cuh"

namespace orderlab::cuda {

template <class T, class Device>
RunResult<T> ThrustVector::run(Device& device, const RunInput<T>& in) {
  // What a device_vector's begin() is, over memory of ours: filling a vector would be part of the price.
  const typename thrust::device_vector<T>::const_iterator first(thrust::device_pointer_cast(device.input(in.x)));
  return thrust_sum(device, in, info.name, first);
}

}  // namespace orderlab::cuda
#endif
