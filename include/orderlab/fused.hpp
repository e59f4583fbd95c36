// Fused sums: units of tensor cores, matrix cores and x86, which add several products in one step; what a step is, in
// exact integers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "orderlab/format.hpp"
#include "orderlab/term_view.hpp"

namespace orderlab {

/// What a unit does with the products of one step and the sum c of those before it.
enum class FusedStep : std::uint8_t {
  aligned,        ///< all cut to F fraction bits of the greatest exponent, added exactly, rounded once
  halves,         ///< products k with k mod 4 < 2 as in aligned, from 0; onto it the others; then c + that, to nearest
  exact,          ///< added exactly, rounded once
  chain,          ///< c = fma(a, b, c), one product after the other
  pairs,          ///< c + ((p0 + p1) + (p2 + p3)); subnormal inputs, products and sums are flushed
  floored,        ///< products cut as in aligned and added; their sum cut downward to 31 bits, c to F, of the greatest
                  ///< exponent of both; added exactly, rounded to nearest
  two_chains,     ///< even and odd products, each in a chain from 0, added, then added to c; subnormal numbers flushed
  swapped_pairs,  ///< of each pair the second product, then the first, by fma onto c; subnormal numbers flushed
  scaled,         ///< known, not built: products of scaled blocks, or formats that orderlab lacks
};

constexpr std::string_view name_of(FusedStep step) {
  constexpr std::string_view kNames[] = {"aligned", "halves",     "exact",         "chain", "pairs",
                                         "floored", "two_chains", "swapped_pairs", "scaled"};
  return kNames[static_cast<std::size_t>(step)];
}

/// What such a step does, in one phrase.
std::string_view summary_of(FusedStep step);

/// How the sum of a step becomes a number of the format of the sums.
enum class FusedRounding : std::uint8_t {
  none,         ///< no sums of that format
  toward_zero,  ///< cut to the precision of the format
  to_nearest,   ///< to nearest, ties to even
  e8m13,        ///< fp32 cut to 14 significant bits
};

/// A unit. Lives as long as whatever fuses by it.
struct FusedUnit {
  std::string_view name;
  std::array<std::string_view, 3> aliases;  ///< "" where there are fewer
  FusedStep step;
  std::string_view factors;   ///< the format of the factors, in words where orderlab lacks it
  Format terms;               ///< the same; fp64 where orderlab lacks it
  std::size_t length;         ///< L: products of one step
  int fraction_bits;          ///< F; 0 where nothing is cut
  FusedRounding of_fp32;      ///< how sums are rounded that are kept in fp32
  FusedRounding of_fp16;      ///< in fp16
  FusedRounding of_fp64;      ///< in fp64
  std::string_view evidence;  ///< GPU rows; two models; one model; a CPU
  std::string_view source;

  bool built() const { return step != FusedStep::scaled; }

  /// How sums in that format are rounded.
  FusedRounding rounding(Format accumulate) const {
    if (accumulate == Format::fp32) return of_fp32;
    if (accumulate == Format::fp16) return of_fp16;
    return accumulate == Format::fp64 ? of_fp64 : FusedRounding::none;
  }

  /// Steps that add n products.
  std::size_t steps(std::size_t n) const { return (n + length - 1) / length; }

  friend bool operator==(const FusedUnit&, const FusedUnit&) = default;

  /// Roundings, cuts included, on the longest path from one of n products to their sum.
  std::uint64_t height(std::size_t n) const;
};

/// The known units, built or not.
std::span<const FusedUnit> fused_units();

/// The unit of that name, or that alias; null: none.
const FusedUnit* find_fused_unit(std::string_view name);

/// A sum, and an upper bound of its distance from the exact sum of the same numbers (infinite or NaN where it is).
struct FusedSum {
  double sum;
  double error;
};

/// The sum of `start` and the products, `length` of them in a step, the last step filled up with zeros, as the unit
/// does it where sums are kept in `accumulate`.
///
/// Shape:   `start` is a number of `accumulate`, factors are numbers of unit.terms; the unit is built and has sums in
///          `accumulate`, else Error(usage).
/// Special: as IEEE 754 where a number is infinite or NaN. Sums beyond the greatest number are infinite. A sum of 0 is
///          +0 where terms are cut or added exactly.
/// Error:   see the proof in order/fused_sum.cpp.
FusedSum fused_sum(const FusedUnit& unit, Format accumulate, std::span<const Factors> products, double start = 0);

}  // namespace orderlab
