// Blocks that a range is split into from the top down, each to be added in a way of its own.
#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "orderlab/steps.hpp"

namespace orderlab {

struct Block {
  std::size_t begin;
  std::size_t size;
  std::size_t joins;  ///< ranges that end with this block: as many additions follow its sum
};

/// Appends the blocks that [begin, begin + size) falls into: a range of more than `most` is split in two, its left part
/// getting halves.left(size).
inline void split_into_blocks(std::size_t begin, std::size_t size, std::size_t most, steps::Halves halves,
                              std::vector<Block>& blocks) {
  if (size <= most) return blocks.push_back({begin, size, 0});
  const std::size_t first = halves.left(size);
  split_into_blocks(begin, first, most, halves, blocks);
  split_into_blocks(begin + first, size - first, most, halves, blocks);
  ++blocks.back().joins;
}

/// The sum of a range from the sums of its blocks, by the same splits.
template <class A>
typename A::Value join_blocks(A& arith, std::span<const Block> blocks, std::span<const typename A::Value> sums) {
  using T = typename A::Value;
  std::array<T, std::numeric_limits<std::size_t>::digits + 1> lefts;  // sums of left parts, the outermost first
  A local = arith;                                                    // as in add_in_turn
  T sum = sums[0];
  std::size_t open = 0;
  for (std::size_t i = 0;;) {
    for (std::size_t j = 0; j < blocks[i].joins; ++j) sum = local.add(lefts[--open], sum);
    if (++i == blocks.size()) break;
    lefts[open++] = sum;
    sum = sums[i];
  }
  arith = local;
  return sum;
}

/// The sum of `size` numbers by such splits; next(size) is called for the sum of each block in turn.
template <class A, class Next>
typename A::Value add_blocks(A& arith, std::size_t size, std::size_t most, steps::Halves halves, Next& next) {
  if (size <= most) return next(size);
  const std::size_t first = halves.left(size);
  const auto a = add_blocks(arith, first, most, halves, next);
  const auto b = add_blocks(arith, size - first, most, halves, next);
  return arith.add(a, b);
}

/// Calls visit(size, numbers) for the numbers of all blocks of one size; there should be few sizes. Without branches on
/// sizes: which of two comes next cannot be foreseen.
template <class Visit>
void visit_by_size(std::span<const Block> blocks, Visit visit) {
  std::vector<std::size_t> sizes;
  for (const Block& block : blocks) {
    bool known = false;
    for (const std::size_t size : sizes) known |= size == block.size;
    if (!known) sizes.push_back(block.size);
  }
  std::vector<std::size_t> numbers(blocks.size());
  for (const std::size_t size : sizes) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      numbers[count] = i;
      count += std::size_t{blocks[i].size == size};
    }
    visit(size, std::span<const std::size_t>(numbers).first(count));
  }
}

}  // namespace orderlab
