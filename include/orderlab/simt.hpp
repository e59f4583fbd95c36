// CUDA kernels on the CPU: memory and launches of a simulated GPU that checks every access.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
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
  std::size_t resident = 1;         ///< thread blocks that run at once; their warps take turns in a drawn order
};

/// One addition to a float by an atomic: who did it, and what it added.
struct AtomicArrival {
  std::uint32_t block;   ///< linear index of the thread block in the grid
  std::uint32_t thread;  ///< linear index of the thread in its thread block
  double added = 0;      ///< what it added; every number of the atomics' formats is a double

  friend bool operator==(const AtomicArrival&, const AtomicArrival&) = default;
};

/// Undefined behaviour of a kernel: one line with the kernel, thread block, thread, what it did and where.
class Fault : public Error {
 public:
  explicit Fault(const std::string& message) : Error(ErrorKind::device, message) {}
};

/// A simulated GPU: device memory with exact bounds, and launches. Use one from one OS thread at a time; different
/// ones may run in parallel.
///
/// Barriers, shuffles and votes are those of CUDA since sm_70: over the threads that exist and have not ended, whatever
/// else a mask names. What a thread did before it ended is ordered by no barrier that it took no part in.
///
/// Errors: launch throws Fault at the first undefined behaviour: a shuffle from a lane that takes no part in it,
///         barriers of a thread block at different places, an access outside the arrays of device or shared memory, a
///         write to an input, a read of shared memory that nothing has written, a conflict between threads that no
///         barrier, atomic or fence orders. The device can be used after it; what the kernel had written stays.
class Device {
 public:
  explicit Device(Schedule schedule = {});
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  /// A read-only array in device memory holding `values`. Lives as long as the device, as all arrays do.
  template <class T>
  const T* input(std::span<const T> values) {
    return static_cast<const T*>(allocate(values.data(), values.size_bytes(), false));
  }

  /// An array of `count` zeros in device memory.
  template <class T>
  T* zeros(std::size_t count) {
    return static_cast<T*>(allocate(nullptr, count * sizeof(T), true));
  }

  /// Copies `count` values from an array of device memory.
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
  /// Shape: 1 to 1024 threads a thread block, at least one thread block, else Error(usage).
  /// `name` stands in the message of a Fault.
  template <class... Parameters, class... Values>
  void launch(std::string_view name, void (*kernel)(Parameters...), Dim3 grid, Dim3 block, std::size_t shared_bytes,
              Values... values) {
    const auto thread = [=] { kernel(static_cast<Parameters>(values)...); };
    using Closure = decltype(thread);
    run(name, grid, block, shared_bytes,
        {&thread, sizeof thread, [](const void* parameters) { (*static_cast<Closure*>(parameters))(); }});
  }

  /// Every atomic addition to a float of the launches so far, in the order in which they were done.
  const std::vector<AtomicArrival>& atomic_arrivals() const;

 private:
  void* allocate(const void* values, std::size_t bytes, bool writable);
  void copy_out(const void* array, void* values, std::size_t bytes) const;

  /// A kernel with its arguments: memory that its threads may read, and what each of them runs on it.
  struct Thread {
    const void* parameters;
    std::size_t bytes;
    void (*run)(const void* parameters);
  };
  void run(std::string_view name, Dim3 grid, Dim3 block, std::size_t shared_bytes, const Thread& thread);

  class State;
  std::unique_ptr<State> state_;
};

}  // namespace orderlab::simt
