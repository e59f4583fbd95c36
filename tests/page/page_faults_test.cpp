// What a page must not do: numbers in two notations, axes that differ in one comparison, colors that a theme has not.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "orderlab/study/compare.hpp"
#include "page/asset_list.hpp"
#include "page/chart_table.hpp"
#include "page/html_page.hpp"
#include "page/html_text.hpp"
#include "page/number_words.hpp"
#include "page/page_contents.hpp"
#include "page/sum_points.hpp"
#include "show/input_text.hpp"
#include "show/make_sample.hpp"

using namespace orderlab;

namespace {

study::SampleFinding faults_sample(const std::vector<std::string>& orders) {
  const SamplePlan plan{.orders = orders, .samples = 100};
  return make_sample(plan, generate_terms("uniform(0,10)", 2000, Format::fp64, 1), "uniform(0,10)");
}

const DrawnChart& faults_chart(const std::vector<DrawnChart>& drawn, const std::string& name) {
  for (const DrawnChart& one : drawn)
    if (one.chart->name == name) return one;
  FAIL("no chart " << name);
  return drawn.front();
}

}  // namespace

TEST_CASE("every style of a theme that draws has a color, and so have rules and texts without a style") {
  const Json themes = Json::parse(assets::kThemes);
  for (const char* theme : {"light", "dark"}) {
    for (const auto& [name, style] : themes[theme]["style"].members()) {
      if (name == "panel") continue;  // titles have "fill" instead
      INFO(theme << " " << name);
      CHECK(style.contains("color"));
      CHECK(style["color"] != themes[theme]["background"]);
    }
    for (const char* mark : {"rule", "text", "tick", "rect"}) CHECK(themes[theme][mark].contains("color"));
  }
  CHECK(themes["light"]["style"]["edge"]["color"] != themes["dark"]["style"]["edge"]["color"]);
}

TEST_CASE("a page of `sample` names its orders in the title, and says the exact sum") {
  const study::SampleFinding finding = faults_sample({"random", "pairwise"});
  const SweepContent content = content_of(finding);
  CHECK(content.title.starts_with("random and pairwise: 2000 terms of uniform(0,10)"));
  CHECK(says(to_html(content), "The exact sum is " + finding.input.exact.decimal(17) + "."));
}

TEST_CASE("histograms of one comparison have the same axes, which hold all bars") {
  const std::vector<DrawnChart> drawn = draw_all(content_of(faults_sample({"random", "spa"})));
  const Json& spec = faults_chart(drawn, "histogram").figure.spec;
  const Json& views = spec["concat"];
  REQUIRE(views.size() == 2);
  for (const char* channel : {"x", "y"}) {
    const Json& domain = views[0]["layer"][0]["encoding"][channel]["scale"]["domain"];
    REQUIRE(domain.size() == 2);
    CHECK(domain == views[1]["layer"][0]["encoding"][channel]["scale"]["domain"]);
    for (const Json& view : views)
      for (const Json& row : view["data"]["values"]) {
        if (row["kind"] != "bar") continue;
        CHECK(row[channel[0] == 'x' ? "low" : "fraction"].number() >= domain[0].number());
        CHECK(row[channel[0] == 'x' ? "high" : "fraction"].number() <= domain[1].number());
      }
  }
}

TEST_CASE("a comparison draws the difference that it says: of the greater mean less the smaller one, above 0") {
  for (const bool b_greater : {true, false}) {
    const std::vector<double> low{1.0, 1.1, 0.9};
    const std::vector<double> high{2.0, 2.2, 2.1};
    const study::CompareFinding finding =
        study::compare(Scores{"", b_greater ? low : high, {}}, Scores{"", b_greater ? high : low, {}},
                       study::CompareRequest{.paired = true});
    const PageContent page = page_content(finding);
    const Json& spec = faults_chart(page.drawn, "difference").figure.spec;
    const std::string title = b_greater ? "mean of B − mean of A" : "mean of A − mean of B";
    CHECK(says(spec.dump(), title));
    CHECK(says(page.answers.front(), b_greater ? "B is better than A" : "A is better than B"));
    for (const Json& row : spec["data"]["values"])
      if (row["kind"] == "difference" || row["kind"] == "pair") CHECK(row["x"].number() > 0);
  }
}

