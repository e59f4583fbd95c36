// Memory that the host must not touch, or not now, and who is told where it does. Empty unless a host program runs.
#pragma once

#include <cstddef>

#include "simt/image.hpp"
#include "simt/shadow.hpp"

namespace orderlab::simt {

struct HostWatch {
  MemoryRange memory;
  MemoryRange shared;  ///< the host's own that kernels may be using now; empty: they are not
  void (*accessed)(const void* address, std::size_t bytes, AccessKind kind, const void* instruction) = nullptr;
  void (*changed_atomically)(const void* address) = nullptr;  ///< in `shared`, by an atomic of the host
};

/// Of accesses outside of kernels, by code compiled as kernels are.
extern constinit HostWatch host_watch;

}  // namespace orderlab::simt
