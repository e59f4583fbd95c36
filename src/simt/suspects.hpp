// What is kept of accesses of the running thread until it is known whether they are conflicts: see unordered.cpp.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "simt/shadow.hpp"

namespace orderlab::simt {

/// An access that is a conflict unless what follows shows that it is harmless.
struct Suspect {
  const void* address = nullptr;  ///< null: none
  std::size_t bytes = 0;
  std::uint16_t site = 0;
  Access other{};
};

/// Such a write.
struct Unsettled {
  Suspect access;
  std::array<std::byte, 64> before;  ///< what was there
  std::uint64_t suspects;            ///< bits of the bytes that another one wrote
  bool across_warps;                 ///< `access.other` is not of the same warp
};

/// Bytes of an access: what one cell records.
struct PartOfAccess {
  std::size_t begin;
  std::size_t bytes;
};

/// The readers of a cell before its last read.
struct SavedReads {
  Shadow* shadow;
  Cell* cell;
  bool any;  ///< else the rest does not count
  bool strong_reads;
  std::uint32_t readers;
  Access read;
  MoreAccesses more;
};

/// The last plain read of up to 8 bytes.
struct LastRead {
  const void* address = nullptr;
  std::size_t bytes = 0;
  std::size_t count = 0;
  std::array<SavedReads, 2> saved;
};

}  // namespace orderlab::simt
