// CUDA kernels on the CPU: memory and launches of a simulated GPU that checks every access.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "orderlab/error.hpp"

namespace orderlab::simt {

/// Extent of a grid or a thread block, as CUDA's dim3.
struct Dim3 {
  unsigned x = 1;
  unsigned y = 1;
  unsigned z = 1;

  constexpr Dim3(unsigned x_count = 1, unsigned y_count = 1, unsigned z_count = 1)
      : x(x_count), y(y_count), z(z_count) {}
  constexpr std::size_t count() const { return std::size_t{x} * y * z; }
};

/// What a GPU is free to choose, drawn instead: a pure function of (seed, sample).
struct Schedule {
  std::uint64_t seed = 1;
  std::uint64_t sample = 0;
  std::string arrival = "uniform";  ///< arrival model of the order in which thread blocks start
  std::size_t resident = 1;         ///< thread blocks that run at once; whose atomic is done next is drawn
  bool in_turn = false;             ///< among threads that wait at atomics, the one with the lowest number is next
};

/// One addition to a float by an atomic: who did it, and what it added.
struct AtomicArrival {
  std::uint32_t block;   ///< linear index of the thread block in the grid
  std::uint32_t thread;  ///< linear index of the thread in its thread block
  double added = 0;      ///< what it added; every number of the atomics' formats is a double

  friend bool operator==(const AtomicArrival&, const AtomicArrival&) = default;
};

/// A kernel with its arguments: memory that its threads may read, and what each of them runs on it.
struct KernelCall {
  const void* parameters;
  std::size_t bytes;
  void (*run)(const void* parameters);
  const void* kernel;
  std::size_t max_threads;  ///< its __launch_bounds__; 0: none known
  /// The same without calls that tell of accesses, for thread blocks that are not checked; null: there is none.
  void (*run_unchecked)(const void* parameters) = nullptr;
};

/// Undefined behaviour of a kernel: one line with the kernel, thread block, thread, what it did and where.
class Fault : public Error {
 public:
  explicit Fault(const std::string& message, std::string place = {})
      : Error(ErrorKind::device, message), place_(std::move(place)) {}

  /// "FILE:LINE" of the source; empty where it is not known.
  const std::string& place() const { return place_; }

 private:
  std::string place_;
};

namespace detail {

// The linker's names of the addresses that g++ records for __launch_bounds__ of cuda_on_host.hpp, in this module.
[[gnu::weak,
  gnu::visibility("hidden")]] extern const std::uintptr_t kFirstPatch[] __asm__("__start___patchable_function_entries");
[[gnu::weak,
  gnu::visibility("hidden")]] extern const std::uintptr_t kLastPatch[] __asm__("__stop___patchable_function_entries");

#if defined(__x86_64__)
inline constexpr unsigned char kNoOperation[] = {0x90};
#elif defined(__aarch64__) && !defined(__AARCH64EB__)
inline constexpr unsigned char kNoOperation[] = {0x1F, 0x20, 0x03, 0xD5};
#else
inline constexpr unsigned char kNoOperation[] = {0};
#endif

/// First argument of a kernel's __launch_bounds__: the number of instructions in front of it, which do nothing. 0:
/// none.
inline std::size_t max_threads(const void* kernel) {
  constexpr std::size_t kMost = 1024;
  const auto* const entry = static_cast<const unsigned char*>(kernel);
  for (const std::uintptr_t* patch = kFirstPatch; patch != kLastPatch; ++patch) {
    const std::size_t bytes = reinterpret_cast<std::uintptr_t>(kernel) - *patch;
    if (bytes == 0 || bytes > kMost * sizeof kNoOperation) continue;
    bool nothing_between = true;
    for (std::size_t i = 0; i < bytes; ++i)
      nothing_between = nothing_between && *(entry - bytes + i) == kNoOperation[i % sizeof kNoOperation];
    if (nothing_between) return bytes / sizeof kNoOperation;
  }
  return 0;
}

}  // namespace detail

/// What launches of this program could not check so far, as one line; empty: all was checked. Static shared arrays need
/// the symbol table of the program and a build with libdw; conflicts need 16 times the memory of an array, or more.
std::string unchecked();

/// A simulated GPU: device memory with exact bounds, and launches. Use one from one OS thread at a time; different
/// ones may run in parallel.
///
/// Barriers, shuffles and votes are those of CUDA since sm_70: over the threads that exist and have not ended, whatever
/// else a mask names. What a thread did before it ended is ordered by no barrier that it took no part in.
///
/// Without order, and yet no conflict: lanes of one warp that write the same value; a plain read of a cell in
/// front of an atomicCAS on it by the same thread; volatile accesses and atomics among themselves, if a volatile write
/// has a fence in front of it.
///
/// Errors: launch throws Fault at the first undefined behaviour: a shuffle from a lane that takes no part in it,
///         barriers of a thread block at different places, an access outside the arrays of device or shared memory, a
///         write to an input, a read of memory that nothing has written, a conflict between threads that no
///         barrier, atomic or fence orders. The device can be used after it; what the kernel had written stays.
class Device {
 public:
  explicit Device(Schedule schedule = {});
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  // Arrays live as long as the device. A `name` stands in messages; without one, arrays are counted from 0.

