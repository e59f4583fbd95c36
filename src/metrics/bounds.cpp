#include "orderlab/bounds.hpp"

#include <algorithm>
#include <cmath>

#include "core/arithmetic_guard.hpp"
#include "core/float_environment.hpp"
#include "core/text.hpp"
#include "metrics/upward.hpp"
#include "orderlab/error.hpp"

namespace orderlab {

namespace {

// Covers `count` more additions of a sum of non-negative numbers.
double upward(double sum, std::uint64_t count) { return sum * (1 + 0x1p-52 * static_cast<double>(count)) * kUpward; }

// coefficient A + extra, A <= sum_abs + extra: what flushing cuts off is a term more that adds without rounding, so it
// counts in A and not in the number of additions. A subnormal product is rounded to nearest, which bounds errors of
// additions all the same: they are multiples of the smallest subnormal.
double on_converted_terms(double coefficient, double sum_abs, double extra) {
  return or_infinite((coefficient * (sum_abs + extra) + extra) * kUpward);
}

void check_probability(double probability) {
  if (probability > 0 && probability < 1) return;
  throw Error(ErrorKind::usage, "a bound with probability " + shortest(probability) + ": it must lie between 0 and 1");
}

}  // namespace

double allowance(const RunningError& error) {
  const FloatEnvironment environment;
  return upward(error.extra, error.allowances);
}

std::optional<double> running_bound(const RunningError& error) {
  const FloatEnvironment environment;
  if (!error.bounded) return std::nullopt;
  return or_infinite((upward(error.linear, error.roundings) + allowance(error)) * kUpward);
}

std::optional<double> probabilistic_bound(const RunningError& error, Format accumulate, std::uint64_t height,
                                          std::size_t n, double probability) {
  const FloatEnvironment environment;
  check_probability(probability);
  if (!error.random_model || !error.bounded) return std::nullopt;
  if (error.roundings == 0) return allowance(error);
  const double u = info(accumulate).unit_roundoff();
  const double h = static_cast<double>(height);
  const double failure = (1 - probability) / 2;
  const double lambda = std::sqrt(2 * std::log(2 * static_cast<double>(n) / failure));
  const double phi = lambda * std::sqrt(2 * h) * u * std::exp(lambda * lambda * h * u * u);
  const double spread = std::sqrt(2 * std::log(2 / failure));
  // The formula has the exact partial sums s_k; each differs from the computed one by at most the whole running bound.
  const double nodes = static_cast<double>(error.roundings);
  const double linear = upward(error.linear, error.roundings);  // never below the root of the squares
  const double squares = upward(error.square, error.roundings) + nodes * 0x1p-1022;  // and what underflowed in them
  const double computed = std::min(std::sqrt(squares) / error.scale, linear);
  const double inexact = std::sqrt(nodes) * u * (linear + allowance(error));
  return or_infinite(((1 + phi) * spread * (computed + inexact) + allowance(error)) * kUpward);
}

std::optional<double> gamma_bound(bool plain, Format accumulate, std::uint64_t height, double sum_abs, double extra) {
  const FloatEnvironment environment;
  if (!plain) return std::nullopt;
  const double hu = static_cast<double>(height) * info(accumulate).unit_roundoff();
  if (hu >= 1) return kInfinity;
  return on_converted_terms(hu / (1 - hu), sum_abs, extra);
}

std::optional<double> any_order_bound(bool plain, Format accumulate, std::size_t n, double sum_abs, double extra) {
  const FloatEnvironment environment;
  if (!plain) return std::nullopt;
  return on_converted_terms(static_cast<double>(n - 1) * info(accumulate).unit_roundoff(), sum_abs, extra);
}

std::optional<double> higham_mary_bound(bool plain, Format accumulate, std::uint64_t height, std::size_t n,
                                        double sum_abs, double extra, double probability) {
  const FloatEnvironment environment;
  check_probability(probability);
  if (!plain) return std::nullopt;
  const double u = info(accumulate).unit_roundoff();
  const double h = static_cast<double>(height);
  const double lambda = std::sqrt(2 * std::log(2 * static_cast<double>(n) / (1 - probability))) / (1 - u);
  return on_converted_terms(std::expm1((lambda * std::sqrt(h) * u + h * u * u / (1 - u)) * kUpward), sum_abs, extra);
}

void LargestBounds::add(const Evaluation& e, Format accumulate, std::size_t n) {
  const FloatEnvironment environment;
  LargestBounds one;
  one.running = running_bound(e.error);
  one.probabilistic = probabilistic_bound(e.error, accumulate, e.height, n);
  one.height = e.height;
  one.extra = allowance(e.error);
  one.plain = e.error.plain;
  one.running_missing = !one.running;
  one.probabilistic_missing = !one.probabilistic;
  merge(one);
}

void LargestBounds::merge(const LargestBounds& other) {
  const FloatEnvironment environment;
  const auto larger = [](std::optional<double>& mine, const std::optional<double>& theirs, bool missing) {
    if (missing)
      mine.reset();
    else if (theirs && (!mine || *mine < *theirs))
      mine = theirs;
  };
  running_missing = running_missing || other.running_missing;
  probabilistic_missing = probabilistic_missing || other.probabilistic_missing;
  larger(running, other.running, running_missing);
  larger(probabilistic, other.probabilistic, probabilistic_missing);
  height = std::max(height, other.height);
  extra = std::max(extra, other.extra);
  plain = plain && other.plain;
}

namespace {

std::vector<Bound> empty_bounds() {
  using enum BoundScope;
  return {
      {"D1", additions, "for the additions that were done", "[Higham1993]", {}, {}},
      {"D2", height, "gamma_h sum|x|, sums of that height", "[Higham2002]", {}, {}},
      {"P3", additions, "assumes random roundings", "[HallmanIpsen2023]", {}, kProbability},
      {"D3", every_order, "(n-1) u sum|x|, every order", "[Rump2012], [JeannerodRump2013]", {}, {}},
      {"P1", height, "assumes random roundings", "[HighamMary2019]", {}, kProbability},
      {"gamma_n", every_order, "gamma_n sum|x|, every order", "[Higham2002]", {}, {}},
  };
}

}  // namespace

bool no_better(std::optional<double> probabilistic, std::optional<double> proven) {
  const FloatEnvironment environment;
  return probabilistic && proven && *probabilistic >= 0.99 * *proven;
}

std::vector<Bound> all_bounds(const LargestBounds& seen, bool overflowed, Format accumulate, std::size_t n,
                              double sum_abs) {
  const FloatEnvironment environment;
  const auto unless_overflowed = [&](std::optional<double> bound) {
    return bound && overflowed ? std::optional(kInfinity) : bound;
  };
  std::vector<Bound> bounds = empty_bounds();
  const auto at = [&](BoundKind kind) -> auto& { return bounds[static_cast<std::size_t>(kind)].value; };
  at(BoundKind::running) = seen.running;
  at(BoundKind::gamma) = unless_overflowed(gamma_bound(seen.plain, accumulate, seen.height, sum_abs, seen.extra));
  at(BoundKind::probabilistic) = seen.probabilistic;
  at(BoundKind::any_order) = unless_overflowed(any_order_bound(seen.plain, accumulate, n, sum_abs, seen.extra));
  at(BoundKind::higham_mary) =
      unless_overflowed(higham_mary_bound(seen.plain, accumulate, seen.height, n, sum_abs, seen.extra));
  at(BoundKind::gamma_n) = unless_overflowed(gamma_bound(seen.plain, accumulate, n, sum_abs, seen.extra));
  return bounds;
}

// Additions are rounded to several formats: with theta, the sum of the unit roundoffs along a path, in place
// of h u. A term is multiplied by factors 1 + delta_k with |delta_k| <= u_k, one for each rounding on its path; their
// product differs from 1 by at most theta / (1 - theta), by induction as for equal u_k [Higham2002].
std::optional<double> gamma_bound_of(const Plan& plan, double sum_abs, double extra) {
  const FloatEnvironment environment;
  const std::optional<double> roundoff = plan.path_roundoff();
  if (!roundoff) return std::nullopt;
  const double theta = *roundoff * kUpward;
  if (theta >= 1) return kInfinity;
  return on_converted_terms(theta / (1 - theta), sum_abs, extra);
}

std::vector<Bound> all_bounds(const Evaluator& evaluator, const ResultCounts& counts, const ExactValue& sum_abs) {
  const FloatEnvironment environment;
  const auto heights = counts.heights();
  if (!heights) return empty_bounds();
  LargestBounds seen;
  if (const auto range = counts.running_bounds()) seen.running = range->max;
  seen.probabilistic = counts.probabilistic_bound();
  seen.height = heights->max;
  seen.extra = counts.extra();
  seen.plain = counts.plain();
  const bool overflowed = counts.finite() < counts.samples();
  std::vector<Bound> bounds =
      all_bounds(seen, overflowed, evaluator.formats().accumulate, evaluator.term_count(), sum_abs.to_double());
  if (!evaluator.plan().changes_format()) return bounds;
  auto& gamma = bounds[static_cast<std::size_t>(BoundKind::gamma)].value;
  gamma = gamma_bound_of(evaluator.plan(), sum_abs.to_double(), seen.extra);
  if (gamma && overflowed) gamma = kInfinity;
  return bounds;
}

}  // namespace orderlab
