// Distances of results from references and from each other, rounded upward, and tallies of them.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include "core/arithmetic_guard.hpp"
#include "core/float_environment.hpp"
#include "core/infinity.hpp"
#include "orderlab/bounds.hpp"
#include "orderlab/error.hpp"
#include "orderlab/tolerance.hpp"
#include "run/product.hpp"

namespace orderlab {

namespace {

double up(double value) { return std::nextafter(value, kInfinity); }

// |a - b| of finite doubles, rounded upward.
double distance(double a, double b) {
  const auto [d, lost] = detail::two_sum(std::max(a, b), -std::min(a, b));
  return std::isfinite(d) && lost > 0 ? up(d) : d;
}

// a / b of numbers that are not negative, rounded upward; 0 / 0 is 0.
double ratio(double a, double b) {
  if (a == 0) return 0;
  if (b == 0 || std::isinf(a)) return kInfinity;
  constexpr double kResidueIsExact = 0x1p-900;  // no underflow in what fma returns
  const double q = a / b;
  if (std::isinf(q)) return q;
  return a < kResidueIsExact || q < kResidueIsExact || std::fma(q, b, -a) < 0 ? up(q) : q;
}

// sqrt(sum / count); the sum of squares may not be a double.
double root_mean(const ExactValue& sum, std::uint64_t count) {
  if (sum.zero()) return 0;
  const int exponent = sum.exponent() & ~1;
  return std::ldexp(std::sqrt(sum.scaled(-exponent) / static_cast<double>(count)), exponent / 2);
}

}  // namespace

Yardstick::Yardstick(const ExactValue& exact, Format result)
    : exact_(exact), ulp_exponent_(exact.finite() ? exact.ulp_exponent(result) : 0) {
  const FloatEnvironment environment;
  if (!exact.finite())
    throw Error(ErrorKind::input, "the exact sum is " + exact.decimal(3) +
                                      ": results cannot be measured against it; terms must be finite");
  const auto rounded = [&](Format format) { return value_of_bits(format, exact.round_to(format)); };
  const bool narrow = info(result).precision < info(Format::fp32).precision;
  rounded_ = {rounded(Format::fp64), rounded(result), rounded(narrow ? Format::fp32 : result)};
  const double nearest = rounded_[0];
  exact_is_double_ = std::isfinite(nearest) && exact.difference(nearest) == 0;
  least_ = kInfinity;
  for (const double reference : rounded_) least_ = std::min(least_, std::fabs(reference));
  if (!exact_is_double_) least_ = std::min(least_, std::nextafter(std::fabs(nearest), 0.0));
}

bool Yardstick::overflows() const {
  return std::any_of(rounded_.begin(), rounded_.end(), [](double reference) { return std::isinf(reference); });
}

double Yardstick::in_ulps(double absolute) const {
  // Unit 2^e with e >= -1074; scaling by it is exact but for overflow, and for underflow, which may only round to 0.
  if (absolute == 0 || exact_.zero()) return absolute == 0 ? 0 : kInfinity;
  return std::max(std::ldexp(absolute, -ulp_exponent_), std::numeric_limits<double>::denorm_min());
}

Deviation Yardstick::from_reference(double result) const {
  const FloatEnvironment environment;
  if (!std::isfinite(result)) return {kInfinity, kInfinity, kInfinity, kInfinity};
  const double from_exact = exact_is_double_ ? distance(result, rounded_[0]) : up(std::fabs(exact_.difference(result)));
  double absolute = from_exact;
  for (const double reference : rounded_)
    absolute = std::max(absolute, std::isfinite(reference) ? distance(result, reference) : kInfinity);
  return {absolute, ratio(absolute, least_), in_ulps(absolute), from_exact};
}

Deviation Yardstick::between(double one, double other) const {
  const FloatEnvironment environment;
  if (!std::isfinite(one) || !std::isfinite(other)) return {kInfinity, kInfinity, kInfinity, kInfinity};
  return between_results_above(std::min(std::fabs(one), std::fabs(other)), distance(one, other));
}

Deviation Yardstick::between_results_above(double least, double absolute) const {
  const FloatEnvironment environment;
  return {absolute, ratio(absolute, least), in_ulps(absolute), absolute};
}

void LargestValues::add(double value) {
  const FloatEnvironment environment;
  values_.push_back(value + 0.0);
  if (values_.size() >= 2 * keep_ + 64) drop_small();
}

void LargestValues::merge(const LargestValues& other) {
  const FloatEnvironment environment;
  if (other.keep_ != keep_)
    throw Error(ErrorKind::usage, "largest values: the " + std::to_string(keep_) + " largest and the " +
                                      std::to_string(other.keep_) +
                                      " largest cannot be merged; both must keep as many");
  values_.insert(values_.end(), other.values_.begin(), other.values_.end());
  drop_small();
}

void LargestValues::drop_small() {
  if (values_.size() <= keep_) return;
  const auto kept = values_.begin() + static_cast<std::ptrdiff_t>(keep_);
  std::nth_element(values_.begin(), kept, values_.end(), std::greater<>());
  values_.resize(keep_);
}

double LargestValues::of_rank(std::uint64_t rank) const {
  const FloatEnvironment environment;
  std::vector<double> sorted = values_;
  const auto place = sorted.begin() + static_cast<std::ptrdiff_t>(rank - 1);
  std::nth_element(sorted.begin(), place, sorted.end(), std::greater<>());
  return *place;
}

void DeviationTally::add(const Deviation& deviation) {
  const FloatEnvironment environment;
  ++draws_;
  absolute_.add(deviation.absolute);
  relative_.add(deviation.relative);
  ulp_.add(deviation.ulp);
  largest_from_exact_ = std::max(largest_from_exact_, deviation.from_exact);
  if (!std::isfinite(deviation.absolute)) {
    ++nonfinite_;
    return;
  }
  squares_.add_product(deviation.absolute, deviation.absolute);
  squares_from_exact_.add_product(deviation.from_exact, deviation.from_exact);
}

void DeviationTally::add_input(double sum_abs, double condition) {
  const FloatEnvironment environment;
  sum_abs_ = std::max(sum_abs_, sum_abs);
  condition_ = std::max(condition_, condition);
}

void DeviationTally::merge(const DeviationTally& other) {
  const FloatEnvironment environment;
  bounds.merge(other.bounds);
  other_bounds.merge(other.other_bounds);
  absolute_.merge(other.absolute_);
  relative_.merge(other.relative_);
  ulp_.merge(other.ulp_);
  squares_.merge(other.squares_);
  squares_from_exact_.merge(other.squares_from_exact_);
  largest_from_exact_ = std::max(largest_from_exact_, other.largest_from_exact_);
  draws_ += other.draws_;
  nonfinite_ += other.nonfinite_;
  add_input(other.sum_abs_, other.condition_);
}

Deviation DeviationTally::limit(std::uint64_t rank) const {
  const FloatEnvironment environment;
  return {absolute_.of_rank(rank), relative_.of_rank(rank), ulp_.of_rank(rank)};
}

std::optional<double> DeviationTally::rms() const {
  const FloatEnvironment environment;
  if (nonfinite_ == draws_) return std::nullopt;
  return root_mean(squares_.value(), draws_ - nonfinite_);
}

std::optional<double> DeviationTally::rms_from_exact() const {
  const FloatEnvironment environment;
  if (nonfinite_ == draws_) return std::nullopt;
  return root_mean(squares_from_exact_.value(), draws_ - nonfinite_);
}

}  // namespace orderlab
