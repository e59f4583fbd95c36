#include "fit/errors.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "fit/recordings.hpp"

using namespace orderlab;
using orderlab::test::record;

TEST_CASE("scales add what is accepted and the standard error of the rows as variances") {
  const Rows recording = record("jitter(9)", 100, 12);
  std::vector<const ArrivalOrder*> rows;
  for (const ArrivalOrder& row : recording.rows) rows.push_back(&row);
  const RecordedFeatures features(rows, {});
  const ResampledRows resampled = resample(features, 1, replicates::kErrors);
  CHECK(resampled.rows == 12);
  CHECK(resampled.vary);
  CHECK(resampled.mean == features.mean());
  CHECK(resampled.replicates.size() == kReplicates);
  const Features accepted = feature_tolerances(resampled.mean);
  double squares = 0;
  double sum = 0;
  for (const ArrivalOrder& row : recording.rows) sum += kendall_tau(row);
  for (const ArrivalOrder& row : recording.rows) squares += std::pow(kendall_tau(row) - sum / 12, 2);
  // Means of 12 drawn from 12 have this variance over 12; an error from 1000 of them is known to 1 / sqrt(2000).
  const double expected = std::sqrt(squares / 144);
  const double error = std::sqrt(resampled.scales[0] * resampled.scales[0] - accepted[0] * accepted[0]);
  CHECK(std::fabs(error - expected) <= 5 / std::sqrt(2000.0) * expected);
}

TEST_CASE("rows that never differ leave nothing open") {
  const Rows recording = record("launch", 100, 12);
  std::vector<const ArrivalOrder*> rows;
  for (const ArrivalOrder& row : recording.rows) rows.push_back(&row);
  const ResampledRows resampled = resample(RecordedFeatures(rows, {}), 1, replicates::kErrors);
  CHECK(resampled.scales == feature_tolerances(resampled.mean));
  CHECK(!resampled.vary);
}
