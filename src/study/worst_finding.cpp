#include <algorithm>
#include <cmath>

#include "core/float_environment.hpp"
#include "orderlab/study/worst.hpp"

namespace orderlab::study {

std::optional<double> worst_error(const InputFacts& input, double value) {
  const FloatEnvironment environment;
  if (!input.exact.finite() || std::isnan(value)) return std::nullopt;
  return std::isinf(value) ? value : input.exact.difference(value);
}

std::optional<double> worst_error_ulp(const InputFacts& input, double value) {
  const FloatEnvironment environment;
  const auto error = worst_error(input, value);
  if (!error) return std::nullopt;
  return std::ldexp(*error, -input.exact.ulp_exponent(input.formats.result));
}

std::optional<double> worst_error_relative(const InputFacts& input, double value) {
  const FloatEnvironment environment;
  const auto error = worst_error(input, value);
  if (!error || input.exact.zero()) return std::nullopt;
  const int exponent = input.exact.exponent();
  return std::ldexp(*error, -exponent) / std::fabs(input.exact.scaled(-exponent));
}

std::optional<double> share_of_bound(const InputFacts& input, const WorstEnd& end) {
  const FloatEnvironment environment;
  const auto error = worst_error(input, end.value);
  if (!error || !end.running_bound || !(*end.running_bound > 0) || std::isinf(*end.running_bound)) return std::nullopt;
  return std::fabs(*error) / *end.running_bound;
}

std::optional<double> times_as_far(const WorstFinding& finding) {
  const FloatEnvironment environment;
  const auto seen = finding.sampled.extremes();
  if (!seen) return std::nullopt;
  const auto farther = [&](double a, double b) {
    return std::max(std::fabs(worst_error(finding.input, a).value_or(0)),
                    std::fabs(worst_error(finding.input, b).value_or(0)));
  };
  const double sampled = farther(seen->min, seen->max);
  const double extreme = farther(finding.least.value, finding.greatest.value);
  if (sampled == 0 || !std::isfinite(sampled) || !std::isfinite(extreme)) return std::nullopt;
  return extreme / sampled;
}

}  // namespace orderlab::study
