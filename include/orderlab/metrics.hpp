// Metrics: what is computed from the results of samples or of all orders. Each describes itself; reports loop over
// them.
#pragma once

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
#include "orderlab/metric_values.hpp"

namespace orderlab {

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
