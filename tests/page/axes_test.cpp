// What is 0 is drawn, marks and the laws through them agree, sums that stop growing are found, and each page has one
// unit for its errors.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "page/html_page.hpp"
#include "page/power_law.hpp"
#include "page/stopped_sums.hpp"
#include "page/sum_points.hpp"
#include "page/vega_lite.hpp"
#include "show/make_sample.hpp"

using namespace orderlab;

namespace {

// All rows of a spec, with the lower end of the first vertical axis that has one.
std::vector<Json> rows_of_spec(const Json& spec) {
  std::vector<Json> rows;
  for (const char* inside : {"concat", "vconcat"})
    if (spec.contains(inside))
      for (const Json& view : spec[inside])
        for (Json& row : rows_of_spec(view)) rows.push_back(std::move(row));
  if (spec.contains("data"))
    for (const Json& row : spec["data"]["values"]) rows.push_back(row);
  return rows;
}

}  // namespace

TEST_CASE("an order without error has a mark at 0 in every chart with a logarithmic axis") {
  std::vector<SumPoint> points;
  for (const char* format : {"fp64", "bf16"})
    for (const std::uint64_t n : {64U, 128U})
      for (const char* order : {"exact", "off"}) {
        points.push_back(fixed_off(order, n, order[0] == 'e' ? 0 : 0.25));
        points.back().formats = parse_formats(format);
      }
  const SweepContent content = content_with(points);
  for (const char* chart : {"accuracy", "formats", "orders", "ecdf"}) {
    CAPTURE(chart);
    const auto figure = figure_of(content, chart);
    REQUIRE(figure);
    CHECK(says(figure->spec.dump(), "?'0':"));  // the tick
    std::size_t zeros = 0;
    for (const Json& row : rows_of_spec(figure->spec)) {
      const bool exact = row["series"] == "exact" || row["order"] == "exact";
      if (!exact || row["kind"] == "end") continue;  // its name stands there, too
      const char* field = row.contains("error") ? "error" : "y";
      CHECK(row["shown"].number() == (row["fraction"].is_number() ? row["shown"].number() : 0));
      CHECK(row[field].number() > 0);     // a place on the axis
      CHECK(row[field].number() < 0.25);  // below all that is not 0, but for the end of a step
      ++zeros;
      if (row["fraction"].is_number()) break;
    }
    CHECK(zeros > 0);
  }
}

TEST_CASE("the place of 0 is below the axis of what is above it, and has a tick") {
  vega::LogRange range;
  for (const double value : {1e-16, 0.0, 1e-10}) range.see(value);
  CHECK(range.place(0) < 1e-16);
  CHECK(range.place(1e-12) == 1e-12);
  const Json channel = vega::log_channel("y", "error", range);
  CHECK(channel["scale"]["domain"][0].number() < range.place_of_zero());
  CHECK(std::fabs(channel["axis"]["values"][0].number() / range.place_of_zero() - 1) < 1e-3);
  CHECK(says(channel["axis"]["labelExpr"].text(), "?'0':"));
  vega::LogRange above;
  above.see(1);
  CHECK(!says(vega::log_channel("y", "", above)["axis"]["labelExpr"].text(), "'0'"));
  vega::LogRange zeros;
  zeros.see(0);
  CHECK(!zeros.empty());
  CHECK(zeros.place(0) > 0);
}

TEST_CASE("a fitted line goes through marks that follow a law, whatever the inputs have for factors") {
  std::vector<SumPoint> points;
  for (const std::uint64_t n : {100U, 1000U, 10000U})
    for (std::uint64_t input = 0; input < 3; ++input)
      points.push_back(
          spread_out("a", n, std::pow(10.0, static_cast<double>(input)) * std::sqrt(static_cast<double>(n)), input));
  const auto figure = figure_of(content_with(points), "growth");
  REQUIRE(figure);
  std::size_t compared = 0;
  const std::vector<Json> rows = rows_of_spec(figure->spec);
  for (const Json& fit : rows)
    for (const Json& mark : rows)
      if (fit["kind"] == "fit" && mark["kind"] == "point" && fit["x"] == mark["x"]) {
        CHECK(std::fabs(fit["y"].number() / mark["y"].number() - 1) < 1e-3);  // five digits are drawn
        ++compared;
      }
  CHECK(compared == 2);
}

TEST_CASE("sizes at which an input does not move are in no fit") {
  std::vector<SumPoint> points;
  for (const std::uint64_t n : {10U, 100U, 1000U, 10000U})
    for (std::uint64_t input = 0; input < 2; ++input)
      points.push_back(spread_out("a", n, n == 10 && input == 0 ? 0 : std::sqrt(static_cast<double>(n)), input));
  const auto figure = figure_of(content_with(points), "growth");
  REQUIRE(figure);
  REQUIRE(figure->rows.size() == 1);
  CHECK(figure->rows[0].back() == "6");
  for (const Json& row : rows_of_spec(figure->spec))
    if (row["kind"] == "fit") CHECK(row["x"].number() >= 100);
}

