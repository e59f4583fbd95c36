// What the dynamic loader knows of an address: the thread-local or read-only segment that it lies in.
#pragma once

#include <cstddef>
#include <optional>

namespace orderlab::simt {

struct MemoryRange {
  std::byte* begin = nullptr;
  std::size_t bytes = 0;

  bool contains(const void* address, std::size_t length) const {
    const auto offset = static_cast<std::size_t>(static_cast<const std::byte*>(address) - begin);
    return offset < bytes && length <= bytes - offset;
  }
};

/// This OS thread's copy of the thread-local variables of the module that holds `address` among them.
std::optional<MemoryRange> thread_local_segment(const void* address);

/// The segment of a loaded module that holds `address` and cannot be written.
std::optional<MemoryRange> read_only_segment(const void* address);

}  // namespace orderlab::simt