  /// A read-only array in device memory holding `values`.
  template <class T>
  const T* input(std::span<const T> values, std::string_view name = {}) {
    return static_cast<const T*>(allocate(values.data(), values.size_bytes(), Kind::input, name));
  }

  /// An array of `count` zeros in device memory.
  template <class T>
  T* zeros(std::size_t count, std::string_view name = {}) {
    return static_cast<T*>(allocate(nullptr, count * sizeof(T), Kind::zeros, name));
  }

  /// An array of `count` times `value` in device memory.
  template <class T>
  T* filled(std::size_t count, const T& value, std::string_view name = {}) {
    return copy(std::span<const T>(std::vector<T>(count, value)), name);
  }

  /// An array in device memory that holds `values` and can be written.
  template <class T>
  T* copy(std::span<const T> values, std::string_view name = {}) {
    static_assert(std::is_trivially_copyable_v<T>);
    return static_cast<T*>(allocate(values.data(), values.size_bytes(), Kind::copy, name));
  }

  /// An array of `count` values that nothing has set, as cudaMalloc leaves it: a kernel that reads one before it writes
  /// it is at fault. Read from the host, all their bits are 1: NaN, or -1.
  template <class T>
  T* uninitialised(std::size_t count, std::string_view name = {}) {
    return static_cast<T*>(allocate(nullptr, count * sizeof(T), Kind::uninitialised, name));
  }

  /// Copies `count` values from an array of device memory, or from a __device__ variable: its values on this device.
  template <class T>
  std::vector<T> read(const T* array, std::size_t count) const {
    static_assert(std::is_trivially_copyable_v<T>);
    std::vector<T> values(count);
    copy_out(array, values.data(), count * sizeof(T));
    return values;
  }

  /// The one value of an array of device memory that a kernel left as its result.
  template <class T>
  T result(const T* value) const {
    return read(value, 1)[0];
  }

  /// Runs kernel<<<grid, block, shared_bytes>>>(arguments...) to its end.
  ///
  /// Shape: CUDA's limits of grids, thread blocks and shared memory, and __launch_bounds__ (known where g++ compiled
  ///        the kernel), else Error(usage).
  /// `name` stands in the message of a Fault.
  template <class... Parameters, class... Values>
  void launch(std::string_view name, void (*kernel)(Parameters...), Dim3 grid, Dim3 block, std::size_t shared_bytes,
              Values... values) {
    const auto thread = [=] { kernel(static_cast<Parameters>(values)...); };
    using Closure = decltype(thread);
    run(name, grid, block, shared_bytes,
        {&thread, sizeof thread, [](const void* parameters) { (*static_cast<Closure*>(parameters))(); },
         reinterpret_cast<const void*>(kernel), detail::max_threads(reinterpret_cast<const void*>(kernel))});
  }

  /// The same as cudaLaunchCooperativeKernel does it: all thread blocks of the grid run at once, whatever
  /// Schedule::resident says, so that they may wait for each other: cooperative_groups_on_host.hpp. Whether a GPU has
  /// room for such a grid is not checked.
  template <class... Parameters, class... Values>
  void launch_cooperative(std::string_view name, void (*kernel)(Parameters...), Dim3 grid, Dim3 block,
                          std::size_t shared_bytes, Values... values) {
    next_is_cooperative();
    launch(name, kernel, grid, block, shared_bytes, values...);
  }

  /// Lets launches of `kernel` have up to `bytes` bytes of dynamic shared memory, more than 48 KiB where __CUDA_ARCH__
  /// has more: cudaFuncSetAttribute with cudaFuncAttributeMaxDynamicSharedMemorySize. Errors: usage for more than that.
  template <class... Parameters>
  void allow_dynamic_shared(void (*kernel)(Parameters...), std::size_t bytes) {
    allow(reinterpret_cast<const void*>(kernel), bytes);
  }

  /// Lets launches add products as the tensor cores of this GPU do, whatever __CUDA_ARCH__ is: 700, 750, 800, 890, 900,
  /// 1000 or 1200 (orderlab/tensor_cores.hpp). Without this, and for 0: 900, an H100.
  void use_tensor_cores_of(unsigned architecture);

  /// Every atomic addition to a float of the launches so far, in the order in which they were done.
  const std::vector<AtomicArrival>& atomic_arrivals() const;

 private:
  enum class Kind : std::uint8_t { input, copy, zeros, uninitialised };
  void* allocate(const void* values, std::size_t bytes, Kind kind, std::string_view name);
  void allow(const void* kernel, std::size_t bytes);
  void copy_out(const void* array, void* values, std::size_t bytes) const;
  void next_is_cooperative();
  void run(std::string_view name, Dim3 grid, Dim3 block, std::size_t shared_bytes, const KernelCall& call);

  class State;
  std::unique_ptr<State> state_;
};

}  // namespace orderlab::simt
