// The GPU as kernels' host code sees it: the same members as the simulated device of src/simt, and a few for libraries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cuda/check.cuh"
#include "cuda/gpu_memory.cuh"

namespace orderlab::cuda {

/// The current GPU for one run. Everything goes to the default stream, in order. Arrays live as long as `memory`.
class Gpu {
 public:
  explicit Gpu(GpuMemory& memory) : memory_(memory) {}

  /// A read-only array holding `values`, `shift` terms beyond a multiple of 256 bytes.
  template <class T>
  const T* input(std::span<const T> values, std::size_t shift = 0) {
    const void* const array = memory_.input(values.data(), values.size_bytes(), shift * sizeof(T));
    if (alignment_ == 0) alignment_ = alignment_of(array);
    return static_cast<const T*>(array);
  }

  // Names of arrays stand in messages of the simulated device only.
  template <class T>
  const T* input(std::span<const T> values, std::string_view) {
    return input(values);
  }

  /// An array of zeros.
  template <class T>
  T* zeros(std::size_t count, std::string_view = {}) {
    return static_cast<T*>(memory_.zeros(count * sizeof(T)));
  }

  /// An array that holds `values` and can be written.
  template <class T>
  T* copy(std::span<const T> values, std::string_view = {}) {
    T* const array = scratch<T>(values.size());
    check(cudaMemcpy(array, values.data(), values.size_bytes(), cudaMemcpyHostToDevice), "cudaMemcpy of an array");
    return array;
  }

  /// An array of `count` times `value`.
  template <class T>
  T* filled(std::size_t count, const T& value, std::string_view name = {}) {
    return copy(std::span<const T>(std::vector<T>(count, value)), name);
  }

  /// An array that holds anything.
  template <class T>
  T* uninitialised(std::size_t count, std::string_view = {}) {
    return scratch<T>(count);
  }
  template <class T>
  T* scratch(std::size_t count) {
    return static_cast<T*>(memory_.scratch(count * sizeof(T)));
  }

  /// Lets launches of `kernel` have up to `bytes` bytes of dynamic shared memory, as far as this GPU has them.
  template <class... Parameters>
  void allow_dynamic_shared(void (*kernel)(Parameters...), std::size_t bytes) {
    check(cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel), cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(bytes)),
          "cudaFuncSetAttribute of " + std::to_string(bytes) + " bytes of dynamic shared memory");
  }

  /// Copies `count` values to the host, after all that was launched.
  template <class T>
  std::vector<T> read(const T* array, std::size_t count) {
    std::vector<T> values(count);
    memory_.copy_out(values.data(), array, count * sizeof(T), false);
    return values;
  }

  /// The sum of a run.
  template <class T>
  T result(const T* sum) {
    T value{};
    memory_.copy_out(&value, sum, sizeof(T), true);
    return value;
  }

  /// Launches kernel<<<grid, block, shared_bytes>>>(arguments...).
  template <class... Parameters, class... Values>
  void launch(std::string_view name, void (*kernel)(Parameters...), unsigned grid, unsigned block,
              std::size_t shared_bytes, Values... values) {
    kernel<<<grid, block, shared_bytes>>>(static_cast<Parameters>(values)...);
    if (const cudaError_t status = cudaGetLastError(); status != cudaSuccess)  // no text is made in what prices time
      check(status, "launch of " + std::string(name) + " as " + std::to_string(grid) + " thread blocks of " +
                        std::to_string(block) + " threads");
  }

  /// Multiprocessors of this GPU.
  static unsigned multiprocessors() {
    int device = 0;
    int count = 0;
    check(cudaGetDevice(&device), "cudaGetDevice");
    check(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device), "cudaDeviceGetAttribute");
    return static_cast<unsigned>(count);
  }

  /// Alignment of the first input in bytes, at most 256; 0 where there was none.
  unsigned alignment() const { return alignment_; }

 private:
  static unsigned alignment_of(const void* array) {
    const auto address = reinterpret_cast<std::uintptr_t>(array) | 256;
    return static_cast<unsigned>(address & (~address + 1));
  }

  GpuMemory& memory_;
  unsigned alignment_ = 0;
};

}  // namespace orderlab::cuda
