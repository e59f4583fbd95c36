// A uniformly random plane binary tree over leaves in their order (Remy's algorithm).
//
// A tree of a million leaves is far larger than a cache, its nodes are in random places, and which of them are leaves
// cannot be predicted. Descending it would wait for memory and mispredict a branch at every node. So it is grown from
// draws made ahead, its inner nodes are put in order level by level, and all the rest goes through memory in that
// order, without a branch: several steps are under way at any time.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>

#include "orderlab/permutation.hpp"
#include "run/step_memory.hpp"

namespace orderlab {

/// A random tree as the additions of its inner nodes, in post-order.
template <class Index>
class PlaneTree {
 public:
  /// Adds the sum that begins with leaf `right` to the one that begins with leaf `left`.
  struct Addition {
    Index left;
    Index right;
  };

  PlaneTree(std::size_t leaves, const RandomStream& stream, StepMemory& memory) : leaves_(leaves) {
    auto rest = memory.array<Index>(0, 7 * leaves + 1);
    const auto next = [&](std::size_t count) {
      const auto taken = rest.first(count);
      rest = rest.subspan(count);
      return taken;
    };
    children_ = next(4 * leaves);
    inner_ = next(leaves);
    links_ = next(leaves + 1);
    leaves_below_ = next(leaves);
    grow(stream);
    mark_inner_nodes();
    number_by_levels();
    count_leaves();
    additions_ = memory.array<Addition>(1, leaves);
    put_in_post_order();
  }

  std::span<const Addition> additions() const { return additions_.first(leaves_ - 1); }

 private:
  static constexpr Index kLeaf = std::numeric_limits<Index>::max();

  // Grown leaf by leaf: a uniformly chosen node moves below a new inner node, the new leaf on a uniformly chosen side.
  // Step k, making leaf k + 1 of k + 1 >= 2, takes word k - 1. Source: [Remy1985].
  void grow(const RandomStream& stream) {
    children_[0] = children_[1] = kLeaf;
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
    const std::uint64_t moved = 2 * k - 1;
    const std::uint64_t leaf = moved + 1;
    Index* const at = &children_[pick / 2 * 2];
    children_[2 * moved] = at[0];
    children_[2 * moved + 1] = at[1];
    children_[2 * leaf] = children_[2 * leaf + 1] = kLeaf;
    at[pick % 2] = static_cast<Index>(moved);
    at[1 - pick % 2] = static_cast<Index>(leaf);
  }

  static constexpr std::size_t kWordBits = std::numeric_limits<Index>::digits;

  void mark_inner_nodes() {
    const std::size_t nodes = 2 * leaves_ - 1;
    for (std::size_t begin = 0; begin < nodes; begin += kWordBits) {
      Index word = 0;
      for (std::size_t i = begin; i < std::min(nodes, begin + kWordBits); ++i)
        word |= static_cast<Index>(static_cast<Index>(children_[2 * i] != kLeaf) << (i - begin));
      inner_[begin / kWordBits] = word;
    }
  }

  Index is_inner(Index node) const { return (inner_[node / kWordBits] >> (node % kWordBits)) & 1; }

  // Where the children of an inner node stand among all inner nodes, numbered level by level from left to right: those
  // of a node that are inner nodes follow each other, and follow those of the node before.
  struct Link {
    Index place;  ///< of the first of them
    Index left;   ///< 1 where the left child is an inner node
    Index right;

    explicit Link(Index packed) : place(packed >> 2), left((packed >> 1) & 1), right(packed & 1) {}
    static Index pack(std::size_t place, Index left, Index right) {
      return static_cast<Index>((place << 2) | (left << 1) | right);
    }
  };

  // Nodes ahead to fetch: with 1e6 leaves levels take 5 ns a leaf, without 13 (the levels are wide enough nearly
  // always).
  static constexpr std::size_t kAhead = 24;

  void number_by_levels() {
    links_[0] = 0;
    std::size_t end = 1;
    for (std::size_t q = 0; q + 1 < leaves_; ++q) {
      if (q + kAhead < end) __builtin_prefetch(&children_[2 * static_cast<std::size_t>(links_[q + kAhead])]);
      const std::size_t node = links_[q];
      const Index left = children_[2 * node];
      const Index right = children_[2 * node + 1];
      links_[q] = Link::pack(end, is_inner(left), is_inner(right));
      links_[end] = left;  // written over by the next inner node if this is a leaf
      end += is_inner(left);
      links_[end] = right;
      end += is_inner(right);
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
      const Link link(links_[q]);
      leaves_below_[q] = leaves_on_left(link) + leaves_of_child(link.right, link.place + link.left);
    }
  }

  void put_in_post_order() {
    const std::span<Index> first_leaf = children_.first(leaves_);  // the children are no longer needed
    const std::span<Index> before = children_.subspan(leaves_);    // additions before all those of a subtree
    first_leaf[0] = before[0] = 0;
    for (std::size_t q = 0; q + 1 < leaves_; ++q) {
      const Link link(links_[q]);
      const Index first = first_leaf[q];
      const Index left = leaves_on_left(link);
      additions_[before[q] + leaves_below_[q] - 2] = {first, static_cast<Index>(first + left)};
      first_leaf[link.place] = first;  // written over by the next inner node if this is a leaf
      before[link.place] = before[q];
      first_leaf[link.place + link.left] = first + left;
      before[link.place + link.left] = before[q] + left - 1;
    }
  }

  std::size_t leaves_;
  std::span<Index> children_;      ///< of node i, in the order grown, at 2 i and 2 i + 1; kLeaf for a leaf
  std::span<Index> inner_;         ///< a bit a node
  std::span<Index> links_;         ///< of inner nodes by levels: first the node, then its Link
  std::span<Index> leaves_below_;  ///< the same nodes
  std::span<Addition> additions_;
};

}  // namespace orderlab
