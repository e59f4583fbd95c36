#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/float_environment.hpp"
#include "metrics/statistics.hpp"
#include "orderlab/flips.hpp"

namespace orderlab {

namespace {

constexpr std::size_t kLeastMargins = 20;        // for a quartile
constexpr double kMostExact = 9007199254740992;  // 2^53

// The linear boundary kernel at 0 is (a2 - a1 u) / (a0 a2 - a1^2) K(u) with K(u) = 3/4 (1 - u^2) and a_i the integral
// of u^i K(u) from 0 to 1.
constexpr double kA0 = 1.0 / 2;
constexpr double kA1 = 3.0 / 16;
constexpr double kA2 = 1.0 / 10;

double boundary_kernel(double u) { return (kA2 - kA1 * u) / (kA0 * kA2 - kA1 * kA1) * 0.75 * (1 - u * u); }

std::vector<double> ascending_magnitudes(std::span<const double> changes, bool without_zeros) {
  std::vector<double> magnitudes;
  for (const double change : changes)
    if (!without_zeros || change != 0) magnitudes.push_back(std::fabs(change));
  std::sort(magnitudes.begin(), magnitudes.end());
  return magnitudes;
}

}  // namespace

std::optional<MarginDensity> margin_density_at_zero(std::span<const double> margins) {
  const FloatEnvironment environment;
  const std::vector<double> above = ascending_magnitudes(margins, true);
  if (above.size() < kLeastMargins) return {};
  const double rate = std::log(4.0 / 3) / quantile(above, 0.25);
  const auto n = static_cast<double>(above.size());
  // (R / (n B^2))^(1/5) / rate: R = 4.498 and B = -0.1158 are the integral of the squared kernel and of u^2 times it.
  MarginDensity density{.bandwidth = 3.2 / (rate * std::pow(n, 0.2))};
  double sum = 0;
  for (const double margin : above) {
    if (margin >= density.bandwidth) break;
    sum += boundary_kernel(margin / density.bandwidth);
  }
  density.per_nat = std::max(0.0, sum / (density.bandwidth * static_cast<double>(margins.size())));
  return density;
}

MarginNoise MarginNoise::normal(double mean_abs) {
  MarginNoise noise;
  noise.normal_ = true;
  noise.mean_abs_ = mean_abs;
  return noise;
}

MarginNoise MarginNoise::of(std::span<const double> changes) {
  const FloatEnvironment environment;
  MarginNoise noise;
  noise.magnitudes_ = ascending_magnitudes(changes, false);
  double sum = 0;
  for (const double magnitude : noise.magnitudes_) sum += magnitude;
  if (!changes.empty()) noise.mean_abs_ = sum / static_cast<double>(changes.size());
  return noise;
}

double MarginNoise::flips(double margin, double of_tie) const {
  const FloatEnvironment environment;
  // Of a normal D with the standard deviation s, E|D| = s sqrt(2 / pi).
  if (normal_) return std::erfc(margin * std::numbers::inv_sqrtpi / mean_abs_) / 2;
  if (magnitudes_.empty()) return 0;
  const auto above = std::upper_bound(magnitudes_.begin(), magnitudes_.end(), margin);
  const auto equal = std::lower_bound(magnitudes_.begin(), above, margin);
  const auto beyond = static_cast<double>(magnitudes_.end() - above);
  const auto at = static_cast<double>(above - equal);
  return (beyond + of_tie * at) / (2 * static_cast<double>(magnitudes_.size()));
}

NoiseLimit noise_limit(std::span<const double> changes) {
  const FloatEnvironment environment;
  const std::vector<double> magnitudes = ascending_magnitudes(changes, true);
  NoiseLimit limit{.allowed = kTwoSteps, .changed = magnitudes.size(), .median = {}, .shape = {}};
  if (limit.changed < kLeastChanges) return limit;
  const double median = quantile(magnitudes, 0.5);
  const double high = quantile(magnitudes, 0.9);
  const double steepness = std::log(high / median);
  const double fitted = steepness > 0 ? std::log(std::log(10.0) / std::numbers::ln2) / steepness : 2;
  limit.median = median;
  // The logarithm of the ratio of the two quantiles has a relative standard error of 1.32 / sqrt(n) where c is 1.
  const double lowered = fitted * (1 - 2 / std::sqrt(static_cast<double>(limit.changed)));
  limit.shape = std::clamp(lowered, 0.5, 2.0);
  const double depth = std::log(static_cast<double>(limit.changed + 1) / kBeyondLimit) / std::log(10.0);
  limit.allowed = kUnequalNoise * high * std::pow(depth, 1 / *limit.shape);
  return limit;
}

std::optional<double> tokens_to_half(double flips_per_token) {
  const FloatEnvironment environment;
  if (!(flips_per_token > 0)) return {};
  if (flips_per_token >= 0.5) return 1;
  const double tokens = -std::numbers::ln2 / std::log1p(-flips_per_token);
  return tokens < kMostExact ? std::optional(tokens) : std::nullopt;
}

std::optional<std::uint64_t> answers_to_see_one(double without) {
  const FloatEnvironment environment;
  if (!(without < 1)) return {};
  if (without <= 0.05) return 1;
  const double answers = std::ceil(std::log(0.05) / std::log(without));
  return answers < kMostExact ? std::optional(static_cast<std::uint64_t>(answers)) : std::nullopt;
}

}  // namespace orderlab
