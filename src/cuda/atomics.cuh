// Adding to a shared sum with one float atomic, with or without a record of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "orderlab/kernel.hpp"

namespace orderlab::cuda {

/// Where a recording kernel writes. All arrays have one place for each arriving unit.
template <class T>
struct Recording {
  T* returned;
  std::uint32_t* tickets;
  unsigned* next_ticket;
};

/// Adds `value` to `*sum` atomically. A recording kernel keeps what the atomic returned, and takes a ticket just
/// before; without a record the value is not returned at all, as in an ordinary kernel.
template <bool kRecord, class T>
__device__ void add_atomically(T* sum, T value, std::size_t unit, const Recording<T>& recording) {
  if constexpr (kRecord) {
    recording.tickets[atomicAdd(recording.next_ticket, 1U)] = static_cast<std::uint32_t>(unit);
    recording.returned[unit] = atomicAdd(sum, value);
  } else {
    atomicAdd(sum, value);
  }
}

/// Runs a kernel whose `units` units add to one zeroed sum. `launch(record, sum, recording)` launches it, recording
/// where `record` is std::true_type.
template <class T, class Device, class Launch>
RunResult<T> run_atomic(Device& device, const RunInput<T>& in, std::size_t units, Launch launch) {
  RunResult<T> result{.shape = in.shape};
  T* const sum = device.template zeros<T>(1, "sum");
  if (!in.record) {
    launch(std::false_type{}, sum, Recording<T>{});
    result.sum = device.result(sum);
    return result;
  }
  const Recording<T> recording{device.template zeros<T>(units), device.template zeros<std::uint32_t>(units),
                               device.template zeros<unsigned>(1)};
  launch(std::true_type{}, sum, recording);
  result.sum = device.result(sum);
  result.returned = device.read(recording.returned, units);
  result.tickets = device.read(recording.tickets, units);
  return result;
}

}  // namespace orderlab::cuda
