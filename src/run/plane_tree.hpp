// A uniformly random plane binary tree over leaves in their order (Remy's algorithm), as the additions of its inner
// nodes in post-order.
//
// A tree of a million leaves is larger than a near cache and its nodes are in random places, so descending it would
// wait for memory and mispredict a branch at every node. It is never built: two passes over the draws, without a
// branch, count what each draw puts around the nodes before it and find where in post-order its inner node is. Their
// memory is known ahead and fetched ahead. What is left in the end is a bit a node.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <type_traits>

#include "core/stop.hpp"
#include "run/step_memory.hpp"
#include "vectors/permutation.hpp"

namespace orderlab {

/// The tree that `stream` draws.
template <class Index>
class PlaneTree {
 public:
  PlaneTree(std::size_t leaves, const RandomStream& stream, StepMemory& memory) : leaves_(leaves), memory_(&memory) {
    slots_ = memory.array<Pair>(0, 2 * leaves);
    const std::size_t words = 2 * leaves / kWordBits + 1;
    const auto rest = memory.array<Index>(1, leaves + words + leaves + 1 + kCopied);
    draws_ = rest.first(leaves);
    inner_ = rest.subspan(leaves, words);
    heights_ = rest.subspan(leaves + words);
    draw(stream);
    count_around();
    put_in_post_order();
  }

  /// The sum of `leaves`, of which there are as many, by `arith` (as those of run/arithmetic.hpp), which adds the inner
  /// nodes in post-order. Sets memory.tree_levels to the additions on the longest path.
  template <class A, class Value = typename A::Value>
  Value sum(std::span<const Value> leaves, A& arith) {
    A local = arith;                                                      // stays in registers
    Value* sum = memory_->array<Value>(2, leaves_ + 1 + kCopied).data();  // the last that waits to be added
    Index* height = heights_.data();                                      // its height
    const Value* leaf = leaves.data();
    const Value* const end = leaf + leaves.size();
    const auto take = [&](std::size_t count) {
      if (count <= kCopied && static_cast<std::size_t>(end - leaf) >= kCopied) [[likely]] {
        std::memcpy(sum + 1, leaf, kCopied * sizeof(Value));
        std::memset(height + 1, 0, kCopied * sizeof(Index));
        leaf += count;
        sum += count;
        height += count;
      } else {
        for (; count > 0; --count) {
          *++sum = *leaf++;
          *++height = 0;
        }
      }
    };
    std::size_t nodes = 2 * leaves_ - 1;
    for (std::size_t i = 0; i < inner_.size(); ++i) {
      stop_point_at(i * kWordBits);
      Index word = inner_[i];
      const std::size_t count = std::min(nodes, kWordBits);
      std::size_t done = 0;
      for (; word != 0; word &= word - 1) {
        const auto node = static_cast<std::size_t>(std::countr_zero(word));
        take(node - done);
        done = node + 1;
        --sum;
        --height;
        *sum = local.add(sum[0], sum[1]);
        *height = std::max(height[0], height[1]) + 1;
      }
      take(count - done);
      nodes -= count;
    }
    arith = local;
    memory_->tree_levels = *height;
    return *sum;
  }

 private:
  static constexpr int kWordBitCount = std::numeric_limits<Index>::digits;
  static constexpr std::size_t kWordBits = kWordBitCount;

  // Leaves taken without a branch on their number; of the runs of leaves one in 32 is longer.
  static constexpr std::size_t kCopied = 4;

  // Steps ahead to fetch: with 1e6 leaves that halves the time of both passes.
  static constexpr std::size_t kAhead = 64;

  // Begin (upper half) and end of an interval: adding pair(a, 0) - b takes a off in front and b at the end.
  __extension__ using Wide = unsigned __int128;
  using Pair = std::conditional_t<kWordBitCount == 32, std::uint64_t, Wide>;
  static constexpr Pair pair(Index first, Index second) { return (Pair{first} << kWordBitCount) | second; }
  static constexpr Index first_of(Pair pair) { return static_cast<Index>(pair >> kWordBitCount); }
  static constexpr Index second_of(Pair pair) { return static_cast<Index>(pair); }

