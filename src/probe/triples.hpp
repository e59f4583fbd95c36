// Triples: which two of three terms are added first, where summands cannot cancel.
#pragma once

#include <cstddef>
#include <optional>

#include "probe/asked_box.hpp"
#include "probe/tree_shape.hpp"

namespace orderlab {

/// Asks with one large summand, M = 2.25, and two small ones, each between a quarter and half of the ulp of M, which
/// round to M when M meets them one by one, and to the number after it when they are added first. Small ones are
/// squares of numbers of 5 bits where the summands are.
class Triples {
 public:
  /// `precision`: the bits of the additions and of the answers.
  Triples(AskedBox& box, int precision);

  /// Whether a and b are added before `large`; empty where the answer is neither M nor the number after it.
  std::optional<bool> together(std::size_t large, std::size_t a, std::size_t b);

  AskedBox& box() { return box_; }

 private:
  AskedBox& box_;
  Terms terms_;
  double large_;
  double small_;
  double without_;
  double with_;
};

/// Bits of the additions or of the answers, whichever are fewer: the least r for which a summand of less than half an
/// ulp, of r bits, is lost beside a large one. Empty where places differ. Shape: n >= 2.
std::optional<int> precision_of_answers(AskedBox& box);

/// Whether each of some triples has one pair that is added first, as plain additions have: with more bits than the
/// answers have, no summand is lost.
bool loses_small_summands(Triples& triples);

/// Asks once for every inner node but the root: are a leaf of each of its two children added before a leaf of its
/// sibling? Where all are, the box adds in this tree, which is binary. By induction over the leaves: let v be a node of
/// two leaves, of which a is the one that stands for v elsewhere, and let c stand for its sibling. Without the other
/// leaf, b, what was asked is what is asked of the smaller tree, so the box has that one. In it c's subtree is a's
/// sibling, and b, which is added to a before c is, can only be added to a alone.
bool certify(const TreeShape& shape, Triples& triples);

/// The tree, by pivots as `reveal` has them, with three-way comparisons of leaves by where they meet the pivot. Empty
/// where answers contradict each other. O(n log(n)^2) calls expected for a balanced tree.
std::optional<TreeShape> reveal(Triples& triples);

}  // namespace orderlab
