#include "fit/recorded_rows.hpp"

#include <algorithm>
#include <cmath>

#include "fit/bootstrap.hpp"
#include "fit/feature_rows.hpp"

namespace orderlab {

namespace {

Fold fold_of(const FeatureRows& all, std::size_t runs, std::size_t begin, std::size_t end) {
  std::vector<double> held_out(runs);
  std::fill(held_out.begin() + static_cast<std::ptrdiff_t>(begin), held_out.begin() + static_cast<std::ptrdiff_t>(end),
            1.0);
  std::vector<double> others;
  for (const double weight : held_out) others.push_back(1 - weight);
  const ArrivalFeatures inside = all.weighted(held_out);
  const ArrivalFeatures outside = all.weighted(others);
  return {.runs = end - begin,
          .held_out = values_of(inside),
          .others = values_of(outside),
          .defined = defined_in(inside) & defined_in(outside)};
}

}  // namespace

RecordedRows recorded_rows(ArrivalRows rows, const FitOptions& options) {
  constexpr double kLeastScale = 0.01;  // of what is accepted: a feature that does not vary has a scale, too
  const FeatureOptions how{.wave = options.wave, .threads = options.threads, .stop = options.stop};
  RecordedRows found;
  const FeatureRows all(rows, how);
  found.recorded = recorded_arrivals(all, options.seed, how);
  const RecordedArrivals& recorded = found.recorded;
  found.defined = defined_in(recorded.features);
  found.vary = defined_in(recorded.errors).any();
  found.mean = values_of(recorded.features);
  for (std::size_t f = 0; f < kArrivalFeatureCount; ++f)
    found.scales[f] = std::max(recorded.errors[f].value_or(0),
                               kLeastScale * feature_tolerance(kArrivalFeatures[f].kind, found.mean[f]));
  found.widened = repeating_blocks_factor(recorded.runs, recorded.block_length);
  for (const ArrivalFeatures& replicate : recorded.replicates) {
    Features& values = found.replicates.emplace_back(found.mean);
    for (std::size_t f = 0; f < kArrivalFeatureCount; ++f) values[f] = replicate[f].value_or(values[f]);
  }
  const std::size_t runs = all.runs();
  const std::size_t folds = std::min<std::size_t>(options.folds, runs / 2);
  for (std::size_t k = 0; k < folds; ++k)
    found.folds.push_back(fold_of(all, runs, k * runs / folds, (k + 1) * runs / folds));
  return found;
}

double RecordedRows::misfit_to(const Fold& fold, const Features& features) const {
  const double error_ratio = std::sqrt(static_cast<double>(runs()) / static_cast<double>(fold.runs));
  return feature_distance(features, fold.held_out, scales, fold.defined & defined) / error_ratio;
}

}  // namespace orderlab
