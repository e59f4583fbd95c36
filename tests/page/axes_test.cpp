// What is 0 is drawn, marks and the laws through them agree, sums that stop growing are found, and each page has one
// unit for its errors.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "page/html_page.hpp"
#include "page/power_law.hpp"
#include "page/small_tree.hpp"
#include "page/stopped_sums.hpp"
#include "page/study_points.hpp"
#include "page/vega_lite.hpp"
#include "report/experiment_text.hpp"
#include "report/make_experiment.hpp"

using namespace orderlab;

namespace {

StudyPoint fixed_off(const std::string& order, std::uint64_t n, double error, std::uint64_t input = 0) {
  StudyPoint point = sampled_point(order, n, input);
  point.random = false;
  point.relative_max_abs = point.error_max_abs = point.error_rms = error;
  point.errors = {{error, 1}};
  return point;
}

StudyPoint spread_out(const std::string& order, std::uint64_t n, double spread, std::uint64_t input) {
  StudyPoint point = sampled_point(order, n, input);
  point.vs_spread = point.vs_max_abs = point.error_sd = spread;
  return point;
}

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

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("an order without error has a mark at 0 in every chart with a logarithmic axis") {
  std::vector<StudyPoint> points;
  for (const char* format : {"fp64", "bf16"})
    for (const std::uint64_t n : {64U, 128U})
      for (const char* order : {"exact", "off"}) {
        points.push_back(fixed_off(order, n, order[0] == 'e' ? 0 : 0.25));
        points.back().formats = parse_formats(format);
      }
  const Study study = study_with(points);
  for (const char* chart : {"accuracy", "formats", "orders", "ecdf"}) {
    CAPTURE(chart);
    const auto figure = figure_of(study, chart);
    REQUIRE(figure);
    CHECK(says(figure->spec.dump(), "?'0':"));  // the tick
    std::size_t zeros = 0;
    for (const Json& row : rows_of_spec(figure->spec)) {
      const bool exact = row["series"] == "exact" || row["order"] == "exact";
      if (!exact) continue;
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
  std::vector<StudyPoint> points;
  for (const std::uint64_t n : {100U, 1000U, 10000U})
    for (std::uint64_t input = 0; input < 3; ++input)
      points.push_back(
          spread_out("a", n, std::pow(10.0, static_cast<double>(input)) * std::sqrt(static_cast<double>(n)), input));
  const auto figure = figure_of(study_with(points), "growth");
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
  std::vector<StudyPoint> points;
  for (const std::uint64_t n : {10U, 100U, 1000U, 10000U})
    for (std::uint64_t input = 0; input < 2; ++input)
      points.push_back(spread_out("a", n, n == 10 && input == 0 ? 0 : std::sqrt(static_cast<double>(n)), input));
  const auto figure = figure_of(study_with(points), "growth");
  REQUIRE(figure);
  REQUIRE(figure->rows.size() == 1);
  CHECK(figure->rows[0].back() == "6");
  for (const Json& row : rows_of_spec(figure->spec))
    if (row["kind"] == "fit") CHECK(row["x"].number() >= 100);
}

TEST_CASE("sums that stop growing are named with the value at which they do") {
  std::vector<StudyPoint> points;
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
  CHECK(sentence_with(study_with(points), "accuracy", "growing") ==
        "Sums stop growing at 256 (sequential) and at 2048 (simd); pairwise does not stop.");
  const Study study = study_with(points);
  const std::string page = to_html(study);
  CHECK(says(page.substr(page.find("class=\"answer\""), 300), "Sums stop growing at 256"));
  std::vector<StudyPoint> less = points;
  for (StudyPoint& point : less)
    if (point.order == "sequential" && point.n == 4096) point.common_value = 255;
  CHECK(!says(sentence_with(study_with(less), "accuracy", "growing"), "256"));
  points.back().not_finite = 1;  // pairwise at the largest n
  points.back().relative_max_abs.reset();
  CHECK(
      sentence_with(study_with(points), "accuracy", "growing") ==
      "Sums stop growing at 256 (sequential) and at 2048 (simd); pairwise does not stop and overflows at n = 65,536.");
}

TEST_CASE("formats.toml's sums of ones stop at 256 in bf16 and 2048 in fp16") {
  for (const auto& [format, value] : {std::pair{"bf16", 256.0}, std::pair{"fp16", 2048.0}})
    for (const std::size_t n : {4096U, 16384U}) {
      const ExperimentPlan plan{.orders = {"sequential", "random"}, .formats = parse_formats(format), .samples = 20};
      const Study study =
          study_of(make_experiment(plan, generate_terms("constant(1)", n, plan.formats.terms, 1), "constant(1)"));
      for (const StudyPoint& point : study.points) CHECK(point.common_value == value);
    }
}

TEST_CASE("a page of one experiment answers with what the terminal says last") {
  const ExperimentPlan plan{.orders = {"warp"}, .samples = 100};
  const ExperimentReport report =
      make_experiment(plan, generate_terms("uniform(0,10)", 2000, Format::fp64, 1), "uniform(0,10)");
  const Study study = study_of(report);
  REQUIRE(study.answers.size() == 1);
  std::string said = to_text(report, {10'000, false});
  CHECK(says(said, study.answers[0]));
  CHECK(said.ends_with(study.answers[0] + "\n"));
  const std::string page = to_html(study);
  const std::size_t answer = page.find("class=\"answer\"");
  CHECK(page.find("different sums, spread", answer) < page.find("</header>", answer));
  CHECK(page.find("data-chart=\"histogram\"") < page.find("data-chart=\"ecdf\""));
  CHECK(says(page, "exact sum"));
}

TEST_CASE("errors are in u sum|x| where sums of different inputs are compared and some are near 0") {
  const ExperimentPlan plan{.orders = {"random", "pairwise"}, .samples = 100};
  const Terms small = parse_terms("1,-1,0.5,-0.5,0x1p-30,0x1p-60,3,-3", Format::fp64);
  const Study near = study_of(make_experiment(plan, small));
  CHECK(!near.near_zero);  // one input: ulps of its sum, as in the terminal
  CHECK(error_unit(near) == "ulp");
  for (const char* values : {"1,-1,0.1,-0.1,3,-3", "1e9,-1e9,0.1,-0.1,3e9,-3e9"}) {  // ulps of the second overflow
    const ExperimentReport report = make_experiment(plan, parse_terms(values, Format::fp64));
    const Study zero = study_of(report);
    CHECK(zero.near_zero);
    CHECK(error_unit(zero) == "u sum|x|");
    for (std::size_t i = 0; i < zero.points.size(); ++i) {
      const StudyPoint& point = zero.points[i];
      const auto& metrics = report.orders[i].metrics;
      CHECK(point.error_max_abs == metrics.number({"error", "u_sum_abs", "max_abs"}));
      CHECK(point.error_sd == metrics.number({"error", "u_sum_abs", "sd"}));
      REQUIRE(point.error_max_abs);
      CHECK(*point.error_max_abs < 10);
      CHECK(point.part_max_abs == *point.error_max_abs * 0x1p-53);
      if (point.errors.empty()) continue;
      const double farthest = std::max(std::fabs(point.errors.front().value), std::fabs(point.errors.back().value));
      CHECK(std::fabs(farthest - *point.error_max_abs) <= 1e-9 * *point.error_max_abs);
    }
  }
}

TEST_CASE("differences from the baseline over sum|x| are 0 for equal results and |S - S_d| / sum|x| else") {
  const ExperimentPlan plan{.orders = {"random"}, .samples = 200};
  const ExperimentReport report =
      make_experiment(plan, generate_terms("normal(0,1)", 500, Format::fp64, 3), "normal(0,1)");
  const StudyPoint point = study_of(report).points[0];
  REQUIRE(point.apart_max_abs);
  REQUIRE(point.vs_max_abs);
  const double condition = *point.condition;
  // Vs is relative to |S_d|, which is |S| but for 1e-13 or so; sum|x| = condition |S|
  CHECK(std::fabs(*point.apart_max_abs * condition / *point.vs_max_abs - 1) < 1e-9);
  CHECK(std::fabs(*point.apart_spread * condition / *point.vs_spread - 1) < 1e-9);
  const StudyPoint same = study_of(make_experiment({.orders = {"pairwise"}},
                                                   generate_terms("normal(0,1)", 500, Format::fp64, 3), "normal(0,1)"))
                              .points[0];
  CHECK(same.apart_max_abs == 0.0);
}

TEST_CASE("the baseline is named, and what a page cites it lists") {
  std::vector<StudyPoint> points;
  for (const std::uint64_t n : {10U, 20U})
    for (const char* order : {"base", "a", "b"}) {
      points.push_back(fixed_off(order, n, 1));
      points.back().expression = std::string(order) + " | seq";
      points.back().baseline = points.back().vs_baseline = "base | seq";
      points.back().vs_max_abs = order[0] == 'a' ? 0.5 : 0.25;
      points.back().probabilistic_bound = points.back().running_bound = 5;
    }
  const Study study = study_with(points);
  CHECK(says(figure_of(study, "differences")->caption, "S_d the result of the baseline, base = base | seq"));
  const std::string page = to_html(study);
  CHECK(says(page, "<li id=\"ref-Higham1993\">[Higham1993] N. J. Higham"));
  CHECK(says(page, "<a href=\"#ref-HallmanIpsen2023\">[HallmanIpsen2023]</a>"));
  CHECK(!says(page, "id=\"ref-Gumbel1950\""));
}

TEST_CASE("trees of spa, sptr and sprg have different shapes") {
  const auto shape = [](const char* name) {
    const auto drawing = small_tree(drawn_order(parse_order(name).expression()), 1);
    REQUIRE(drawing);
    std::vector<std::pair<double, double>> places;
    for (const TreePoint& point : drawing->points) places.emplace_back(point.x, point.y);
    return places;
  };
  CHECK(shape("spa") != shape("sptr"));
  CHECK(shape("sprg") != shape("sptr"));
  CHECK(shape("warp") != shape("spa"));
}

TEST_CASE("the leading chart has one panel as wide as the page, the one that the answer is about") {
  std::vector<StudyPoint> points;
  for (const char* format : {"fp64", "bf16"})
    for (const std::uint64_t n : {100U, 1000U})
      for (std::uint64_t input = 0; input < 2; ++input) {
        points.push_back(spread_out("a", n, 1, input));
        points.back().formats = parse_formats(format);
      }
  const std::vector<DrawnChart> drawn = draw_all(study_with(points));
  REQUIRE(!drawn.empty());
  const Json& spec = drawn.front().figure.spec;
  REQUIRE(spec["vconcat"].size() == 2);
  CHECK(spec["vconcat"][0]["title"]["text"] == "fp64");
  CHECK(spec["vconcat"][0]["width"].number() > 2 * spec["vconcat"][1]["concat"][0]["width"].number());
  Json two{{"columns", 2}, {"concat", Json::array()}};
  for (const char* title : {"one", "two"})
    two["concat"].push_back({{"title", {{"text", title}}}, {"width", 385}, {"height", 200}});
  CHECK(vega::with_headline(two, "two")["vconcat"][0]["title"]["text"] == "two");
}

TEST_CASE("a bound that is infinite and errors that are not finite are drawn nowhere, and a page is made") {
  for (const char* values : {"65504,65504,-65504,-65504,1", "65504,65504,1", "inf,1"}) {
    const ExperimentPlan plan{.orders = {"random", "pairwise"}, .formats = parse_formats("fp16"), .samples = 50};
    CHECK_NOTHROW(to_html(study_of(make_experiment(plan, parse_terms(values, Format::fp16)))));
  }
  StudyPoint point = fixed_off("a", 10, 1);
  point.probabilistic_bound = point.running_bound = INFINITY;
  StudyPoint other = fixed_off("b", 20, 0);
  other.error_max_abs = other.error_rms = other.relative_max_abs = INFINITY;
  CHECK_NOTHROW(to_html(study_with({point, other})));
}

TEST_CASE("the answer is of the leading chart, and of accuracy too where orders are fixed and differ from a baseline") {
  std::vector<StudyPoint> points;
  for (const std::uint64_t n : {10U, 20U})
    for (const char* order : {"base", "a", "b"})
      for (std::uint64_t input = 0; input < 8; ++input) {
        points.push_back(fixed_off(order, n, order[0] == 'a' ? 0.5 : 2, input));
        points.back().baseline = points.back().vs_baseline = "base";
        points.back().vs_max_abs = order[0] == 'a' ? 0.5 : 0.25;
      }
  const auto answer_of = [](const std::vector<StudyPoint>& list) {
    const std::string page = to_html(study_with(list));
    const std::size_t from = page.find("class=\"answer\"");
    return page.substr(from, page.find("</header>", from) - from);
  };
  const std::string fixed = answer_of(points);
  CHECK(says(fixed, "a differs from base by up to 50 %"));
  CHECK(says(fixed, "a is the most accurate (8 inputs, 95 % confidence)"));
  std::vector<StudyPoint> moving;
  for (const std::uint64_t n : {10U, 20U})
    for (std::uint64_t input = 0; input < 8; ++input) {
      moving.push_back(spread_out("a", n, 1, input));
      moving.push_back(spread_out("b", n, 2, input));
    }
  const std::string random = answer_of(moving);
  CHECK(says(random, "b moves by 2.0 times the sum"));
  CHECK(!says(random, "accura"));
}
