// Where the arrays of a launch lie: memory of their own for each run, so that no run sees what another left.
#pragma once

#include <cstddef>
#include <vector>

#include "cuda/check.cuh"

namespace orderlab::cuda {

/// Hands out arrays in device memory and copies them back. Addresses are multiples of 256, plus the requested shift.
class GpuMemory {
 public:
  GpuMemory() = default;
  GpuMemory(const GpuMemory&) = delete;
  GpuMemory& operator=(const GpuMemory&) = delete;
  virtual ~GpuMemory() = default;

  /// `bytes` bytes of `values` on the device, `shift` bytes beyond a multiple of 256.
  virtual const void* input(const void* values, std::size_t bytes, std::size_t shift) = 0;
  virtual void* zeros(std::size_t bytes) = 0;
  virtual void* scratch(std::size_t bytes) = 0;  ///< holds anything

  /// Copies to the host. `is_result`: the sum, which stays on the device.
  virtual void copy_out(void* to, const void* from, std::size_t bytes, bool is_result) = 0;
};

/// A cudaMalloc for every array, freed at the end.
class FreshMemory final : public GpuMemory {
 public:
  ~FreshMemory() override {
    for (void* array : arrays_) static_cast<void>(cudaFree(array));  // an earlier error comes back here, told already
  }

  const void* input(const void* values, std::size_t bytes, std::size_t shift) override {
    std::byte* const array = static_cast<std::byte*>(scratch(bytes + shift)) + shift;
    check(cudaMemcpy(array, values, bytes, cudaMemcpyHostToDevice), "cudaMemcpy of the terms");
    return array;
  }

  void* zeros(std::size_t bytes) override {
    void* const array = scratch(bytes);
    check(cudaMemset(array, 0, bytes), "cudaMemset");
    return array;
  }

  void* scratch(std::size_t bytes) override {
    void* array = nullptr;
    check(cudaMalloc(&array, bytes == 0 ? 1 : bytes), "cudaMalloc of " + std::to_string(bytes) + " bytes");
    arrays_.push_back(array);
    return array;
  }

  void copy_out(void* to, const void* from, std::size_t bytes, bool) override {
    check(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost), "cudaMemcpy of results");
  }

 private:
  std::vector<void*> arrays_;
};

}  // namespace orderlab::cuda
