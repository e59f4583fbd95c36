// Masks: two huge terms that cancel, M and -M, swallow every unit that is added between them. The units that are left
// count the terms outside the smallest subtree that holds both [Xie2024].
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "orderlab/terms.hpp"
#include "probe/accumulator.hpp"
#include "probe/asked_box.hpp"

namespace orderlab {

struct PlacePair {
  std::size_t i;
  std::size_t j;
};

/// How large masks are, and how many units a call can count.
struct Masks {
  int exponent;           ///< M is 2^exponent
  int unit_exponent;      ///< units are 2^unit_exponent
  std::size_t most;       ///< units in one input whose sums are exact and which M swallows
  bool negative = false;  ///< units are negative
};

/// Masks for accumulators and results like these.
///
/// Errors: unsupported where the format has no range for such an accumulator: fp16 terms added in fp64.
Masks masks_for(Format terms, const AccumulatorPrecision& accumulator, int result_precision);

/// Sizes of subtrees, asked from a box.
class PairSizes {
 public:
  PairSizes(AskedBox& box, const Masks& masks);

  /// Leaves of the smallest subtree that holds both, for each pair; 0 where the answer does not count units.
  void measure(std::span<const PlacePair> pairs, std::span<std::size_t> sizes);
  std::size_t measure(PlacePair pair);

  std::size_t n() const { return box_.n(); }
  AskedBox& box() { return box_; }
  const Masks& masks() const { return masks_; }

 private:
  void show_units(std::size_t begin);
  double unit() const;

  AskedBox& box_;
  Masks masks_;
  std::size_t shown_ = 0;      // first of the units that the inputs have now
  std::vector<Terms> inputs_;  // one for each input of a call
  std::vector<TermView> views_;
};

/// Takes smaller masks where the largest lead to NaN. False where none gives numbers of units.
bool find_masks(AskedBox& box, Masks& masks);

}  // namespace orderlab
