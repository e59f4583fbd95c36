// A uniformly random plane binary tree over leaves in their order (Remy's algorithm).
//
// A tree of a million leaves is far larger than a cache, its nodes are in random places, and which of them are leaves
// cannot be predicted. Descending it would wait for memory and mispredict a branch at every node. So it is grown from
// draws made ahead, its inner nodes are put in order level by level, and all the rest goes through memory in that
// order, without a branch: several steps are under way at any time. What is left in the end is a bit a node.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>

#include "core/stop.hpp"
#include "run/step_memory.hpp"
#include "vectors/permutation.hpp"

namespace orderlab {

/// A random tree as the additions of its inner nodes, in post-order.
template <class Index>
class PlaneTree {
 public:
  PlaneTree(std::size_t leaves, const RandomStream& stream, StepMemory& memory) : leaves_(leaves) {
    auto rest = memory.array<Index>(0, 4 * leaves + 1 + 2 * leaves / kWordBits + 1);
    const auto next = [&](std::size_t count) {
      const auto taken = rest.first(count);
      rest = rest.subspan(count);
      return taken;
    };
    nodes_ = next(2 * leaves);
    links_ = next(leaves + 1);
    leaves_below_ = next(leaves);
    inner_ = next(2 * leaves / kWordBits + 1);
    grow(stream);
    number_by_levels();
    count_leaves();
    put_in_post_order();
    stack_ = memory.array<Index>(1, levels_ + 3);
    memory.tree_levels = levels_;
  }

  /// Levels of inner nodes: the additions on the longest path.
  std::size_t levels() const { return levels_; }

  /// The nodes in post-order: a bit each, the lowest of the first word first, set for inner nodes.
  std::span<const Index> nodes() const { return inner_; }

  /// Calls add(left, right) for the inner nodes in post-order: add the sum that begins with leaf `right` to the one
  /// that begins with leaf `left`.
  template <class Add>
  void visit_additions(Add add) const {
    std::array<std::array<Index, 2>, kWordBits> found;  // first all of a word without a branch, then each
    Index* top = &stack_[1];  // above it, up to here: the first leaves of the sums that wait to be added
    Index leaf = 0;
    std::size_t nodes = 2 * leaves_ - 1;
    StopCounter stop;
    for (Index word : inner_) {
      stop.step();
      std::size_t count = 0;
      for (std::size_t i = std::min(nodes, kWordBits); i > 0; --i, word >>= 1) {
        const Index inner = word & 1;
        const Index left = top[-1];
        found[count] = {left, top[0]};
        count += inner;
        top += 1 - 2 * static_cast<std::ptrdiff_t>(inner);
        *top = inner != 0 ? left : leaf;
        leaf += 1 - inner;
      }
      for (std::size_t i = 0; i < count; ++i) add(found[i][0], found[i][1]);
      nodes -= std::min(nodes, kWordBits);
    }
  }

 private:
  static constexpr std::size_t kWordBits = std::numeric_limits<Index>::digits;

  // Grown leaf by leaf: a uniformly chosen node moves below a new inner node, the new leaf on a uniformly chosen side.
  // Step k, making leaf k + 1 of k + 1 >= 2, takes word k - 1. Source: [Remy1985].
  void grow(const RandomStream& stream) {
    nodes_[kRoot] = kLeaf;
    if (leaves_ >> 30 != 0) {
      const WordReader words(stream);
      for (std::uint64_t k = 1; k < leaves_; ++k) insert(k, words.below_wide(4 * k - 2, k - 1));
      return;
    }
    std::array<std::uint32_t, kDrawsAhead> buffer;
    for (std::uint64_t k = 1; k < leaves_;) {
      const auto picks = std::span(buffer).first(std::min<std::size_t>(leaves_ - k, kDrawsAhead));
      draw_below(stream, static_cast<std::uint32_t>(4 * k - 2), 4, k - 1, picks);
      for (const std::uint32_t pick : picks) insert(k++, pick);
    }
  }

