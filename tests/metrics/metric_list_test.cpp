// Every metric of the list on every kind of input.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "metrics/measured.hpp"
#include "metrics/statistics.hpp"
#include "orderlab/arrival.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

/// No number in it is NaN; no two values have one path.
void check_sound(const Metrics& metrics) {
  std::set<std::string> paths;
  for_each_value(metrics, [&](const std::string& path, const Value& value) {
    CAPTURE(path);
    CHECK(paths.insert(path).second);
    if (const auto* number = std::get_if<double>(&value)) CHECK_FALSE(std::isnan(*number));
  });
}

/// The same paths whatever the input: reports and CSV columns rely on it.
std::vector<std::string> shape_of(const Metrics& metrics) {
  std::vector<std::string> paths;
  for (const Metrics::Entry& entry : metrics.entries()) CHECK((entry.value != nullptr || entry.metric->name == "arrival"));
  for_each_value(metrics, [&](const std::string& path, const Value&) {
    if (!path.starts_with("/arrival/")) paths.push_back(path);  // null where nothing arrives
  });
  return paths;
}

}  // namespace

TEST_CASE("every metric has a name of its own, a unit, a summary and a source") {
  std::set<std::string_view> names;
  for (const Metric* metric : metrics()) {
    CAPTURE(metric->name);
    CHECK(!metric->name.empty());
    CHECK(names.insert(metric->name).second);
    CHECK(!metric->unit.empty());
    CHECK(!metric->summary.empty());
    CHECK(!metric->source.empty());
    const bool measures = metric->functions.measure != nullptr && metric->functions.make != nullptr;
    CHECK(measures);
    REQUIRE(metric->of_samples != nullptr);
    for (const described::Field* field : {metric->of_samples, metric->of_all_orders})
      if (field != nullptr) CHECK(field->name == metric->name);
  }
  CHECK(names.size() == metrics().size());
  CHECK(!names.empty());
}

TEST_CASE("every metric measures every kind of input, with the same names and without NaN") {
  const double infinity = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<std::vector<double>> inputs{{1, -1, 2, -2},
                                                {0.1},
                                                {-0.0},
                                                {-0.0, -0.0, -0.0},
                                                {0.0, -0.0},
                                                {infinity, infinity, infinity},
                                                {infinity, -infinity, 1},
                                                {nan, 1, 2},
                                                {60000, 60000, -60000, -60000, 1},
                                                {3e38, 3e38, -3e38, 1e38},
                                                {1.7e308, 1.7e308, -1.7e308},
                                                {0x1p-1074, -0x1p-1073, 0x1p-149, 0x1p-24},
                                                {1e16, 1, -1e16, 0.1, 1e-9, 7, 1e4, -1e4}};
  const std::vector<std::string> shape = [] {
    Measured usual(Format::fp64, {1, 2, 3}, "warp");
    usual.draw(3);
    return shape_of(measure_all(usual.measurement()));
  }();
  for (const char* order : {"seq", "random", "ao", "seq(acc=kahan)", "shuffle | seq(acc=neumaier)"}) {
    CAPTURE(std::string(order));
    for (const FormatInfo& format : kFormats) {
      CAPTURE(format.name);
      for (std::size_t i = 0; i < inputs.size(); ++i) {
        CAPTURE(i);
        for (const std::uint64_t samples : {1u, 2u, 40u}) {
          CAPTURE(samples);
          for (const std::uint64_t max_distinct : {2u, 1000u}) {
            Measured measured(format.format, inputs[i], order, max_distinct);
            measured.draw(samples);
            const Metrics all = measure_all(measured.measurement());
            check_sound(all);
            CHECK(shape_of(all) == shape);
            CHECK(all.entries().size() == metrics().size());
          }
        }
      }
    }
  }
}

TEST_CASE("results that are no finite numbers are counted apart") {
  const double infinity = std::numeric_limits<double>::infinity();
  Measured measured(Format::fp32, {8, -4}, "seq");
  measured.add({infinity, -infinity, infinity, 4, std::numeric_limits<double>::quiet_NaN()});
  check_number(measured, {"nonfinite", "inf"}, 2);
  check_number(measured, {"nonfinite", "minus_inf"}, 1);
  check_number(measured, {"nonfinite", "nan"}, 1);
  check_number(measured, {"distinct"}, 4);
}

