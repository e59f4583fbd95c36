#include "metrics/bounds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/arithmetic_guard.hpp"
#include "orderlab/metrics.hpp"

namespace orderlab {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Covers the few dozen fp64 operations of a formula, each with a relative error of at most 2^-53, and library functions
// of a few ulps.
constexpr double kUpward = 1 + 0x1p-46;

// Covers `count` more additions of a sum of non-negative numbers.
double upward(double sum, std::uint64_t count) { return sum * (1 + 0x1p-52 * static_cast<double>(count)) * kUpward; }

double or_infinite(double bound) { return std::isnan(bound) ? kInfinity : bound; }

}  // namespace

double allowance(const RunningError& error) { return upward(error.extra, error.allowances); }

std::optional<double> running_bound(const RunningError& error) {
  if (!error.bounded) return std::nullopt;
  return or_infinite((upward(error.linear, error.roundings) + allowance(error)) * kUpward);
}

std::optional<double> probabilistic_bound(const RunningError& error, Format accumulate, std::uint64_t height,
                                          std::size_t n) {
  if (!error.random_model || !error.bounded) return std::nullopt;
  if (error.roundings == 0) return allowance(error);
  const double u = info(accumulate).unit_roundoff();
  const double h = static_cast<double>(height);
  const double failure = (1 - kProbability) / 2;
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
  if (!plain) return std::nullopt;
  const double hu = static_cast<double>(height) * info(accumulate).unit_roundoff();
  if (hu >= 1) return kInfinity;
  return or_infinite((hu / (1 - hu) * (sum_abs + extra) + extra) * kUpward);
}

namespace {

Field measure(const Measurement& m) {
  Record running;
  const auto range = m.counts.running_bounds();
  running.set("min", range ? std::optional(range->min) : std::nullopt);
  running.set("max", range ? std::optional(range->max) : std::nullopt);
  const auto heights = m.counts.heights();
  Record probabilistic;
  probabilistic.set("value", m.counts.probabilistic_bound());
  probabilistic.set("probability", Field(kProbability));
  Record bounds;
  bounds.set("running", std::move(running));
  std::optional<double> gamma;
  if (heights)
    gamma = gamma_bound(m.counts.plain(), m.evaluator.formats().accumulate, heights->max, m.sum_abs.to_double(),
                        m.counts.extra());
  const bool overflowed = m.counts.finite() < m.counts.samples();
  bounds.set("gamma", gamma && overflowed ? std::optional(kInfinity) : gamma);
  bounds.set("probabilistic", std::move(probabilistic));
  return std::vector<Record>{std::move(bounds)};
}

}  // namespace

extern const Metric kBounds;
const Metric kBounds{
    .name = "bounds",
    .unit = "as the sum",
    .summary = "proven bounds on |computed - exact|: D1 running, D2 gamma_h sum|x|; P3 assumes random roundings",
    .source = "[Higham1993], [Higham2002], [HallmanIpsen2023]",
    .measure = measure,
};

}  // namespace orderlab
