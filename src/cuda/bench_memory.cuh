// Memory for timing: reserved once, so that a run pays for what its method does and not for cudaMalloc.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>

#include "cuda/gpu_memory.cuh"
#include "orderlab/error.hpp"

namespace orderlab::cuda {

/// Terms are on the device before: a request for `values` names them there. Arrays come from two pools, one of which
/// is cleared by a single memset at the start of a run, as much of it as the run before had asked for.
class BenchMemory final : public GpuMemory {
 public:
  /// Error(unsupported) from a run that asks for more than `pool_bytes` in either pool.
  explicit BenchMemory(std::size_t pool_bytes)
      : pool_bytes_(pool_bytes),
        zeros_(static_cast<std::byte*>(reserved_.scratch(pool_bytes))),
        scratch_(static_cast<std::byte*>(reserved_.scratch(pool_bytes))) {}

  /// Starts a run: all arrays are free again.
  void begin() {
    cleared_ = zeros_used_;
    zeros_used_ = 0;
    scratch_used_ = 0;
    if (cleared_ > 0) check(cudaMemsetAsync(zeros_, 0, cleared_), "cudaMemsetAsync");
  }

  const void* input(const void* values, std::size_t, std::size_t shift) override {
    return static_cast<const std::byte*>(values) + shift;
  }

  void* zeros(std::size_t bytes) override {
    std::byte* const array = take(zeros_, zeros_used_, bytes);
    if (zeros_used_ > cleared_) check(cudaMemsetAsync(array, 0, bytes), "cudaMemsetAsync");
    return array;
  }

  void* scratch(std::size_t bytes) override { return take(scratch_, scratch_used_, bytes); }

  void copy_out(void* to, const void* from, std::size_t bytes, bool is_result) override {
    if (!is_result) check(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost), "cudaMemcpy of results");
  }

 private:
  std::byte* take(std::byte* pool, std::size_t& used, std::size_t bytes) const {
    constexpr std::size_t kAlignment = 256;
    const std::size_t rounded = (bytes + kAlignment - 1) / kAlignment * kAlignment;
    if (rounded > pool_bytes_ - used)
      throw Error(ErrorKind::unsupported, "a timed run asks for more than " + std::to_string(pool_bytes_) +
                                              " bytes of device memory; time fewer terms");
    std::byte* const array = pool + used;
    used += rounded;
    return array;
  }

  FreshMemory reserved_;
  std::size_t pool_bytes_;
  std::byte* zeros_;
  std::byte* scratch_;
  std::size_t zeros_used_ = 0;
  std::size_t scratch_used_ = 0;
  std::size_t cleared_ = 0;
};

/// Buffers of terms on the device, taken in turn so that none is still in a cache.
class TermBuffers {
 public:
  /// Each holds `bytes`, and 256 more for a shifted input; filled with `pattern` again and again.
  TermBuffers(std::size_t bytes, std::size_t cache_bytes, const std::vector<std::byte>& pattern)
      : stride_((bytes + 511) / 256 * 256),
        count_(std::max<std::size_t>(2, 2 * cache_bytes / stride_ + 1)),  // two: products need other factors
        buffers_(static_cast<std::byte*>(reserved_.scratch(count_ * stride_))) {
    const std::size_t total = count_ * stride_;
    check(cudaMemcpy(buffers_, pattern.data(), std::min(total, pattern.size()), cudaMemcpyHostToDevice), "cudaMemcpy");
    for (std::size_t filled = pattern.size(); filled < total; filled *= 2)
      check(cudaMemcpy(buffers_ + filled, buffers_, std::min(filled, total - filled), cudaMemcpyDeviceToDevice),
            "cudaMemcpy");
  }

  const std::byte* next() {
    const std::byte* const buffer = buffers_ + turn_ * stride_;
    turn_ = (turn_ + 1) % count_;
    return buffer;
  }

 private:
  FreshMemory reserved_;
  std::size_t stride_;
  std::size_t count_;
  std::byte* buffers_;
  std::size_t turn_ = 0;
};

}  // namespace orderlab::cuda