  // Grown leaf by leaf: step k, for leaf k + 1 of k + 1 >= 2, takes word k - 1 to draw one of the slots 1 .. 2 k - 1
  // and a side. It puts a new inner node into that slot, whose children are in two new slots: in 2 k what was in the
  // slot drawn, in 2 k + 1, on the side drawn, the new leaf. Source: [Remy1985].
  void draw(const RandomStream& stream) {
    draws_[0] = 0;
    slots_[kRoot] = 0;
    if (leaves_ >> 30 != 0) {
      const WordReader words(stream);
      stoppable_loop(1, leaves_, [&](std::size_t k) {
        draws_[k] = static_cast<Index>(words.below_wide(4 * k - 2, k - 1));
        slots_[2 * k] = slots_[2 * k + 1] = 0;
      });
      return;
    }
    std::array<std::uint32_t, kDrawsAhead> buffer;
    for (std::size_t k = 1; k < leaves_;) {
      const auto picks = std::span(buffer).first(std::min(leaves_ - k, kDrawsAhead));
      draw_below(stream, static_cast<std::uint32_t>(4 * k - 2), 4, k - 1, picks);
      std::copy(picks.begin(), picks.end(), &draws_[k]);
      std::memset(&slots_[2 * k], 0, 2 * picks.size() * sizeof(Pair));
      k += picks.size();
    }
  }

  static std::size_t slot_of(Index drawn) { return kRoot + drawn / 2; }
  static Index side_of(Index drawn) { return drawn % 2; }  // 1: the new leaf is the left child

  // From the last step to the first, in each slot: what the steps from this one on put around what the slot holds at
  // this step, as pair(nodes before it, 0) - nodes after it. Step k puts the new leaf with all that is around it on its
  // side, then what is around slot 2 k, and last the inner node. It leaves in its first new slot what is put around
  // the subtree of its inner node by later steps, and this node; in its second one the number of nodes below the inner
  // node on the side of the new leaf.
  void count_around() {
    Pair* const slots = slots_.data();  // local: a member could be one of the numbers that are stored
    const Index* const draws = draws_.data();
    stoppable_loop(1, leaves_, [=, leaves = leaves_](std::size_t i) {
      const std::size_t k = leaves - i;
      __builtin_prefetch(&slots[slot_of(draws[std::max(k, kAhead) - kAhead])], 1);
      const Index drawn = draws[k];
      Pair* const made = slots + 2 * k;
      const Index after = -second_of(made[1]);
      const Index leaf_side = 1 + first_of(made[1] + after) + after;
      const Pair side = side_of(drawn);
      Pair& slot = slots[slot_of(drawn)];
      const Pair later = slot - 1;
      slot = later + made[0] + leaf_side * ((side << kWordBits) + side - 1);  // pair(leaf_side, 0) or -leaf_side
      made[0] = later;
      made[1] = leaf_side;
    });
  }

  // From the first step to the last, in each slot: where its subtree begins and ends in post-order. `leaf_side` is the
  // number of nodes below the new inner node on the side of the new leaf.
  void put_in_post_order() {
    std::fill(inner_.begin(), inner_.end(), Index{0});
    slots_[kRoot] = pair(0, static_cast<Index>(2 * leaves_ - 1));
    Pair* const slots = slots_.data();
    const Index* const draws = draws_.data();
    Index* const inner = inner_.data();
    stoppable_loop(1, leaves_, [=, last_step = leaves_ - 1](std::size_t k) {
      __builtin_prefetch(&slots[slot_of(draws[std::min(k + kAhead, last_step)])]);
      const Index drawn = draws[k];
      Pair* const made = slots + 2 * k;
      const Pair around = slots[slot_of(drawn)] + made[0];
      const Index leaf_side = second_of(made[1]);
      const Index side = side_of(drawn);
      const Index begin = first_of(around);
      const Index last = second_of(around);
      // A product, not a condition, of which the compiler would make a branch.
      const Index middle = last - leaf_side + side * (begin + 2 * leaf_side - last);
      made[side] = around - (last - middle);
      made[1 - side] = pair(middle, last);
      inner[last / kWordBits] |= Index{1} << (last % kWordBits);
    });
  }

  static constexpr std::size_t kRoot = 1;

  std::size_t leaves_;
  StepMemory* memory_;
  std::span<Pair> slots_;
  std::span<Index> draws_;    ///< of step k: twice the slot from the root on, and 1 for a leaf on the left
  std::span<Index> inner_;    ///< a bit for each node in post-order, the lowest of the first word first
  std::span<Index> heights_;  ///< of the sums that wait to be added
};

}  // namespace orderlab
