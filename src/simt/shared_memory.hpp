// Shared memory: the thread-local variables of one OS thread, in turn those of each resident thread block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "simt/image.hpp"
#include "simt/shadow.hpp"

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
  std::vector<Shadow> shadows_;  ///< of each region
};

/// A place in shared memory.
struct SharedPlace {
  MemoryRange region;
  std::size_t number;  ///< of the region
  std::size_t offset;
};

/// The shared memory of one OS thread: a region for each module with kernels.
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

  /// The dynamic array that holds `address` or ends before it within the memory reserved for it; null otherwise.
  const MemoryRange* dynamic_array(const void* address) const;
  std::size_t dynamic_bytes() const { return dynamic_bytes_; }

 private:
  std::vector<MemoryRange> regions_;
  std::vector<MemoryRange> dynamic_arrays_;
  std::size_t dynamic_bytes_ = 0;
  SharedPlace place_{};
};

}  // namespace orderlab::simt
