// Releases of slots in a heap.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace orderlab {

/// A moment >= 0 at which a slot becomes free, and the thread block whose service ends then.
struct Release {
  double time;
  std::uint32_t index;
  std::uint32_t slot;
};

/// The earliest release first, of equal times the least index.
class ReleaseHeap {
 public:
  explicit ReleaseHeap(std::size_t capacity) : keys_(std::make_unique_for_overwrite<Key[]>(capacity)) {}

  std::size_t size() const { return size_; }

  void push(const Release& release) {
    const Key key =
        (Key{std::bit_cast<std::uint64_t>(release.time)} << 64) | (std::uint64_t{release.index} << 32) | release.slot;
    std::size_t hole = size_++;
    while (hole > 0) {
      const std::size_t parent = (hole - 1) / 2;
      if (!(key < keys_[parent])) break;
      keys_[hole] = keys_[parent];
      hole = parent;
    }
    keys_[hole] = key;
  }

  Release pop() {
    const Key least = keys_[0];
    const Key last = keys_[--size_];
    std::size_t hole = 0;
    for (std::size_t child = 1; child < size_; child = 2 * hole + 1) {
      if (child + 1 < size_) child += static_cast<std::size_t>(keys_[child + 1] < keys_[child]);
      if (!(keys_[child] < last)) break;
      keys_[hole] = keys_[child];
      hole = child;
    }
    keys_[hole] = last;
    return {std::bit_cast<double>(static_cast<std::uint64_t>(least >> 64)), static_cast<std::uint32_t>(least >> 32),
            static_cast<std::uint32_t>(least)};
  }

 private:
  // A release as one integer: the bits of its time (>= 0, so they compare as it does), index, slot. Integers compare
  // without branches, and which of two releases is earlier is a coin toss to a branch predictor.
  __extension__ using Key = unsigned __int128;

  std::unique_ptr<Key[]> keys_;
  std::size_t size_ = 0;
};

}  // namespace orderlab