  // pick / 2 is the node that moves: its content does, so that its parent need not be found.
  void insert(std::uint64_t k, std::uint64_t pick) {
    Index& content = nodes_[kRoot + pick / 2];
    nodes_[2 * k] = content;
    nodes_[2 * k + 1] = kLeaf;
    content = static_cast<Index>(2 * k + pick % 2);
  }

  // Where the children of an inner node stand among all inner nodes, numbered level by level from left to right: those
  // of a node that are inner nodes follow each other, and follow those of the node before.
  struct Link {
    Index place;  ///< place of the first of them
    Index left;   ///< 1 where the left child is an inner node
    Index right;

    explicit Link(Index packed) : place(packed >> 2), left((packed >> 1) & 1), right(packed & 1) {}
    static Index pack(std::size_t place, Index left, Index right) {
      return static_cast<Index>((place << 2) | (left << 1) | right);
    }
  };

  // Nodes ahead to fetch: with 1e6 leaves that saves 4 ns a leaf (the levels are wide enough nearly always).
  static constexpr std::size_t kAhead = 24;

  void number_by_levels() {
    links_[0] = nodes_[kRoot];
    std::size_t end = 1;
    std::size_t level_end = 0;
    for (std::size_t q = 0; q + 1 < leaves_; ++q) {
      stop_point_at(q);
      if (q == level_end) {
        level_end = end;
        ++levels_;
      }
      if (q + kAhead < end) __builtin_prefetch(&nodes_[links_[q + kAhead]]);
      const Index left = nodes_[links_[q]];
      const Index right = nodes_[links_[q] ^ 1];
      const Index left_inner = left != kLeaf;
      const Index right_inner = right != kLeaf;
      links_[q] = Link::pack(end, left_inner, right_inner);
      links_[end] = left;  // written over by the next inner node if this is a leaf
      end += left_inner;
      links_[end] = right;
      end += right_inner;
    }
  }

  // A product, not a condition, of which the compiler would make a branch.
  Index leaves_of_child(Index is_inner_node, std::size_t place) const {
    return 1 + is_inner_node * (leaves_below_[place] - 1);
  }
  Index leaves_on_left(Link link) const { return leaves_of_child(link.left, link.place); }

  void count_leaves() {
    leaves_below_[leaves_ - 1] = 0;
    for (std::size_t q = leaves_ - 1; q-- > 0;) {
      stop_point_at(q);
      const Link link(links_[q]);
      leaves_below_[q] = leaves_on_left(link) + leaves_of_child(link.right, link.place + link.left);
    }
  }

  // A subtree of k leaves has 2 k - 1 nodes, the last of them its root.
  void put_in_post_order() {
    std::fill(inner_.begin(), inner_.end(), Index{0});
    const std::span<Index> first = nodes_;  // reuses nodes_: the first of each subtree, in post-order
    first[0] = 0;
    for (std::size_t q = 0; q + 1 < leaves_; ++q) {
      stop_point_at(q);
      const Link link(links_[q]);
      const Index begin = first[q];
      const Index last = begin + 2 * leaves_below_[q] - 2;
      inner_[last / kWordBits] |= Index{1} << (last % kWordBits);
      first[link.place] = begin;  // written over by the next inner node if this is a leaf
      first[link.place + link.left] = begin + 2 * leaves_on_left(link) - 1;
    }
  }

  static constexpr Index kLeaf = 0;
  static constexpr std::size_t kRoot = 1;

  std::size_t leaves_;
  std::size_t levels_ = 0;         ///< at most one sum more waits to be added
  std::span<Index> nodes_;         ///< number of the left child; the right child's differs in the last bit; or kLeaf
  std::span<Index> links_;         ///< inner nodes by levels: first the left child, then its Link
  std::span<Index> leaves_below_;  ///< the same nodes
  std::span<Index> inner_;         ///< a bit for each node, in post-order
  std::span<Index> stack_;
};

}  // namespace orderlab
