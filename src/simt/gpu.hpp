// A simulated GPU: its memory, and launches with what the schedule draws for them. What simt::Device and host programs
// share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "orderlab/arrival.hpp"
#include "orderlab/simt.hpp"
#include "simt/device_memory.hpp"
#include "simt/launch.hpp"

namespace orderlab::simt {

/// Which thread blocks of a launch are checked: the `first` to start, and `sampled` of the others, drawn.
struct CheckedBlocks {
  std::size_t first = ~std::size_t{0};
  std::size_t sampled = 0;
};

class Gpu {
 public:
  explicit Gpu(Schedule schedule);

  DeviceMemory memory;
  bool next_is_cooperative = false;
  bool warp_synchronous = false;  ///< lanes of a warp access memory in step, as before compute capability 7.0
  unsigned tensor_cores;
  CheckedBlocks checks;
  std::vector<AtomicArrival> arrivals;
  std::uint64_t exchanges = 0;      ///< atomicCAS and atomicExch that changed a value
  bool takes_equal_writes = false;  ///< threads of several warps that write the same value are no fault, but noted
  std::vector<EqualWrites> equal_writes;

  /// Error(usage) for more than the architecture has.
  void allow_dynamic_shared(const void* kernel, std::size_t bytes);

  /// Error(usage) for a launch that CUDA refuses.
  void check(std::string_view name, Dim3 grid, Dim3 block, std::size_t shared_bytes, const KernelCall& call,
             bool cooperative) const;

  /// The number of the latest launch, from 1.
  std::uint64_t launches() const { return launches_; }

  /// Runs all threads. Returns how many thread blocks were checked: all but where `checks` says less and one thread
  /// block is resident at a time. Errors: as Device::launch.
  std::size_t run(std::string_view name, Dim3 grid, Dim3 block, std::size_t shared_bytes, const KernelCall& call);

 private:
  RandomStream stream(std::uint64_t purpose) const;
  std::size_t choose_checked(std::size_t blocks);

  Schedule schedule_;
  ArrivalCall arrival_;
  std::map<const void*, std::size_t> dynamic_shared_;  ///< limits of kernels that have opted in to more
  std::vector<std::uint32_t> order_;
  std::vector<bool> checked_;  ///< by place in the order; empty: all
  std::uint64_t launches_ = 0;
  std::uint64_t generation_ = 0;  ///< launches, and barriers of the grid in them
};

}  // namespace orderlab::simt
