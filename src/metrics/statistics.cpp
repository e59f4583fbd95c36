#include "metrics/statistics.hpp"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>

#include "core/arithmetic_guard.hpp"

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

double value_of_rank(std::span<const Weighted> values, std::uint64_t rank) {
  for (const Weighted& v : values) {
    const auto count = static_cast<std::uint64_t>(v.weight);
    if (rank <= count) return v.value;
    rank -= count;
  }
  return values.back().value;
}

namespace {

std::uint64_t rank_of_quantile(double n, double p) {
  return static_cast<std::uint64_t>(std::max(std::ceil(p * n), 1.0));
}

}  // namespace

double quantile(std::span<const Weighted> values, double p) {
  double n = 0;
  for (const Weighted& v : values) n += v.weight;
  return value_of_rank(values, rank_of_quantile(n, p));
}

double quantile(std::span<const double> values, double p) {
  return values[rank_of_quantile(static_cast<double>(values.size()), p) - 1];
}

double mean(const Distribution& values) {
  ExactSum sum;
  for (const Weighted& v : values.values) sum.add_product(v.value, v.weight);
  return sum.value().to_double() / values.total();
}

std::optional<double> standard_deviation(const Distribution& values, double mean) {
  const double total = values.total();
  const bool samples = values.orders.empty();
  if (samples && total < 2) return std::nullopt;
  const auto is_first = [&](const Weighted& v) { return v.value == values.values.front().value; };
  if (std::all_of(values.values.begin(), values.values.end(), is_first)) return 0;  // the mean is rounded
  ExactSum sum;
  for (const Weighted& v : values.values) {
    const double d = v.value - mean;
    sum.add_product(d * d, v.weight);
  }
  return std::sqrt(sum.value().to_double() / (samples ? total - 1 : total));
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

namespace {

// The least value that at least p of all orders do not exceed; p is a whole number of per cent.
double quantile_of_orders(const Distribution& values, double p) {
  BigCount all = 0;
  for (const BigCount& orders : values.orders) all += orders;
  const BigCount wanted = all * std::llround(100 * p);
  BigCount reached = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    reached += values.orders[i];
    if (reached * 100 >= wanted) return values.values[i].value;
  }
  return values.values.back().value;
}

Summary::Quantile quantile_of_samples(const Distribution& values, std::uint64_t n, double p) {
  const RankInterval ranks = quantile_ranks(n, p, kQuantileConfidence);
  Summary::Quantile q;
  q.value = quantile(values.values, p);
  if (ranks.low >= 1) q.low = value_of_rank(values.values, ranks.low);
  if (ranks.high <= n) q.high = value_of_rank(values.values, ranks.high);
  return q;
}

}  // namespace

void Summary::set_extremes(double least, double greatest) {
  min = least;
  max = greatest;
  max_abs = std::max(std::fabs(least), std::fabs(greatest));
}

Summary summary_of(const Distribution& values) {
  Summary summary;
  if (values.empty()) return summary;
  summary.set_extremes(values.values.front().value, values.values.back().value);
  summary.mean = mean(values);
  if (std::isnan(*summary.mean)) summary.mean.reset();  // values are infinite: errors in units that are too small
  if (summary.mean && std::isfinite(*summary.mean)) summary.sd = standard_deviation(values, *summary.mean);
  const auto n = static_cast<std::uint64_t>(values.total());
  for (std::size_t i = 0; i < summary.quantiles.size(); ++i) {
    if (values.orders.empty()) {
      summary.quantiles[i] = quantile_of_samples(values, n, kQuantiles[i].p);
    } else {
      const double value = quantile_of_orders(values, kQuantiles[i].p);
      summary.quantiles[i] = {value, value, value};
    }
  }
  return summary;
}

}  // namespace orderlab
