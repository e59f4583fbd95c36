// Black boxes that add products in fused steps, as tensor cores do: what a step of one is, read off from its answers,
// and which units of the table agree with it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "orderlab/format.hpp"
#include "orderlab/fused.hpp"
#include "orderlab/probe.hpp"
#include "orderlab/term_view.hpp"

namespace orderlab {

/// Numbers of products of a box whose steps are asked for.
inline constexpr std::size_t kFewestProbedProducts = 8;
inline constexpr std::size_t kMostProbedProducts = 1024;

/// What the answers of a box show of its steps, one property after the other. What they cannot show is empty.
struct FusedReading {
  Format sums = Format::fp32;             ///< format of the sums
  std::optional<bool> flushes_factors;    ///< subnormal factors become zero
  std::optional<bool> flushes_sums;       ///< subnormal sums do
  bool last_first = false;                ///< steps go from the last products to the first
  std::optional<FusedStep> step;          ///< empty: of no kind that is known
  std::size_t length = 0;                 ///< L; the number of products stands for that or more. 0: no step is known
  std::size_t run = 0;                    ///< a new sum begins after so many products; 0: none does
  std::optional<bool> aligns_sum;         ///< the sum before is aligned, and cut, with the products of a step
  std::optional<int> fraction_bits;       ///< F; empty where nothing is cut
  bool fraction_open = false;             ///< F or more: the formats show no more
  std::optional<int> precision;           ///< bits of a sum; empty where no step has to round one
  std::optional<FusedRounding> rounding;  ///< of a step; none: in no way that is known
};

/// What a box that adds products is found to be.
enum class FusedVerdict : std::uint8_t {
  named,      ///< units of the table agree with every answer
  revealed,   ///< none does, but a step with parameters of its own
  not_fused,  ///< no step that is known
};

constexpr std::string_view name_of(FusedVerdict verdict) {
  constexpr std::string_view kNames[] = {"named", "revealed", "not fused"};
  return kNames[static_cast<std::size_t>(verdict)];
}

/// The first call whose answer the nearest order does not give.
struct FusedDisagreement {
  std::string order;              ///< that order, whose first such call comes last
  std::uint64_t call = 0;         ///< its number, from 1
  std::vector<Factors> products;  ///< of that call
  double expected = 0;            ///< what the order gives
  double answer = 0;              ///< what the box gave
};

/// What a probe of fused steps found.
struct FusedProbe {
  FusedVerdict verdict = FusedVerdict::not_fused;
  std::string reason;  ///< why it is not fused; empty elsewhere
  FusedReading reading;
  std::vector<std::string> units;              ///< orders with units of the table, as --order takes them; all agree
  std::vector<std::string> described;          ///< those with parameters of their own that agree
  std::string words;                           ///< a step that agrees and that no order can say; else empty
  std::uint64_t directed = 0;                  ///< calls that the reading took
  std::uint64_t random = 0;                    ///< random calls, those that tell orders apart included
  std::uint64_t repeated = 0;                  ///< calls asked again
  std::optional<FusedDisagreement> disagrees;  ///< where it is not fused

  std::uint64_t calls() const { return directed + random + repeated; }
};

/// The format in which a box is given factors: their own, or fp32 for those that C and numpy have no type for.
constexpr Format passed_format(Format factors) {
  return factors == Format::tf32 || factors == Format::e4m3 || factors == Format::e5m2 ? Format::fp32 : factors;
}

/// Asks a box for sums of `n` products of factors in formats.terms; the format of the sums is read. Empty when stopped.
///
/// A large number, its negative and small ones show which products share a step. How small a number may be to be kept
/// beside a large one shows F; sums between two numbers of their format show the rounding. Then every unit of the table
/// with these factors, and steps with the parameters found, are held to all answers, and to those to random products,
/// most of them with sums that cancel, equal exponents or subnormal numbers. Where several are left, products that they
/// sum differently are asked, if random ones hold any. 0 and -0 count as one answer.
///
/// `repeats`: calls with equal products, 2 or more, that have to agree.
///
/// Errors: usage for a box that does not take products, and for n outside kFewestProbedProducts .. kMostProbedProducts;
///         input where a box answers in too few digits; those of the box.
std::optional<FusedProbe> probe_fused(const BoxMaker& maker, std::size_t n, const Formats& formats,
                                      std::size_t repeats = 3, const ProbeWatch& watch = {});

}  // namespace orderlab
