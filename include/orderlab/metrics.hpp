// Metrics: what is computed from the results of samples or of all orders. Each describes itself; reports loop over
// them.
#pragma once

#include <array>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "orderlab/counts.hpp"
#include "orderlab/distribution.hpp"
#include "orderlab/evaluator.hpp"
#include "orderlab/exact.hpp"
#include "orderlab/value.hpp"

namespace orderlab {

/// Different bit patterns among the results.
struct DistinctResults {
  std::optional<std::uint64_t> count;  ///< empty for samples in bins
};

/// Results that are no finite numbers: numbers of samples, or of orders as decimal texts.
struct NonfiniteResults {
  Value inf;
  Value minus_inf;
  Value nan;
};

/// Quantiles that are reported.
struct ReportedQuantile {
  double p;
  std::string_view name;
  std::string_view help;
};
inline constexpr ReportedQuantile kQuantiles[] = {
    {0.01, "0.01", "The 1 % quantile"},  {0.05, "0.05", "The 5 % quantile"},  {0.25, "0.25", "The 25 % quantile"},
    {0.5, "0.5", "The 50 % quantile"},   {0.75, "0.75", "The 75 % quantile"}, {0.95, "0.95", "The 95 % quantile"},
    {0.99, "0.99", "The 99 % quantile"},
};

/// A distribution, summed up; empty where there is nothing to say.
struct Summary {
  struct Quantile {
    std::optional<double> value;
    std::optional<double> low;  ///< lower end of its interval
    std::optional<double> high;
  };
  std::optional<double> min;
  std::optional<double> max;
  std::optional<double> mean;
  std::optional<double> sd;
  std::optional<double> max_abs;
  std::array<Quantile, std::size(kQuantiles)> quantiles = {};  ///< those of kQuantiles

  /// Sets min, max and max_abs.
  void set_extremes(double least, double greatest);
};

/// Errors result - S of the finite results.
struct ErrorSummary {
  Summary ulp;        ///< in ulps of S in the result format; next to S = 0 the smallest subnormal
  Summary relative;   ///< as parts of |S|; empty for S = 0
  Summary u_sum_abs;  ///< in u sum |x|, u the unit roundoff of the accumulate format
};

/// Vs = (|S_d| - |S_nd|) / |S_d| of the finite results S_nd, S_d the result of a fixed order.
struct VsSummary {
  std::string baseline;       ///< the fixed order
  std::string baseline_bits;  ///< bits of its result
  std::optional<double> offset;
  std::optional<double> spread;
  std::optional<double> max_abs;
};

/// Least and greatest running bound of the samples.
struct RunningBounds {
  std::optional<double> min;
  std::optional<double> max;
};

/// A bound that holds with a probability.
struct ProbabilisticBound {
  std::optional<double> value;
  double probability = 0;
};

/// Bounds on |result - S| (bounds.hpp); empty where none is derived.
struct BoundSummary {
  RunningBounds running;
  std::optional<double> gamma;
  ProbabilisticBound probabilistic;
  std::optional<double> any_order;
  ProbabilisticBound higham_mary;     ///< for samples
  std::optional<double> every_order;  ///< for all orders
};

/// The running sum that stopped growing; empty where none did.
struct StagnationSummary {
  std::optional<double> sum;
  std::optional<std::uint64_t> after;         ///< partial sums added by then
  std::optional<std::uint64_t> partial_sums;  ///< that there are
};

struct UnseenMass {
  std::optional<double> probability;  ///< that a sample gives a result not seen yet; empty for samples in bins
};

/// Do two runs give the same bits?
struct SameBits {
  std::optional<double> probability;
  std::optional<double> low;  ///< lower end of its interval
  std::optional<double> high;
  std::optional<std::uint64_t> runs_to_differ;
};

/// Kendall taus of arrival orders.
struct ArrivalTaus {
  std::uint64_t partial_sums = 0;
  std::uint64_t draws = 0;
  double tau_to_launch = 0;
  std::optional<double> tau_to_launch_standard_error;
  std::optional<double> tau_between;
  std::optional<double> tau_between_standard_error;
};

/// Input of a metric.
struct Measurement {
  const Evaluator& evaluator;
  const ExactValue& exact;                ///< S, the exact sum of the terms
  const ExactValue& sum_abs;              ///< A, the exact sum of their absolute values
  Distribution results;                   ///< all of them; empty where samples are in bins
  Distribution errors;                    ///< errors of the finite results (errors_of), or of the lower edges of bins
  const ResultCounts* samples = nullptr;  ///< null: the results are those of all orders
  std::string baseline_name = {};         ///< name of the fixed order that Vs compares with
  double baseline = 0;                    ///< its result
  std::uint64_t samples_asked = 0;        ///< samples of the whole sampling; `samples` may be a part of them
  TermView terms = {};                    ///< the evaluator's; only metrics that add them again need them

