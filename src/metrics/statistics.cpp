#include "metrics/statistics.hpp"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <string>

#include "core/arithmetic_guard.hpp"
#include "core/text.hpp"

namespace orderlab {

RankInterval quantile_ranks(std::uint64_t n, double p, double confidence) {
  // X_(l) <= quantile holds unless fewer than l of n values are below it, X_(u) >= quantile unless u or more are.
  const double tail = (1 - confidence) / 2;
  const boost::math::binomial_distribution<double> below(static_cast<double>(n), p);
  const auto fewer_than = [&](std::uint64_t k) {
    return k == 0 ? 0.0 : boost::math::cdf(below, static_cast<double>(k - 1));
  };
  const auto at_least = [&](std::uint64_t k) {
    if (k == 0) return 1.0;
    return k > n ? 0.0 : boost::math::cdf(boost::math::complement(below, static_cast<double>(k - 1)));
  };
  std::uint64_t low = 0;
  for (std::uint64_t high = n; low < high;) {
    const std::uint64_t middle = high - (high - low) / 2;
    if (fewer_than(middle) <= tail)
      low = middle;
    else
      high = middle - 1;
  }
  std::uint64_t high = n + 1;
  for (std::uint64_t least = 1; least < high;) {
    const std::uint64_t middle = least + (high - least) / 2;
    if (at_least(middle) <= tail)
      high = middle;
    else
      least = middle + 1;
  }
  return {low, high};
}

namespace {

std::uint64_t total(std::span<const Weighted> values) {
  std::uint64_t n = 0;
  for (const Weighted& v : values) n += v.count;
  return n;
}

}  // namespace

double value_of_rank(std::span<const Weighted> values, std::uint64_t rank) {
  for (const Weighted& v : values) {
    if (rank <= v.count) return v.value;
    rank -= v.count;
  }
  return values.back().value;
}

double quantile(std::span<const Weighted> values, double p) {
  const double rank = std::ceil(p * static_cast<double>(total(values)));
  return value_of_rank(values, static_cast<std::uint64_t>(std::max(rank, 1.0)));
}

double mean(std::span<const Weighted> values) {
  ExactSum sum;
  for (const Weighted& v : values) sum.add_product(v.value, static_cast<double>(v.count));
  return sum.value().to_double() / static_cast<double>(total(values));
}

std::optional<double> standard_deviation(std::span<const Weighted> values, double mean) {
  const std::uint64_t n = total(values);
  if (n < 2) return std::nullopt;
  const auto is_first = [&](const Weighted& v) { return v.value == values.front().value; };
  if (std::all_of(values.begin(), values.end(), is_first)) return 0;  // the mean is rounded
  ExactSum sum;
  for (const Weighted& v : values) {
    const double d = v.value - mean;
    sum.add_product(d * d, static_cast<double>(v.count));
  }
  return std::sqrt(sum.value().to_double() / static_cast<double>(n - 1));
}

std::optional<double> standard_deviation(const ExactSum& sum, const ExactSum& sum_of_squares, std::uint64_t n) {
  if (n < 2) return std::nullopt;
  // sum (d - m)^2 = sum d^2 - 2 m sum d + n m^2, all three exact, m a double near the mean; about the mean itself it is
  // less by r^2 / n, r = sum d - n m.
  const ExactValue total = sum.value();
  const double high = total.to_double();
  const double low = -total.difference(high);
  const double count = static_cast<double>(n);
  const double m = high / count;
  const double square = count * m;
  ExactSum squares = sum_of_squares;
  squares.add_product(-2 * m, high);
  squares.add_product(-2 * m, low);
  squares.add_product(square, m);
  squares.add_product(std::fma(count, m, -square), m);
  ExactSum rest = sum;
  rest.add_product(-count, m);
  const double r = rest.value().to_double();
  return std::sqrt(std::max(0.0, squares.value().to_double() - r * r / count) / (count - 1));
}

Summary summary_of(std::span<const Weighted> values) {
  Summary summary;
  if (values.empty()) return summary;
  const std::uint64_t n = total(values);
  summary.min = values.front().value;
  summary.max = values.back().value;
  summary.mean = mean(values);
  if (std::isnan(*summary.mean)) summary.mean.reset();  // of infinite values: errors in units that are too small
  if (summary.mean && std::isfinite(*summary.mean)) summary.sd = standard_deviation(values, *summary.mean);
  for (std::size_t i = 0; i < summary.quantiles.size(); ++i) {
    const RankInterval ranks = quantile_ranks(n, kQuantiles[i], kQuantileConfidence);
    Summary::Quantile& q = summary.quantiles[i];
    q.value = quantile(values, kQuantiles[i]);
    if (ranks.low >= 1) q.low = value_of_rank(values, ranks.low);
    if (ranks.high <= n) q.high = value_of_rank(values, ranks.high);
  }
  return summary;
}

Record record_of(const Summary& summary) {
  Record record;
  record.set("min", summary.min).set("max", summary.max).set("mean", summary.mean).set("sd", summary.sd);
  record.set("max_abs",
             summary.min ? std::optional(std::max(std::fabs(*summary.min), std::fabs(*summary.max))) : std::nullopt);
  Record quantiles;
  for (std::size_t i = 0; i < summary.quantiles.size(); ++i) {
    const Summary::Quantile& q = summary.quantiles[i];
    Record quantile;
    quantile.set("value", q.value).set("low", q.low).set("high", q.high);
    quantiles.set(shortest(kQuantiles[i]), std::move(quantile));
  }
  record.set("quantiles", std::move(quantiles));
  return record;
}

Record vs_record(const std::string& baseline, Format result, std::uint64_t baseline_bits, const VsSummary& summary) {
  Record record;
  record.set("baseline", Field(baseline)).set("baseline_bits", Field(bits_text(result, baseline_bits)));
  record.set("offset", summary.offset).set("spread", summary.spread).set("max_abs", summary.max_abs);
  return record;
}

}  // namespace orderlab
