// Recorded runs by what a fit needs of them.
#pragma once

#include <cstdint>
#include <vector>

#include "fit/features.hpp"
#include "orderlab/fit.hpp"

namespace orderlab {

/// Successive runs that are held out, by the features of them and of all others.
struct Fold {
  std::uint64_t runs = 0;
  Features held_out{};
  Features others{};
  FeatureSet defined;  ///< in both
};

struct RecordedRows {
  RecordedArrivals recorded;
  FeatureSet defined;                ///< in the recording
  Features mean{};                   ///< its features
  Features scales{};                 ///< their standard errors, but at least a hundredth of what is accepted
  bool vary = false;                 ///< else a bootstrap says nothing of errors
  std::vector<Features> replicates;  ///< features of resampled recordings
  double widened = 1;                ///< for what varies with `replicates`: their blocks repeat
  std::vector<Fold> folds;

  std::uint64_t runs() const { return recorded.runs; }

  /// Misfit of features to a fold, in standard errors of as many runs as it has.
  double misfit_to(const Fold& fold, const Features& features) const;
};

/// Shape: as arrival_features, 4 rows or more. Stopped where a stop was requested.
RecordedRows recorded_rows(ArrivalRows rows, const FitOptions& options);

}  // namespace orderlab
