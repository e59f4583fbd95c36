// What a page needs of a point: from a finding, and from the texts of a store.
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "config/json.hpp"
#include "orderlab/order.hpp"
#include "page/sum_point.hpp"
#include "show/input_json.hpp"
#include "sweep/counts_blob.hpp"

namespace orderlab {

namespace {

constexpr std::string_view kRandom = name_of(Guarantee::not_guaranteed);

// A number, infinities included; empty if it is null or absent.
std::optional<double> number(const Json& json, const char* key) {
  const Json& value = json[key];
  if (value.is_number()) return value.number();
  if (value == "inf") return std::numeric_limits<double>::infinity();
  return std::nullopt;
}

std::string text(const Json& json, const char* key) { return json[key].is_text() ? json[key].text() : std::string(); }

// The digits that a store has do not tell a result from the sum where they agree in all: then the result is the sum.
ExactValue exact_in(const Json& terms, Format result) {
  const std::string digits = text(terms["exact"], "decimal");
  const auto exact = ExactValue::from_decimal(digits);
  if (!exact) return ExactValue::from_decimal("nan").value();
  ExactSum rounded;
  rounded.add(value_of_bits(result, exact->round_to(result)));
  return rounded.value().decimal(kExactDigits) == digits ? rounded.value() : *exact;
}

// A sum of magnitudes that no double holds is that multiple of the sum which the condition number says.
ExactValue sum_abs_in(const Json& terms, const ExactValue& exact) {
  ExactSum sum;
  const double stored = number(terms, "sum_abs").value_or(0);
  if (std::isfinite(stored))
    sum.add(stored);
  else
    sum.add_product(number(terms, "condition").value_or(0), std::fabs(exact.to_double()));
  return sum.value();
}

}  // namespace

MeasuredPoint measured_point(const StoredPoint& stored) {
  const Json config = Json::parse(stored.config);
  const Json terms = Json::parse(stored.terms);
  const Json summation = Json::parse(stored.summation);
  const Json metrics = Json::parse(stored.metrics);
  MeasuredPoint point;
  point.config = point_config(config);
  point.config.expression = text(summation, "expression");
  point.random = text(summation, "guarantee") == kRandom;
  if (metrics["samples"].is_count()) point.samples = metrics["samples"].count();
  point.exact = exact_in(terms, point.config.formats.result);
  point.sum_abs = sum_abs_in(terms, point.exact);
  point.condition = number(terms, "condition");
  point.metrics = metrics_from(metrics, point.config.all_orders);
  BlobCounts counts = from_blob(stored.counts, point.config.formats.result);
  if (counts.bin_exponent)
    point.bins = {std::move(counts.values), *counts.bin_exponent};
  else
    point.results = std::move(counts.values);
  return point;
}

MeasuredPoint measured_point(const study::SampledOrder& order, const study::InputFacts& input,
                             const PointConfig& config) {
  MeasuredPoint point;
  point.config = config;
  point.random = order.guarantee == kRandom;
  point.samples = order.counts.samples();
  point.exact = input.exact;
  point.sum_abs = input.sum_abs;
  point.condition = condition_number(input.exact, input.sum_abs);
  if (std::isnan(*point.condition)) point.condition.reset();
  point.metrics = order.metrics;
  if (order.counts.binned())
    point.bins = {order.counts.bins(), order.counts.bin_exponent()};
  else
    point.results = order.counts.results();
  return point;
}

}  // namespace orderlab
