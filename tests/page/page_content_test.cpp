// What a page says and lists: its answer, the baseline, the references, the trees, and the chart that leads.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "page/html_page.hpp"
#include "page/small_tree.hpp"
#include "page/sum_points.hpp"
#include "page/vega_lite.hpp"
#include "show/make_sample.hpp"
#include "show/sample.hpp"

using namespace orderlab;

TEST_CASE("a page of `sample` answers with what the terminal says last") {
  const SamplePlan plan{.orders = {"warp"}, .samples = 100};
  const study::SampleFinding finding =
      make_sample(plan, generate_terms("uniform(0,10)", 2000, Format::fp64, 1), "uniform(0,10)");
  const SweepContent content = content_of(finding);
  REQUIRE(content.answers.size() == 1);
  std::string said = to_text(finding, {10'000, false});
  CHECK(says(said, content.answers[0]));
  CHECK(said.ends_with(content.answers[0] + "\n"));
  const std::string page = to_html(content);
  const std::size_t answer = page.find("class=\"answer\"");
  CHECK(page.find("different sums over a range of", answer) < page.find("</header>", answer));
  CHECK(page.find("data-chart=\"histogram\"") < page.find("data-chart=\"ecdf\""));
  CHECK(says(page, "exact sum"));
}

TEST_CASE("the baseline is named, and what a page cites it lists") {
  std::vector<SumPoint> points;
  for (const std::uint64_t n : {10U, 20U})
    for (const char* order : {"base", "a", "b"}) {
      points.push_back(fixed_off(order, n, 1));
      points.back().expression = std::string(order) + " | seq";
      points.back().baseline = points.back().vs_baseline = "base | seq";
      points.back().vs_max_abs = order[0] == 'a' ? 0.5 : 0.25;
      points.back().probabilistic_bound = points.back().running_bound = 5;
    }
  const SweepContent content = content_with(points);
  CHECK(says(figure_of(content, "differences")->caption, "S_d the result of the baseline, base = base | seq"));
  const std::string page = to_html(content);
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
  std::vector<SumPoint> points;
  for (const char* format : {"fp64", "bf16"})
    for (const std::uint64_t n : {100U, 1000U})
      for (std::uint64_t input = 0; input < 2; ++input) {
        points.push_back(spread_out("a", n, 1, input));
        points.back().formats = parse_formats(format);
      }
  const std::vector<DrawnChart> drawn = draw_all(content_with(points));
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
    const SamplePlan plan{.orders = {"random", "pairwise"}, .formats = parse_formats("fp16"), .samples = 50};
    CHECK_NOTHROW(to_html(content_of(make_sample(plan, parse_terms(values, Format::fp16)))));
  }
  SumPoint point = fixed_off("a", 10, 1);
  point.probabilistic_bound = point.running_bound = INFINITY;
  SumPoint other = fixed_off("b", 20, 0);
  other.error_max_abs = other.error_rms = other.relative_max_abs = INFINITY;
  CHECK_NOTHROW(to_html(content_with({point, other})));
}

TEST_CASE("the answer is of the leading chart, and of accuracy too where orders are fixed and differ from a baseline") {
  std::vector<SumPoint> points;
  for (const std::uint64_t n : {10U, 20U})
    for (const char* order : {"base", "a", "b"})
      for (std::uint64_t input = 0; input < 8; ++input) {
        points.push_back(fixed_off(order, n, order[0] == 'a' ? 0.5 : 2, input));
        points.back().baseline = points.back().vs_baseline = "base";
        points.back().vs_max_abs = order[0] == 'a' ? 0.5 : 0.25;
      }
  const auto answer_of = [](const std::vector<SumPoint>& list) {
    const std::string page = to_html(content_with(list));
    const std::size_t from = page.find("class=\"answer\"");
    return page.substr(from, page.find("</header>", from) - from);
  };
  const auto also_of = [](const std::vector<SumPoint>& list) {
    const std::string page = to_html(content_with(list));
    const std::size_t from = page.find("id=\"also\"");
    return from == std::string::npos ? std::string() : page.substr(from, page.find("</section>", from) - from);
  };
  const std::string fixed = answer_of(points);
  CHECK(says(fixed, "a differs from base by up to 50 %"));
  CHECK(says(also_of(points), "a is the most accurate (8 inputs, 95 % confidence)"));
  std::vector<SumPoint> moving;
  for (const std::uint64_t n : {10U, 20U})
    for (std::uint64_t input = 0; input < 8; ++input) {
      moving.push_back(spread_out("a", n, 1, input));
      moving.push_back(spread_out("b", n, 2, input));
    }
  const std::string random = answer_of(moving);
  CHECK(says(random, "b moves by 2.0 times the sum"));
  CHECK(!says(also_of(moving), "accura"));
}
