// Sentences compare like with like: at one n, zeros and ties counted, what is missing said.
#include <doctest/doctest.h>

#include <cmath>

#include "page/caveats.hpp"
#include "page/cells.hpp"
#include "page/html_page.hpp"
#include "page/number_words.hpp"
#include "page/ranking.hpp"
#include "page/spread_ratio.hpp"
#include "page/sum_points.hpp"

using namespace orderlab;

namespace {

SumPoint moving(const std::string& order, std::uint64_t n, double spread, std::uint64_t input = 0) {
  SumPoint point = sampled_point(order, n, input);
  point.vs_spread = point.vs_max_abs = point.error_sd = spread;
  return point;
}

SumPoint off(const std::string& order, std::uint64_t n, double error, std::uint64_t input = 0) {
  SumPoint point = sampled_point(order, n, input);
  point.random = false;
  point.relative_max_abs = point.error_max_abs = point.error_rms = error;
  return point;
}

SumPoint arriving(const std::string& arrival, std::uint64_t n, double scale, std::uint64_t input = 0) {
  SumPoint point = moving("spa", n, scale, input);
  point.arrival = arrival;
  for (const double value : {-1.0, 0.0, 0.5, 2.0}) point.errors.values.push_back({scale * value, 25});
  return point;
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("orders that have come to different n are compared at one that all have, with the inputs that all have") {
  const SweepContent content = content_with({moving("a", 100, 1), moving("a", 1000, 50), moving("a", 10000, 900),
                                             moving("b", 100, 1), moving("b", 1000, 5), moving("b", 1000, 500, 1)});
  CHECK(contains(sentence_with(content, "growth", "moves"), "At n = 1000, a moves by 50 times the sum"));
  CHECK(contains(sentence_with(content, "growth", "moves"), "10 times as far as b"));
  CHECK(
      contains(sentence_with(content, "orders", "moves"), "At n = 1000, a moves by 50 ulp (sd), 10 times as far as b"));
  const auto orders = figure_of(content, "orders");
  REQUIRE(orders);
  CHECK(contains(orders->caption, "All at n = 1000."));
}

TEST_CASE("arrivals are compared at equal n only") {
  const SweepContent content =
      content_with({arriving("uniform", 100, 1), arriving("uniform", 1000, 8), arriving("launch", 100, 2)});
  CHECK(contains(sentence_with(content, "arrivals", "launch"), "moves 2.0 times as far as with uniform ones"));
  CHECK(!figure_of(content_with({arriving("uniform", 1000, 8), arriving("launch", 100, 2)}), "arrivals"));
}

TEST_CASE("formats are compared at equal n, and panels at different n say which") {
  SumPoint narrow = off("a", 1000, 0.5);
  narrow.formats = parse_formats("bf16");
  SumPoint other = off("a", 100, 0.25);
  other.formats = narrow.formats;
  const SweepContent content = content_with({narrow, other, off("a", 100, 0.125)});
  CHECK(contains(sentence_with(content, "formats", "bf16"), "from 12 % (a in fp64) to 25 % of the sum (a in bf16)"));
  SumPoint more = moving("b", 1000, 3);
  more.formats = narrow.formats;
  more.relative_max_abs = 0.25;
  const auto sentence = sentence_with(content_with({narrow, more, off("a", 100, 0.125), off("b", 100, 0.5)}),
                                      "accuracy", "n = 1000, bf16");
  CHECK(contains(sentence, "the largest errors range from 25 % (b) to 50 % of the sum (a)"));
}

TEST_CASE("where distributions are compared the page says that they share random numbers") {
  const std::string said = "all distributions use the same random numbers";
  SumPoint other = moving("a", 100, 1);
  CHECK(!contains(to_html(content_with({moving("a", 100, 1), other})), said));
  other.terms = "normal(0,1)";
  CHECK(contains(to_html(content_with({moving("a", 100, 1), other})), said));
  other.input_seed = 0;  // terms of a file
  CHECK(!contains(to_html(content_with({moving("a", 100, 1), other})), said));
}

TEST_CASE("a page says at its top what is not finished and what is not finite") {
  SweepContent content = content_with({moving("a", 100, 1), moving("b", 100, 1)});
  CHECK(caveats_of(content).empty());
  content.planned = 144;
  const std::string said = "2 of 144 points are finished; the answers may change.";
  REQUIRE(unfinished_of(content.finished(), content.planned) == said);
  CHECK(caveats_of(content).empty());
  const std::string page = to_html(content);
  REQUIRE(contains(page, said));
  CHECK(page.find(said) > page.find("class=\"answer\""));
  CHECK(page.find(said) < page.find("data-chart="));
  content.planned = 2;
  CHECK(unfinished_of(content.finished(), content.planned).empty());
  content.points[1].not_finite = 7;
  CHECK(caveats_of(content) == std::vector<std::string>{"7 of 200 sums overflowed (inf or NaN), at n = 100, by b."});
  content.points[0].not_finite = content.points[1].not_finite = 100;
  CHECK(caveats_of(content) == std::vector<std::string>{"every order overflows at n = 100."});
}

TEST_CASE("an exact sum has an error of 0, and an overflow is in no ranking") {
  std::vector<SumPoint> points{off("a", 32, 0.25)};
  for (std::uint64_t input = 0; input < 8; ++input) {
    points.push_back(off("a", 64, 0.75, input));
    points.push_back(off("b", 64, 0, input));
    points.push_back(off("c", 64, 0.25, input));
    points.push_back(off("d", 64, 0, input));
    points.back().not_finite = 1;
  }
  const SweepContent content = content_with(points);
  CHECK(sentence_with(content, "accuracy", "largest errors") ==
        "At n = 64, the largest errors range from 0 (b) to 75 % of the sum (a).");
  CHECK(sentence_with(content, "orders", "accurate") ==
        "At n = 64, b is the most accurate (8 inputs, 95 % confidence): exact; the others by 0.25 to 0.75.");
  SumPoint narrow = off("a", 64, 0);
  narrow.formats = parse_formats("bf16");
  CHECK(sentence_with(content_with({off("a", 64, 0.5), narrow}), "formats", "errors") ==
        "At n = 64, the largest errors range from 0 (a in bf16) to 50 % of the sum (a in fp64).");
}

TEST_CASE("equal statistics are ties") {
  CHECK(greatest_of({{1.001, "a"}, {1.002, "b"}, {0.5, "c"}}).names == "a and b");
  CHECK(least_of({{3, "a"}, {3, "b"}, {3, "c"}}).names == "all 3 orders");
  CHECK(least_of({{0, "a"}, {1e-300, "b"}}).names == "a");
  CHECK(least_of({{3, "a"}}).names == "a");
}

TEST_CASE("means over inputs count zeros, and sentences say on how many inputs a sum moves") {
  const SweepContent content = content_with({moving("a", 10, 0), moving("a", 10, 3, 1), moving("a", 10, 4, 2),
                                             moving("a", 20, 0), moving("a", 20, 3, 1), moving("a", 20, 4, 2)});
  const auto spread = spread_of(cells_of(content)[0], &SumPoint::vs_spread);
  REQUIRE(spread);
  CHECK(std::fabs(spread->rms - std::sqrt(25.0 / 3)) <=
        0x1p-50);  // quotients, squares, a root: ulps of a number below 4
  CHECK(spread->least == 3);
  CHECK(spread->greatest == 4);
  CHECK(contains(sentence_with(content, "growth", "moves"), "on 2 of 3 inputs"));
  const SweepContent still =
      content_with({moving("a", 10, 0), moving("a", 20, 0), moving("b", 10, 1), moving("b", 20, 1)});
  CHECK(contains(sentence_with(still, "growth", "moves"), "; a does not move"));
}

TEST_CASE("an offset that changes its sign is compared with the spread by root mean squares") {
  std::vector<SumPoint> points;
  for (const std::uint64_t n : {10U, 20U})
    for (std::uint64_t input = 0; input < 2; ++input) {
      points.push_back(moving("a", n, 1, input));
      points.back().vs_offset = input == 0 ? -4 : 3;
      points.back().baseline = "seq";
    }
  CHECK(contains(sentence_with(content_with(points), "vs", "offset"), "the offset is 3.5 times the spread"));
}

TEST_CASE("a bound that is exceeded is said to be, and only else who comes nearest") {
  SumPoint over = sampled_point("a", 100);
  over.error_max_abs = 30;
  over.probabilistic_bound = 10;
  over.errors = {{{-30, 50}, {30, 50}}};
  SumPoint near = over;
  near.order = near.expression = "b";
  near.error_max_abs = 9.96;
  const std::string exceeded = sentence_with(content_with({over, near}), "ecdf", "P3");
  CHECK(contains(exceeded,
                 "exceeds P3, a bound that assumes random roundings, in 1 of 2 points, at worst 3.00 times: a"));
  const std::string held = sentence_with(content_with({near}), "ecdf", "P3");
  CHECK(contains(held, "No error exceeds the probabilistic bound P3; the closest is b at n = 100"));
  CHECK(contains(held, "9.96 of 10.0 ulp"));
}

TEST_CASE("all orders are no samples: one panel, exact counts, and a sentence of them") {
  std::vector<SumPoint> points;
  for (const int chunks : {2, 3, 4}) {
    points.push_back(moving("chunks(" + std::to_string(chunks) + ") | arrive | seq", 64, chunks - 2));
    points.back().all_orders = true;
    points.back().samples = chunks == 2 ? 2 : chunks == 3 ? 6 : 24;
    points.back().distinct = chunks - 1;
    points.back().error_range = 2 * (chunks - 2);
  }
  const SweepContent content = content_with(points);
  CHECK(facet_names(cells_of(content)) == std::vector<std::string>{""});
  const auto figure = figure_of(content, "parameter");
  REQUIRE(figure);
  CHECK(figure->leads);
  CHECK(figure->conclusions.front() ==
        "n = 64: 2, 3 and 4 in chunks(x) | arrive | seq give 1, 2 and 3 different results over all orders, 0, 2.0 and "
        "4.0 ulp apart.");
  CHECK(contains(to_html(content), "all 24 orders"));
}

TEST_CASE("fixed orders with one baseline have their largest distance from it") {
  std::vector<SumPoint> points;
  for (const std::uint64_t n : {10U, 20U})
    for (const char* order : {"base", "a", "b", "c"}) {
      points.push_back(off(order, n, 1));
      points.back().baseline = "base";
      points.back().vs_max_abs = order[0] == 'b' && order[1] == 'a' ? 0 : order[0] == 'a' ? 0.0625 : 0.25;
    }
  CHECK(sentence_with(content_with(points), "differences", "differ") ==
        "At n = 20, b and c differ from base by up to 25 % of the sum, a by up to 6.2 %.");
  for (SumPoint& point : points)
    if (point.n == 20) point.vs_max_abs = 0;
  CHECK(sentence_with(content_with(points), "differences", "same") ==
        "At n = 20, all 3 orders give the same results as base.");
  points[1].baseline = "other";
  CHECK(!figure_of(content_with(points), "differences"));
}

TEST_CASE("intervals that end near 1 have three digits, and captions say what was resampled") {
  CHECK(interval_in_words(0.996, 1.2) == "0.996 to 1.20");
  CHECK(interval_in_words(0.5, 0.8) == "0.50 to 0.80");
  std::vector<SumPoint> points;
  for (std::uint64_t input = 0; input < kInputsToResample; ++input)
    for (const char* arrival : {"uniform", "launch"}) points.push_back(arriving(arrival, 100, 1, input));
  CHECK(contains(figure_of(content_with(points), "arrivals")->caption, "draw inputs with replacement"));
  points.resize(points.size() - 2);
  CHECK(contains(figure_of(content_with(points), "arrivals")->caption, "the interval is of these inputs only"));
}
