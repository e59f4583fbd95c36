// What the tests of kernels share: devices with a schedule, and the message of a fault.
#pragma once

#include <string>
#include <utility>

#include "orderlab/cuda_on_host.hpp"

namespace orderlab::test {

/// Whether bounds of variables and lines are known here; cases that need them are skipped elsewhere.
inline constexpr bool kSymbolsAreKnown = ORDERLAB_SYMBOLS != 0;

inline simt::Schedule schedule(std::uint64_t sample, std::size_t resident = 1, const char* arrival = "uniform") {
  return {.seed = 20260101, .sample = sample, .arrival = arrival, .resident = resident};
}

/// The message of the fault that `launch` ends with; empty without one.
template <class Launch>
std::string fault_of(Launch&& launch) {
  try {
    std::forward<Launch>(launch)();
  } catch (const simt::Fault& fault) {
    return fault.what();
  }
  return {};
}

/// The fault of kernel<<<grid, block, shared_bytes>>>(device.zeros<T>(count)).
template <class T>
std::string fault_of(void (*kernel)(T*), simt::Dim3 grid, simt::Dim3 block, std::size_t count = 64,
                     std::size_t shared_bytes = 0, const simt::Schedule& how = schedule(0)) {
  simt::Device device(how);
  T* const array = device.zeros<T>(count);
  return fault_of([&] { device.launch("kernel", kernel, grid, block, shared_bytes, array); });
}

inline bool contains(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

}  // namespace orderlab::test