TEST_CASE("sums that stop growing are named with the value at which they do") {
  std::vector<SumPoint> points;
  const auto add = [&](const std::string& order, std::uint64_t n, double value, std::uint64_t input = 0) {
    points.push_back(fixed_off(order, n, 1 - value / static_cast<double>(n), input));
    points.back().terms = "constant(1)";
    points.back().formats = parse_formats("bf16");
    points.back().common_value = value;
  };
  for (const std::uint64_t n : {64U, 1024U, 4096U, 65536U}) {
    add("sequential", n, std::min<double>(static_cast<double>(n), 256));
    add("simd", n, std::min<double>(static_cast<double>(n), 2048));
    add("pairwise", n, static_cast<double>(n));
  }
  CHECK(sentence_with(content_with(points), "accuracy", "growing") ==
        "Sums stop growing at 256 (sequential) and at 2048 (simd); pairwise does not stop.");
  const SweepContent content = content_with(points);
  const std::string page = to_html(content);
  CHECK(says(page.substr(page.find("class=\"answer\""), 300), "Sums stop growing at 256"));
  std::vector<SumPoint> less = points;
  for (SumPoint& point : less)
    if (point.order == "sequential" && point.n == 4096) point.common_value = 255;
  CHECK(!says(sentence_with(content_with(less), "accuracy", "growing"), "256"));
  points.back().not_finite = 1;  // pairwise at the largest n
  points.back().relative_max_abs.reset();
  CHECK(
      sentence_with(content_with(points), "accuracy", "growing") ==
      "Sums stop growing at 256 (sequential) and at 2048 (simd); pairwise does not stop and overflows at n = 65,536.");
}

TEST_CASE("a page takes what the metric says of a running sum, also at one size") {
  std::vector<SumPoint> points{fixed_off("sequential", 300, 0.15), fixed_off("pairwise", 300, 0)};
  points[0].stagnation = points[0].common_value = 256;
  points[1].common_value = 300;
  CHECK(sentence_with(content_with(points), "accuracy", "growing").empty());  // one size has no chart
  points.push_back(fixed_off("sequential", 100, 0));
  points.push_back(fixed_off("pairwise", 100, 0));
  CHECK(sentence_with(content_with(points), "accuracy", "growing") ==
        "Sums stop growing at 256 (sequential); pairwise does not stop.");
}

TEST_CASE("formats.toml's sums of ones stop at 256 in bf16 and 2048 in fp16") {
  for (const auto& [format, value] : {std::pair{"bf16", 256.0}, std::pair{"fp16", 2048.0}})
    for (const std::size_t n : {4096U, 16384U}) {
      const SamplePlan plan{.orders = {"sequential", "random"}, .formats = parse_formats(format), .samples = 20};
      const SweepContent content =
          content_of(make_sample(plan, generate_terms("constant(1)", n, plan.formats.terms, 1), "constant(1)"));
      for (const SumPoint& point : content.points) {
        CHECK(point.common_value == value);
        CHECK(point.stagnation == value);
      }
    }
}

TEST_CASE("errors are in u sum|x| where sums of different inputs are compared and some are near 0") {
  const SamplePlan plan{.orders = {"random", "pairwise"}, .samples = 100};
  const Terms small = parse_terms("1,-1,0.5,-0.5,0x1p-30,0x1p-60,3,-3", Format::fp64);
  const SweepContent near = content_of(make_sample(plan, small));
  CHECK(!near.near_zero);  // one input: ulps of its sum, as in the terminal
  CHECK(error_unit(near) == "ulp");
  for (const char* values : {"1,-1,0.1,-0.1,3,-3", "1e9,-1e9,0.1,-0.1,3e9,-3e9"}) {  // ulps of the second overflow
    const study::SampleFinding finding = make_sample(plan, parse_terms(values, Format::fp64));
    const SweepContent zero = content_of(finding);
    CHECK(zero.near_zero);
    CHECK(error_unit(zero) == "u sum|x|");
    for (std::size_t i = 0; i < zero.points.size(); ++i) {
      const SumPoint& point = zero.points[i];
      const Summary& errors = finding.orders[i].metrics.of<ErrorSummary>().u_sum_abs;
      CHECK(point.error_max_abs == errors.max_abs);
      CHECK(point.error_sd == errors.sd);
      REQUIRE(point.error_max_abs);
      CHECK(*point.error_max_abs < 10);
      CHECK(point.part_max_abs == *point.error_max_abs * 0x1p-53);
      if (point.errors.empty()) continue;
      const std::vector<Weighted>& shown = point.errors.values;
      const double farthest = std::max(std::fabs(shown.front().value), std::fabs(shown.back().value));
      CHECK(std::fabs(farthest - *point.error_max_abs) <= 1e-9 * *point.error_max_abs);
    }
  }
}

TEST_CASE("differences from the baseline over sum|x| are 0 for equal results and |S - S_d| / sum|x| else") {
  const SamplePlan plan{.orders = {"random"}, .samples = 200};
  const study::SampleFinding finding =
      make_sample(plan, generate_terms("normal(0,1)", 500, Format::fp64, 3), "normal(0,1)");
  const SumPoint point = content_of(finding).points[0];
  REQUIRE(point.apart_max_abs);
  REQUIRE(point.vs_max_abs);
  const double condition = *point.condition;
  // Vs is relative to |S_d|, which is |S| but for 1e-13 or so; sum|x| = condition |S|
  CHECK(std::fabs(*point.apart_max_abs * condition / *point.vs_max_abs - 1) < 1e-9);
  CHECK(std::fabs(*point.apart_spread * condition / *point.vs_spread - 1) < 1e-9);
  const SumPoint same = content_of(make_sample({.orders = {"pairwise"}},
                                               generate_terms("normal(0,1)", 500, Format::fp64, 3), "normal(0,1)"))
                            .points[0];
  CHECK(same.apart_max_abs == 0.0);
}
