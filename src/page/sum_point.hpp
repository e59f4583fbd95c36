// One sum of a page from what was measured of it.
#pragma once

#include <cstdint>
#include <optional>

#include "config/point_config.hpp"
#include "orderlab/counts.hpp"
#include "orderlab/exact.hpp"
#include "orderlab/metrics.hpp"
#include "page/sweep_content.hpp"
#include "sweep/store.hpp"

namespace orderlab {

/// What a page needs of one order on one input. Order and arrival of the config are left to the caller.
struct MeasuredPoint {
  PointConfig config;
  bool random = false;
  std::uint64_t samples = 0;  ///< number of samples drawn, or of all orders
  ExactValue exact;           ///< S; NaN where it is not known
  ExactValue sum_abs;
  std::optional<double> condition;
  Metrics metrics;
  Distribution results;  ///< empty where they are in bins
  BinnedResults bins;    ///< empty where results are listed
};

/// What a store has of a point; what it has not is empty. Error(input) for texts and counts that a sweep never writes.
MeasuredPoint measured_point(const StoredPoint& point);

/// What was found of a sampled order.
MeasuredPoint measured_point(const study::SampledOrder& order, const study::InputFacts& input,
                             const PointConfig& config);

/// The point, without a unit: the caller gives it one by set_unit. Its position is left to the caller.
SumPoint point_of(const MeasuredPoint& measured);

/// Makes these the errors that the point shows; errors and bounds, so far as they are, become multiples of their unit.
/// To be called once.
void set_unit(SumPoint& point, const ErrorSizes& sizes);

}  // namespace orderlab
