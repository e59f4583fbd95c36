// One launch, as the machine that runs it is told of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orderlab/simt_thread.hpp"
#include "simt/device_memory.hpp"
#include "vectors/permutation.hpp"

namespace orderlab::simt {

/// Threads of several warps that wrote the same value to one place, without order: for a person.
struct EqualWrites {
  std::string place;  ///< FILE:LINE; empty where it is not known
  std::string text;
};

/// All of one launch that stays the same while it runs.
struct Launch {
  std::string_view name;
  Dim3 grid;
  Dim3 block;
  std::size_t shared_bytes;
  std::size_t shared_limit;  ///< limit for static and dynamic shared memory together
  MemoryRange parameters;
  void (*thread)(const void* parameters);
  void (*unchecked_thread)(const void* parameters);  ///< of thread blocks that are not checked
  DeviceMemory* memory;
  std::uint64_t number;                  ///< from 1, of the launches of this device
  std::span<const std::uint32_t> order;  ///< in which the thread blocks start
  const std::vector<bool>* checked;      ///< by place in the order, whether accesses are checked; null: all are
  std::size_t resident;
  bool in_turn;               ///< atomics are not drawn: the next is that of the lowest thread that waits
  bool cooperative;           ///< all thread blocks are resident
  bool warp_synchronous;      ///< lanes of a warp access memory in step
  unsigned tensor_cores;      ///< architecture of the GPU whose tensor cores add
  std::uint64_t* generation;  ///< generation of the records of device memory: a barrier of the grid orders all of them
  RandomStream turns;         ///< draws whose turn it is
  std::vector<AtomicArrival>* arrivals;
  std::uint64_t* exchanges;                ///< counts atomicCAS and atomicExch that changed a value
  std::vector<EqualWrites>* equal_writes;  ///< null: these are conflicts
};

}  // namespace orderlab::simt
