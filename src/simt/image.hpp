// What the dynamic loader knows of an address: the module and the segment that it lies in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace orderlab::simt {

struct MemoryRange {
  std::byte* begin = nullptr;
  std::size_t bytes = 0;

  bool contains(const void* address, std::size_t length) const {
    const auto offset = static_cast<std::size_t>(static_cast<const std::byte*>(address) - begin);
    return offset < bytes && length <= bytes - offset;
  }
};

/// The program or a shared library, as it is loaded.
struct LoadedModule {
  std::string file;
  std::uintptr_t bias = 0;  ///< an address in memory minus that in the file
};

struct Segment : MemoryRange {
  LoadedModule module;
};

/// This OS thread's copy of the thread-local variables of the module that holds `address` among them.
std::optional<Segment> thread_local_segment(const void* address);

/// The segment of a loaded module that holds `address` and cannot be written.
std::optional<Segment> read_only_segment(const void* address);

/// The segment of a loaded module that holds `address`.
std::optional<Segment> segment_of(const void* address);

}  // namespace orderlab::simt
