// Shared memory: the thread-local variables of one OS thread, in turn those of each resident thread block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "simt/image.hpp"
#include "simt/shadow.hpp"
#include "simt/symbols.hpp"

namespace orderlab::simt {

/// What one resident thread block has in shared memory.
class SharedImage {
 public:
  /// Nothing: a new thread block.
  void clear() { words_.clear(); }

  Shadow& shadow(std::size_t region, std::size_t bytes) {
    if (region >= shadows_.size()) shadows_.resize(region + 1);
    if (!shadows_[region]) shadows_[region] = Shadow(bytes);
    return shadows_[region];
  }

  /// Notes that the word at `address` is one that the thread block has written.
  void touch(std::byte* address) { words_.push_back({address, 0}); }

  void save();
  void restore() const;

 private:
  struct Word {
    std::byte* address;
    std::uint32_t value;
  };
  std::vector<Word> words_;
  std::vector<Shadow> shadows_;  ///< one for each region
};

/// A place in shared memory.
struct SharedPlace {
  MemoryRange region;
  std::size_t number;  ///< number of the region
  std::size_t offset;
};

/// The thread-local variables of one module with kernels.
struct SharedRegion : MemoryRange {
  const VariableTable* variables;   ///< null: their bounds are not known
  std::vector<std::uint64_t> used;  ///< for each variable, the last launch that used it
};

/// The shared memory of one OS thread: a region for each module with kernels. All dynamic arrays are one.
class SharedMemory {
 public:
  /// Forgets what the launch before allowed; dynamic arrays have `dynamic_bytes` bytes now.
  void begin_launch(std::size_t dynamic_bytes);

  /// Where `address` lies, if that is in the region that find met last; else null.
  const SharedPlace* at_hand(const void* address, std::size_t bytes) {
    if (!place_.region.contains(address, bytes)) return nullptr;
    place_.offset = static_cast<std::size_t>(static_cast<const std::byte*>(address) - place_.region.begin);
    return &place_;
  }

  /// Where `address` lies in the regions met so far, or null. Knows no bounds of arrays.
  const SharedPlace* find(const void* address, std::size_t bytes);

  /// The same with the help of the dynamic loader: slow.
  const SharedPlace* discover(const void* address, std::size_t bytes);

  enum class Use : std::uint8_t { allowed, of_the_compiler, out_of_bounds };

  /// Whether one array holds the `bytes` bytes at `place`, as far as that is known; notes that the launch uses it.
  Use use(const SharedPlace& place, std::size_t bytes);

  /// Whether the dynamic arrays are reserved memory that holds `address`.
  bool is_dynamic(const void* address) const { return dynamic_.contains(address, 1); }
  std::ptrdiff_t dynamic_offset(const void* address) const {
    return static_cast<const std::byte*>(address) - dynamic_.begin;
  }
  std::size_t dynamic_bytes() const { return dynamic_bytes_; }

  /// Bytes of the static arrays that the launch has used so far.
  std::size_t static_bytes() const { return static_bytes_; }

  /// " at byte 32 of static shared array "s" (kernel) of 32 bytes" of an address of shared memory.
  std::string describe(const void* address) const;

 private:
  std::vector<SharedRegion> regions_;
  MemoryRange dynamic_;
  std::size_t dynamic_bytes_ = 0;
  std::size_t static_bytes_ = 0;
  std::uint64_t launch_ = 0;
  SharedPlace place_{};
};

}  // namespace orderlab::simt
