// What a page is about: points with what was measured, from a store or from one finding of `sample`.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "config/point_config.hpp"
#include "metrics/error_units.hpp"
#include "orderlab/distribution.hpp"
#include "orderlab/format.hpp"
#include "orderlab/study/operation.hpp"
#include "orderlab/study/sample.hpp"
#include "sweep/provenance.hpp"
#include "sweep/published_points.hpp"
#include "sweep/store.hpp"

namespace orderlab {

/// Errors of one point in one unit.
struct ErrorSizes {
  std::optional<ErrorUnit> unit;  ///< empty where every term is 0, or nothing is known
  std::optional<double> sd;
  std::optional<double> max_abs;
  std::optional<double> rms;    ///< over the samples
  std::optional<double> range;  ///< from the least result to the greatest
};

/// One order on one input: its config, and what was measured. Numbers are empty where there are none: no ulp, a sum of
/// 0, an overflow.
struct SumPoint : PointConfig {
  std::uint64_t position = 0;  ///< in the plan
  std::uint64_t samples = 0;   ///< number of samples drawn, or of all orders
  bool random = false;
  std::optional<double> condition;
  std::optional<double> distinct;
  std::optional<double> error_sd;  ///< in the page's unit, as all that is named error_ and the bounds
  std::optional<double> error_max_abs;
  std::optional<double> error_rms;         ///< over the samples
  std::optional<double> error_range;       ///< from the least result to the greatest
  std::optional<double> relative_max_abs;  ///< relative to |exact sum|
  std::optional<double> part_max_abs;      ///< relative to sum |x|
  std::string vs_baseline;                 ///< the order that Vs was measured against; canonical
  std::optional<double> vs_offset;
  std::optional<double> vs_spread;
  std::optional<double> vs_max_abs;
  std::optional<double> apart_offset;  ///< from the baseline's result, over sum |x| instead of |S_d|
  std::optional<double> apart_spread;
  std::optional<double> apart_max_abs;
  std::optional<double> common_value;         ///< the value of all results
  std::optional<double> stagnation;           ///< value at which the running sum stopped growing, where known
  std::optional<double> running_bound;        ///< D1
  std::optional<double> probabilistic_bound;  ///< P3; empty also where it is no_better than D1
  double unit_roundoff = 0;                   ///< that of the accumulate format
  ErrorSizes in_ulps;                         ///< whatever the page's unit is
  ErrorSizes in_u_sum_abs;
  Distribution errors;           ///< errors of the finite results, in the page's unit; at most kKeptErrors, maybe bins
  std::uint64_t not_finite = 0;  ///< results
};

/// One operation with many outputs on one input: its config, and what was measured.
struct OperationPoint : PointConfig {
  std::uint64_t position = 0;  ///< in the plan
  std::string kernel;
  std::uint64_t outputs = 0;
  std::uint64_t contributions = 0;
  std::uint64_t units = 0;
  study::OperationMeasures measures;
};

/// Errors kept per point: neighbouring ones are merged, in equal counts, down to what a page can show.
inline constexpr std::size_t kKeptErrors = 1024;

/// From this condition number on a sum has lost a decimal digit to cancellation: it counts as near 0.
inline constexpr double kNearZero = 10;

/// Errors are in ulps of the exact sum; in u sum|x|, u the unit roundoff of the accumulate format, where sums of
/// different inputs are compared of which some are near 0 (condition number above kNearZero), or where a sum is 0:
/// there an ulp, and the sum itself, says nothing of how accurate an order is.
struct SweepContent {
  std::string title;
  std::string question;
  std::vector<std::string> answers;             ///< what a terminal would say last; empty for a sweep
  std::string exact_sum;                        ///< of one finding of `sample`, as decimal; empty for a sweep
  bool near_zero = false;                       ///< errors are in u sum|x|
  std::uint64_t planned = 0;                    ///< points
  std::string hash;                             ///< one hash over all points in their order
  bool swept = false;                           ///< by a config; else by one command line
  std::string how_to_repeat;                    ///< command line
  std::vector<Provenance> made_by;              ///< distinct ones
  std::vector<SumPoint> points;                 ///< sums that are finished, in the order of the plan
  std::vector<OperationPoint> operations = {};  ///< the same of operations with many outputs
  PublishedPoints published = {};               ///< by others, of the same operations

  std::size_t finished() const { return points.size() + operations.size(); }

  /// The configs of all finished points, in the order of the plan.
  std::vector<const PointConfig*> configs() const;
};

/// "ulp" or "u sum|x|".
std::string error_unit(const SweepContent& content);

/// What relative errors and differences are parts of: "the sum" or "sum|x|".
std::string whole_of(const SweepContent& content);

/// The content of a store; `read` is called after each point with how many there are. Error(input) where it has
/// no finished point, or where a row is damaged.
SweepContent content_of(const Store& store,
                        const std::function<void(std::uint64_t done, std::uint64_t all)>& read = {});

/// The same of one finding of `sample`.
SweepContent content_of(const study::SampleFinding& finding);

}  // namespace orderlab