TEST_CASE("the condition number is sum|x| over |sum x|, infinite for a sum of 0 and 1 when all terms are 0") {
  const auto condition = [](const std::vector<double>& terms) {
    const auto view = view_of(terms.data(), terms.size());
    return std::bit_cast<std::uint64_t>(condition_number(exact_sum(view), exact_sum_abs(view)));
  };
  const auto bits = [](double x) { return std::bit_cast<std::uint64_t>(x); };
  CHECK(condition({8, -4}) == bits(3));
  CHECK(condition({-8, -4}) == bits(1));
  CHECK(condition({1, -1}) == bits(std::numeric_limits<double>::infinity()));
  CHECK(condition({0, -0.0}) == bits(1));
  CHECK(condition({-0.0}) == bits(1));
  CHECK(condition({1e308, 1e308, -1e308}) == bits(3));  // sum|x| overflows
  CHECK(condition({1e308, 1e308}) == bits(1));          // and so does the sum
}

TEST_CASE("arrivals are measured only where the order draws them first") {
  for (const char* order : {"seq", "random", "arrive(launch) | seq"}) {
    CAPTURE(std::string(order));
    Measured measured(Format::fp64, {1, 2, 3}, order);
    measured.draw(2);
    check_null(measured, {"arrival"});
  }
  Measured measured(Format::fp64, std::vector<double>(640, 1.0), "warp");
  measured.draw(30);
  check_number(measured, {"arrival", "partial_sums"}, 20);
  check_number(measured, {"arrival", "draws"}, 30);
  // 30 uniform orders of 20: tau has the deviation sqrt(2 (2 m + 5) / (9 m (m - 1))) = 0.162, its mean over 30 draws
  // 0.030 and over 15 pairs 0.042; 5 of them.
  CHECK(std::fabs(*measured.number({"arrival", "tau_to_launch"})) <= 5 * 0.030);
  CHECK(std::fabs(*measured.number({"arrival", "tau_between"})) <= 5 * 0.042);
}

TEST_CASE("taus of arrivals have standard errors: those of the draws, and of pairs without a draw in common") {
  for (const std::uint64_t samples : {1U, 2U, 3U, 4U, 9U, 1500U}) {
    CAPTURE(samples);
    Measured measured(Format::fp64, std::vector<double>(640, 1.0), "warp");
    measured.draw(samples);
    const std::uint64_t draws = std::min<std::uint64_t>(samples, 1000);
    check_number(measured, {"arrival", "draws"}, static_cast<double>(draws));
    Distribution launch;
    Distribution pairs;
    for (std::uint64_t i = 0; i < draws; ++i) {
      launch.values.push_back({kendall_tau(measured.evaluator().arrival(i)), 1});
      if (i % 2 == 1)
        pairs.values.push_back({kendall_tau(measured.evaluator().arrival(i - 1), measured.evaluator().arrival(i)), 1});
    }
    const auto agrees = [&](const char* name, const char* error_name, const Distribution& taus) {
      const auto tau = measured.number({"arrival", name});
      const auto error = measured.number({"arrival", error_name});
      REQUIRE(tau.has_value() == !taus.empty());
      REQUIRE(error.has_value() == (taus.size() > 1));
      // A thousand roundings of numbers below 1, and of their squares.
      if (tau) CHECK(std::fabs(*tau - mean(taus)) <= 1e-12);
      if (error)
        CHECK(std::fabs(*error - *standard_deviation(taus, mean(taus)) / std::sqrt(static_cast<double>(taus.size()))) <=
              1e-12);
    };
    agrees("tau_to_launch", "tau_to_launch_standard_error", launch);
    agrees("tau_between", "tau_between_standard_error", pairs);
    if (samples < 1000) continue;
    CHECK(*measured.number({"arrival", "tau_to_launch_standard_error"}) > 0.162 / std::sqrt(1000) * 0.9);
    CHECK(*measured.number({"arrival", "tau_to_launch_standard_error"}) < 0.162 / std::sqrt(1000) * 1.1);
    CHECK(*measured.number({"arrival", "tau_between_standard_error"}) > 0.162 / std::sqrt(500) * 0.9);
    CHECK(*measured.number({"arrival", "tau_between_standard_error"}) < 0.162 / std::sqrt(500) * 1.1);
  }
}

TEST_CASE("few arrivals are drawn a thousand times for their taus, and millions no more than four") {
  CHECK(arrival_draws(1) == 1000);
  CHECK(arrival_draws(8) == 1000);
  CHECK(arrival_draws(7813) == 67);
  CHECK(arrival_draws(31'250) == 16);
  CHECK(arrival_draws(131'072) == 16);
  CHECK(arrival_draws(262'144) == 8);
  CHECK(arrival_draws(8'000'000) == 4);
  for (std::size_t m = 1; m < 1U << 19; m += m / 3 + 1) {
    CHECK(arrival_draws(m) >= 4);
    CHECK(arrival_draws(m) * m <= 1U << 21);
  }
}