  /// A measurement of samples. What it refers to must outlive it.
  Measurement(const Evaluator& order, const ResultCounts& counts, const ExactValue& sum, const ExactValue& magnitudes);

  /// A measurement of all orders.
  Measurement(const Evaluator& order, const Distribution& all, const ExactValue& sum, const ExactValue& magnitudes);
};

class Metrics;

namespace described {
struct Field;
}

/// How a metric makes its values, and what type they have.
struct MetricFunctions {
  const void* type;
  std::shared_ptr<const void> (*measure)(const Measurement& m);  ///< null: there is nothing to say
  std::shared_ptr<void> (*make)();                               ///< an empty one
};

/// A column in the view of a store.
struct MetricColumn {
  std::string_view name;
  std::string_view path;  ///< the names of the fields that lead to it: "error.ulp.mean"
};

struct Metric {
  std::string_view name;  ///< its key in JSON
  std::string_view unit;
  std::string_view summary;
  std::string_view source;
  MetricFunctions functions;
  const described::Field* of_samples;                  ///< what it finds, field by field
  const described::Field* of_all_orders = of_samples;  ///< null: it is not measured of all orders
  std::span<const MetricColumn> columns = {};
};

/// The built-in metrics, in the order in which reports show them.
std::span<const Metric* const> metrics();

namespace detail {

template <class T>
inline constexpr char kType = 0;

template <class T>
struct NotOptional {
  using Type = T;
};
template <class T>
struct NotOptional<std::optional<T>> {
  using Type = T;
};

}  // namespace detail

/// The functions of a metric that `measure` computes, a function from Measurement to a struct, or to an optional one.
template <auto measure>
inline constexpr MetricFunctions kMeasuredBy = [] {
  using Returned = std::invoke_result_t<decltype(measure), const Measurement&>;
  using T = typename detail::NotOptional<Returned>::Type;
  return MetricFunctions{
      .type = &detail::kType<T>,
      .measure = [](const Measurement& m) -> std::shared_ptr<const void> {
        std::optional<T> value = measure(m);
        return value ? std::make_shared<T>(*std::move(value)) : nullptr;
      },
      .make = []() -> std::shared_ptr<void> { return std::make_shared<T>(); },
  };
}();

/// What the metrics found of one sampling.
class Metrics {
 public:
  struct Entry {
    const Metric* metric;
    std::shared_ptr<const void> value;  ///< null: there was nothing to say

    /// Whether it is the metric with values of this type.
    template <class T>
    bool is() const {
      return metric->functions.type == &detail::kType<T>;
    }
  };

  explicit Metrics(bool of_all_orders = false) : of_all_orders_(of_all_orders) {}

  /// Rather than of samples.
  bool of_all_orders() const { return of_all_orders_; }

  void add(const Metric& metric, std::shared_ptr<const void> value) { entries_.push_back({&metric, std::move(value)}); }

  /// In the order of metrics().
  std::span<const Entry> entries() const { return entries_; }

  /// What the metric with values of this type found; empty where it was not measured or had nothing to say.
  template <class T>
  const T& of() const {
    static const T kNothing{};
    for (const Entry& entry : entries_)
      if (entry.is<T>() && entry.value != nullptr) return *static_cast<const T*>(entry.value.get());
    return kNothing;
  }

 private:
  bool of_all_orders_;
  std::vector<Entry> entries_;
};

/// All metrics of one measurement.
Metrics measure_all(const Measurement& m);

/// Arrival orders, those of the first samples, that the metric `arrival` takes its Kendall taus from: 16; up to 1000
/// while all together have at most 2^19 positions, and fewer, but 4, where 16 would have more than 2^21.
std::uint64_t arrival_draws(std::size_t partial_sums);

/// Condition number sum|x| / |sum x|; infinity for a sum of 0, 1 when all terms are 0.
double condition_number(const ExactValue& exact, const ExactValue& sum_abs);

}  // namespace orderlab
