// Error bounds, computed in fp64 and rounded upward (subnormal bounds assume that errors are multiples of 2^-1074). An
// empty bound is one that is not derived; infinity means that there is no finite bound. Bounds in terms of sum |x_i|
// hold for plain additions, each rounded once, absent overflow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "orderlab/counts.hpp"
#include "orderlab/evaluator.hpp"
#include "orderlab/exact.hpp"
#include "orderlab/format.hpp"

namespace orderlab {

/// Allowances for conversions, underflow and flushing, which are added to every bound.
double allowance(const RunningError& error);

/// D1: |computed - exact| <= sum of u |s'| over all nodes, and the allowances. Source: [Higham1993].
std::optional<double> running_bound(const RunningError& error);

/// Probability with which a probabilistic bound holds unless told otherwise.
inline constexpr double kProbability = 0.99;

/// P3, which assumes that rounding errors behave like random numbers (with constants, stagnation and ties they do not).
/// `probability` is 1 - (delta + eta), delta = eta.
///
/// Errors: usage unless 0 < probability < 1.
/// Source: [HallmanIpsen2023].
std::optional<double> probabilistic_bound(const RunningError& error, Format accumulate, std::uint64_t height,
                                          std::size_t n, double probability = kProbability);

/// D2: gamma_h A + allowances, gamma_h = h u / (1 - h u), infinite once h u >= 1. A is the sum of the converted terms'
/// magnitudes, at most `sum_abs` + `extra`: sum |x_i| of the terms as given, to nearest, and the allowances. With n for
/// the height: gamma_n, a bound for any order as it is often used. Source: [Higham2002].
std::optional<double> gamma_bound(bool plain, Format accumulate, std::uint64_t height, double sum_abs, double extra);

/// D3: (n-1) u A + allowances, A as in gamma_bound; any order, any n. Source: [Rump2012], [JeannerodRump2013].
std::optional<double> any_order_bound(bool plain, Format accumulate, std::size_t n, double sum_abs, double extra);

/// P1: (exp(lambda sqrt(h) u + h u^2 / (1-u)) - 1) A + allowances, A as in gamma_bound and lambda such that
/// `probability` is 1 - 2 n exp(-lambda^2 (1-u)^2 / 2). Assumes random rounding errors, as P3.
///
/// Errors: usage unless 0 < probability < 1.
/// Source: [HighamMary2019].
std::optional<double> higham_mary_bound(bool plain, Format accumulate, std::uint64_t height, std::size_t n,
                                        double sum_abs, double extra, double probability = kProbability);

/// Maxima over some samples of what their bounds are computed from.
struct LargestBounds {
  std::optional<double> running;
  std::optional<double> probabilistic;
  std::uint64_t height = 0;
  double extra = 0;
  bool plain = true;
  bool running_missing = false;
  bool probabilistic_missing = false;

  void add(const Evaluation& evaluation, Format accumulate, std::size_t n);
  void merge(const LargestBounds& other);

  /// All of it as bytes, equal for equal maxima, and back. Any other bytes give Error(input), or maxima of which they
  /// are the wire form.
  std::string wire() const;
  static LargestBounds from_wire(std::string_view bytes);
};

/// Which sums a bound is for.
enum class BoundScope : std::uint8_t {
  additions,    ///< the samples, for the additions that were done
  height,       ///< every sum of the samples' greatest height
  every_order,  ///< every order of the terms
};

/// Whether a probabilistic bound says no more than a proven one of the same scope: it is not at least 1 % lower
/// (numbers that print alike in 3 digits are closer). Text and pages leave it out, JSON does not. False if one is not
/// derived.
bool no_better(std::optional<double> probabilistic, std::optional<double> proven);

/// The bounds that reports have, in their order.
enum class BoundKind : std::uint8_t { running, gamma, probabilistic, any_order, higham_mary, gamma_n };

/// A bound on |computed - exact| for every one of some samples, as reports show it.
struct Bound {
  std::string_view symbol;                   ///< "D1"
  BoundScope scope = BoundScope::additions;  ///< which sums it is for
  std::string_view statement;                ///< what it holds for or assumes, in a few words
  std::string_view source;                   ///< citation keys
  std::optional<double> value;               ///< empty: none derived; infinity: no bound
  std::optional<double> probability;         ///< that it holds for one sample; empty: it always holds
};

/// One of each kind, of samples of n terms; `sum_abs` is the sum of the terms' magnitudes, to nearest.
/// `overflowed`: some sample overflowed, so bounds in terms of sum |x_i| do not hold.
std::vector<Bound> all_bounds(const LargestBounds& seen, bool overflowed, Format accumulate, std::size_t n,
                              double sum_abs);

/// D2 of sums by a plan that rounds to several formats: theta / (1 - theta) sum |x|, where theta is the greatest sum of
/// the unit roundoffs along a path from a term to the sum. `extra` is the member of LargestBounds. Empty where no D2 is
/// derived.
std::optional<double> gamma_bound_of(const Plan& plan, double sum_abs, double extra);

/// The same of the samples counted; all empty when there are none.
std::vector<Bound> all_bounds(const Evaluator& evaluator, const ResultCounts& counts, const ExactValue& sum_abs);

/// A bound on |result - exact| for every order that the evaluator's pipeline can draw, for any arrival model; for a
/// fixed order it is the error itself. Infinite where some order may overflow.
///
/// With p_1 ... p_m the partial sums that the first random stage sees: |sum p_i - exact|, and for plain additions the
/// lesser of D2 (where all orders have one height) and D3 over them, for one Neumaier group
/// u |sum p_i| + gamma_{m-1}^2 sum |p_i|; and what flushing and the rounding to the result format add. Empty for Kahan,
/// fma and mixtures.
///
/// Error:  rounded upward, except for parts below 2^-1074.
/// Cost:   O(m) time, memory as every_order_bound_memory_bytes(m).
/// Source: [Higham2002], [Rump2012], [JeannerodRump2013], [OgitaRumpOishi2005].
std::optional<double> every_order_bound(const Evaluator& evaluator, const ExactValue& exact);

/// Estimate of the bytes that it takes.
double every_order_bound_memory_bytes(std::uint64_t partial_sums);

}  // namespace orderlab