TEST_CASE("a page opens with one sentence, then comes its chart, then the rest") {
  PageContent page;
  page.title = "T";
  page.caveats = {"A caveat."};
  page.answers = {"One by 0.5. Two `x`.", "Three."};
  page.drawn = draw_all(content_of(faults_sample({"random"})));
  const std::string html = page_html(page);
  const std::size_t verdict = html.find("<p class=\"answer\">One by 0.5.</p>");
  const std::size_t chart = html.find("data-chart=", verdict);
  const std::size_t rest = html.find("<li>Two <code>x</code>.</li>\n<li>Three.</li>", chart);
  REQUIRE(verdict != std::string::npos);
  REQUIRE(chart != std::string::npos);
  REQUIRE(rest != std::string::npos);
  CHECK(html.find("A caveat.") > rest);
}

TEST_CASE("orders of spread 0 are not missing from the spread chart without a word") {
  std::vector<SumPoint> points;
  for (const std::uint64_t n : {100U, 1000U})
    for (std::uint64_t input = 0; input < 2; ++input) {
      points.push_back(spread_out("a", n, 1, input));
      points.push_back(fixed_off("fixed", n, 1, input));
      points.back().random = false;
    }
  CHECK(says(figure_of(content_with(points), "growth")->caption, "Not drawn: fixed, fixed order of spread 0."));
}

TEST_CASE("a value of up to five digits is written in full") {
  for (const int digits : {1, 2, 3, 4}) {
    CHECK(in_words(1434.2, digits) == "1434");
    CHECK(in_words(-20480, digits) == "−20480");
  }
  CHECK(in_words(9.96) == "10");
  CHECK(number(1024.0, 3) == "1024");
  CHECK(number(1020.4, 3) == "1020");
  CHECK(number(999.6, 3) == "1000");
  CHECK(number(-54321.0, 2) == "-54321");
  CHECK(number(123456.0, 3) == "1.23e+05");
  CHECK(number(12.345, 3) == "12.3");
}

TEST_CASE("code in sentences is marked as code; a single backtick stays") {
  CHECK(html_prose("run `a < b` and `c`") == "run <code>a &lt; b</code> and <code>c</code>");
  CHECK(html_prose("one ` alone") == "one ` alone");
}

TEST_CASE("every chart says its numbers without scripts, in at most so many rows") {
  for (const std::vector<std::string>& orders : {std::vector<std::string>{"random"}, {"random", "spa", "pairwise"}}) {
    const SweepContent content = content_of(faults_sample(orders));
    for (const DrawnChart& one : draw_all(content)) {
      INFO(one.id());
      const std::string html = chart_table(one.figure);
      CHECK(html.starts_with("<noscript>"));
      CHECK(says(html, "<td>"));
      std::size_t rows = 0;
      for (std::size_t at = html.find("<tr><td>"); at != std::string::npos; at = html.find("<tr><td>", at + 1)) ++rows;
      CHECK(rows <= 4 * kStaticRows);
    }
    CHECK(says(to_html(content), "<noscript>\n<div class=\"scroll\"><table>"));
  }
}

TEST_CASE("lines have their names at their ends, without a legend, where these lie apart; else a legend") {
  const auto spec_with = [](double other) {
    std::vector<SumPoint> points;
    for (const std::uint64_t n : {100U, 1000U}) {
      points.push_back(spread_out("a", n, 1, 0));
      points.push_back(spread_out("b", n, other, 0));
    }
    return figure_of(content_with(points), "growth")->spec.dump();
  };
  CHECK(says(spec_with(50), "\"kind\":\"end\""));
  CHECK(!says(spec_with(50), "\"legend\":{"));
  CHECK(!says(spec_with(1.01), "\"kind\":\"end\""));
  CHECK(says(spec_with(1.01), "\"legend\":{"));
}
