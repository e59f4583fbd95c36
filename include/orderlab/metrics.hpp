// Metrics of a set of samples. Each describes itself; reports loop over the list.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "orderlab/counts.hpp"
#include "orderlab/evaluator.hpp"
#include "orderlab/exact.hpp"
#include "orderlab/record.hpp"

namespace orderlab {

/// Input of a metric.
struct Measurement {
  const Evaluator& evaluator;
  const ResultCounts& counts;
  const ExactValue& exact;    ///< S, the exact sum of the terms
  const ExactValue& sum_abs;  ///< A, the exact sum of their absolute values
  std::size_t n = 0;
  std::string baseline_name;  ///< of the fixed order that Vs compares with
  double baseline = 0;        ///< its result
  std::uint64_t baseline_bits = 0;
  std::uint64_t samples_asked = 0;  ///< of the whole experiment, of which counts may be a part
  TermView terms = {};              ///< of the evaluator; only metrics that add them again need them
};

struct Metric {
  std::string_view name;  ///< its key in JSON
  std::string_view unit;
  std::string_view summary;
  std::string_view source;
  Field (*measure)(const Measurement& m);
};

/// The built-in metrics, in the order in which reports show them.
std::span<const Metric* const> metrics();

/// Arrival orders, those of the first samples, that the metric `arrival` takes its Kendall taus from: 16; up to 1000
/// while all together have at most 2^19 positions, and fewer, but 4, where 16 would have more than 2^21.
std::uint64_t arrival_draws(std::size_t partial_sums);

/// All metrics of one measurement, by name.
Record measure_all(const Measurement& m);

/// Condition number sum|x| / |sum x|; infinity for a sum of 0, 1 when all terms are 0.
double condition_number(const ExactValue& exact, const ExactValue& sum_abs);

}  // namespace orderlab
