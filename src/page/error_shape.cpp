#include "page/error_shape.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace orderlab {

namespace {

double total_of(std::span<const Weighted> values) {
  double total = 0;
  for (const Weighted& value : values) total += value.weight;
  return total;
}

// The least distance of two neighbours: a finer grid would only leave gaps.
double least_distance(std::span<const Weighted> errors) {
  double least = INFINITY;
  for (std::size_t i = 1; i < errors.size(); ++i) least = std::min(least, errors[i].value - errors[i - 1].value);
  return least;
}

}  // namespace

Distribution joined_neighbours(const Distribution& all, std::size_t most) {
  if (all.size() <= most) return all;
  const std::vector<Weighted>& errors = all.values;
  const double share = std::floor(total_of(errors) / static_cast<double>(most - 3)) + 1;
  Distribution kept{{errors.front()}};
  double sum = 0;
  double held = 0;
  for (std::size_t i = 1; i + 1 < errors.size(); ++i) {
    sum += errors[i].value * errors[i].weight;
    held += errors[i].weight;
    if (held < share && i + 2 < errors.size()) continue;
    kept.values.push_back({sum / held, held});
    sum = 0;
    held = 0;
  }
  kept.values.push_back(errors.back());
  return kept;
}

std::vector<Weighted> middles_of(const Distribution& errors) {
  std::vector<Weighted> middles = errors.values;
  for (Weighted& error : middles) error.value += errors.width / 2;
  return middles;
}

std::vector<HistogramBar> histogram_of(const Distribution& all, std::size_t most_bars) {
  const std::vector<Weighted>& errors = all.values;
  const bool binned = all.width > 0;
  const double first = errors.front().value;
  const double range = errors.back().value - first;
  const double finest = errors.size() > 1 ? least_distance(errors) : 1;
  // distances are powers of two but for roundings
  double width = binned ? all.width : std::exp2(std::floor(std::log2(finest) + 1e-6));
  // given edges may not begin at the least error: one more bar
  while (range / width > static_cast<double>(most_bars - (binned ? 2 : 1))) width *= 2;
  const double edge = binned ? first - all.width * std::round(first / all.width) : first - width / 2;
  std::map<double, double> bins;
  for (const Weighted& error : middles_of(all)) bins[std::floor((error.value - edge) / width)] += error.weight;
  const double total = total_of(errors);
  std::vector<HistogramBar> bars;
  for (const auto& [bin, count] : bins) bars.push_back({edge + bin * width, edge + (bin + 1) * width, count / total});
  return bars;
}

std::vector<EcdfStep> ecdf_of_magnitude(std::span<const Weighted> errors, std::size_t most_steps) {
  std::map<double, double> counts;
  for (const Weighted& error : errors) counts[std::fabs(error.value)] += error.weight;
  const double total = total_of(errors);
  std::vector<EcdfStep> all;
  double below = 0;
  for (const auto& [magnitude, count] : counts) all.push_back({magnitude, (below += count) / total});
  if (all.size() <= most_steps) return all;
  std::vector<EcdfStep> kept;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const double part = std::floor(all[i].fraction * static_cast<double>(most_steps - 2));
    const bool last_of_part =
        i + 1 == all.size() || std::floor(all[i + 1].fraction * static_cast<double>(most_steps - 2)) > part;
    if (i == 0 || last_of_part) kept.push_back(all[i]);
  }
  return kept;
}

}  // namespace orderlab
