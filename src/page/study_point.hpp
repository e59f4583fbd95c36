// One point of a study from what was stored or measured of it.
#pragma once

#include "config/json.hpp"
#include "orderlab/metrics.hpp"
#include "page/study.hpp"
#include "sweep/counts_blob.hpp"

namespace orderlab {

/// What a store or an experiment has of a point.
struct PointTexts {
  Json config;
  Json terms;
  Json summation;
  Metrics metrics;
  std::uint64_t samples = 0;
  BlobCounts counts;
};

/// Makes these the errors that the point shows.
void set_errors(StudyPoint& point, const ErrorSizes& sizes);

/// The point, errors and bounds in ulps. Its position, order and arrival are left to the caller.
StudyPoint point_of(const PointTexts& texts);

}  // namespace orderlab
