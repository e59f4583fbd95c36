// What the callers of thrust::reduce do alike. CUDA only.
#pragma once

#include <thrust/reduce.h>
#include <thrust/system/cuda/execution_policy.h>
#include <thrust/system_error.h>

#include <string>
#include <string_view>

#include "cuda/cub_device_sum.cuh"

namespace orderlab::cuda {

/// Gives Thrust its temporary storage, and records how much it requested.
template <class Device>
class TemporaryStorage {
 public:
  using value_type = char;

  explicit TemporaryStorage(Device& device) : device_(device) {}

  char* allocate(std::ptrdiff_t count) {
    bytes_ += static_cast<std::size_t>(count);
    return device_.template scratch<char>(static_cast<std::size_t>(count));
  }
  void deallocate(char*, std::size_t) {}  // the device keeps it to the end of the run

  std::size_t bytes() const { return bytes_; }

 private:
  Device& device_;
  std::size_t bytes_ = 0;
};

/// thrust::reduce of the terms from `first` on. Its storage is cub's and room for the sum in front.
template <class T, class Device, class Iterator>
RunResult<T> thrust_sum(Device& device, const RunInput<T>& in, std::string_view name, Iterator first) try {
  TemporaryStorage<Device> storage(device);
  const T sum =
      thrust::reduce(thrust::cuda::par(storage), first, first + static_cast<std::ptrdiff_t>(in.x.size()), T{});
  const std::size_t bytes = storage.bytes() - sizeof(T);
  return {
      .sum = sum, .shape = with_cub_grid<T>(in.shape, bytes, device.multiprocessors(), name), .temporary_bytes = bytes};
} catch (const thrust::system_error& error) {
  throw Error(ErrorKind::device, std::string(name) + ": " + error.what());
}

}  // namespace orderlab::cuda
