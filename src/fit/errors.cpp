#include "fit/errors.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace orderlab {

namespace {

using Matrix = std::vector<std::vector<double>>;

// Gauss-Jordan elimination with row pivots; empty for a matrix that is singular in double arithmetic.
std::optional<Matrix> inverse(Matrix a) {
  constexpr double kSingular = 1e-10;  // of a pivot over the largest: far below what resampled features can tell
  const std::size_t n = a.size();
  Matrix result(n, std::vector<double>(n, 0));
  for (std::size_t i = 0; i < n; ++i) result[i][i] = 1;
  double largest = 0;
  for (std::size_t i = 0; i < n; ++i) largest = std::max(largest, std::fabs(a[i][i]));
  for (std::size_t c = 0; c < n; ++c) {
    std::size_t pivot = c;
    for (std::size_t r = c + 1; r < n; ++r)
      if (std::fabs(a[r][c]) > std::fabs(a[pivot][c])) pivot = r;
    if (!(std::fabs(a[pivot][c]) > kSingular * largest)) return std::nullopt;
    std::swap(a[c], a[pivot]);
    std::swap(result[c], result[pivot]);
    const double scale = 1 / a[c][c];
    for (std::size_t k = 0; k < n; ++k) {
      a[c][k] *= scale;
      result[c][k] *= scale;
    }
    for (std::size_t r = 0; r < n; ++r) {
      if (r == c) continue;
      const double factor = a[r][c];
      for (std::size_t k = 0; k < n; ++k) {
        a[r][k] -= factor * a[c][k];
        result[r][k] -= factor * result[c][k];
      }
    }
  }
  return result;
}

Features resampled_mean(std::span<const Features> units, std::span<const double> weights) {
  Features sum{};
  for (std::size_t u = 0; u < units.size(); ++u)
    for (std::size_t f = 0; f < kFeatures; ++f) sum[f] += weights[u] * units[u][f];
  for (double& feature : sum) feature /= static_cast<double>(units.size());
  return sum;
}

}  // namespace

std::optional<std::vector<Features>> gauss_newton(std::span<const Features> slopes, const Features& tolerances) {
  const std::size_t n = slopes.size();
  Matrix normal(n, std::vector<double>(n, 0));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t f = 0; f < kFeatures; ++f)
        normal[i][j] += slopes[i][f] * slopes[j][f] / (tolerances[f] * tolerances[f]);
  const std::optional<Matrix> inverted = inverse(normal);
  if (!inverted) return std::nullopt;
  std::vector<Features> matrix(n, Features{});
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t f = 0; f < kFeatures; ++f)
        matrix[i][f] += (*inverted)[i][j] * slopes[j][f] / (tolerances[f] * tolerances[f]);
  return matrix;
}

std::vector<std::vector<double>> bootstrap_deviations(const RecordedFeatures& rows, std::span<const Features> units,
                                                      std::span<const Features> matrix, std::uint64_t seed) {
  const Features recorded = rows.mean();
  const Features simulated = mean_of(units);
  std::vector<std::vector<double>> deviations(matrix.size());
  for (std::uint64_t b = 0; b < kReplicates; ++b) {
    const Features row_mean = rows.mean(bootstrap_weights(rows.size(), seed, replicates::kErrors + 2 * b));
    const Features unit_mean =
        resampled_mean(units, bootstrap_weights(units.size(), seed, replicates::kErrors + 2 * b + 1));
    for (std::size_t i = 0; i < matrix.size(); ++i) {
      double deviation = 0;
      for (std::size_t f = 0; f < kFeatures; ++f)
        deviation += matrix[i][f] * ((row_mean[f] - recorded[f]) - (unit_mean[f] - simulated[f]));
      deviations[i].push_back(deviation);
    }
  }
  return deviations;
}

}  // namespace orderlab
