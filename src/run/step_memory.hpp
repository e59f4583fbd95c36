// Memory that steps need besides their partial sums.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>

namespace orderlab {

/// Buffers of one thread; they only grow, so samples after the first allocate nothing.
class StepMemory {
 public:
  static constexpr std::size_t kArrays = 4;

  /// `count` objects of arbitrary value, until array `which` < kArrays is asked for again.
  template <class T>
  std::span<T> array(std::size_t which, std::size_t count) {
    static_assert(std::is_trivially_copyable_v<T>);
    Block& block = blocks_[which];
    const std::size_t bytes = count * sizeof(T);
    if (block.size < bytes) block = {std::make_unique_for_overwrite<std::byte[]>(bytes), bytes};
    return {reinterpret_cast<T*>(block.data.get()), count};
  }

  std::size_t tree_levels = 0;  ///< of inner nodes of the tree that was drawn last

 private:
  struct Block {
    std::unique_ptr<std::byte[]> data;
    std::size_t size = 0;
  };
  std::array<Block, kArrays> blocks_;
};

}  // namespace orderlab
