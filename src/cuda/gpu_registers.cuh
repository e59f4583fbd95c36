// Registers of a GPU that say where and when a thread runs.
#pragma once

#include <cstdint>

namespace orderlab::cuda {

/// The volatile reads stay in the order written, among themselves and among accesses to memory.
struct GpuRegisters {
  /// Number of this multiprocessor, less than multiprocessor_ids().
  __device__ static unsigned multiprocessor() {
    unsigned id;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(id));
    return id;
  }

  __device__ static unsigned multiprocessor_ids() {
    unsigned ids;
    asm volatile("mov.u32 %0, %%nsmid;" : "=r"(ids));
    return ids;
  }

  /// Clock of this multiprocessor. No two need agree.
  __device__ static std::uint64_t cycles() {
    std::uint64_t cycles;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(cycles)::"memory");
    return cycles;
  }

  /// Clock of the GPU. It may advance in steps of a microsecond.
  __device__ static std::uint64_t nanoseconds() {
    std::uint64_t ns;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns)::"memory");
    return ns;
  }
};

}  // namespace orderlab::cuda
