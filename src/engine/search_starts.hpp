// Orders that a search for extreme sums starts from.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "orderlab/format.hpp"

namespace orderlab {

/// How a start arranges the partial sums before its greedy pass.
enum class Arrangement : std::uint8_t {
  as_given,
  ascending,
  descending,
  rising,       ///< by magnitude
  falling,      ///< by magnitude
  peak,         ///< one sign by falling magnitude, then the other rising: the running sum is large for long
  late_peak,    ///< one sign rising, then the other falling
  alternating,  ///< signs in turn, by falling magnitude
  binades,      ///< one sign, then the other; each number placed where its addition rounds in the desired direction
  random,
};

/// A start, which make_start turns into an order.
struct Start {
  Arrangement arrangement = Arrangement::as_given;
  bool negative_first = false;  ///< for arrangements that group by sign
  bool greatest = true;         ///< search for the greatest result (else the least), by binades or a greedy pass
  double foresight = 0;         ///< for binades: the weight of the rounding that a place lower down would have
  std::uint32_t window = 1;     ///< above 1: a greedy pass picks, of this many next numbers, the one that rounds best
  std::uint64_t number = 0;     ///< for random arrangements

  /// What making and evaluating it costs, in evaluations.
  std::uint64_t cost() const;
};

/// All starts but the random ones, cheap ones first; sign-grouped ones both ways only where both signs occur.
std::vector<Start> constructed_starts(std::span<const double> values);

/// The order of a start: position k holds value order[k].
///
/// Shape: values are numbers of `format`.
std::vector<std::uint32_t> make_start(const Start& start, std::span<const double> values, Format format,
                                      std::uint64_t seed);

}  // namespace orderlab
