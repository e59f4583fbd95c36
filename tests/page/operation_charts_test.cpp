// Charts of operations: what is published beside what is measured, and what is method and what order.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "page/html_page.hpp"
#include "page/operation_cells.hpp"
#include "page/sum_points.hpp"

using namespace orderlab;

namespace {

OperationPoint operation_point(const std::string& op, std::uint64_t side, const std::string& ratio, double vc) {
  OperationPoint point;
  point.op = op;
  point.shape = std::to_string(side) + "x" + std::to_string(side);
  point.ratio = ratio;
  point.arrival_model = "uniform";
  point.terms = "normal(0,1)";
  point.input_seed = point.seed = 1;
  point.asked = point.measures.samples = 10;
  point.kernel = "atomics";
  point.outputs = side * side;
  point.measures.baseline = study::OutputBaseline::deterministic;
  point.measures.can_vary = 1;
  point.measures.vc = {.mean = vc, .sd = vc / 10};
  point.measures.vc_order = {.mean = vc / 2, .sd = vc / 20};
  point.measures.offset_vc = vc / 4;
  point.measures.vermv_code = {.mean = vc * 1e-6, .sd = vc * 1e-7};
  point.measures.vermv_robust.mean = vc * 1e-8;
  return point;
}

SweepContent content_of_operations(std::vector<OperationPoint> points) {
  SweepContent content;
  content.swept = true;
  content.planned = points.size();
  content.operations = std::move(points);
  return content;
}

PublishedRow published_row(const std::string& op, std::uint64_t n, double ratio, double vc) {
  PublishedRow row;
  row.op = op;
  row.n = n;
  row.ratio = ratio;
  row.vc_mean = vc;
  row.vc_sd = vc / 8;
  row.vermv_mean = vc * 1e-5;
  return row;
}

std::vector<Json> rows_of_kind(const Json& spec, const std::string& kind) {
  std::vector<Json> rows;
  const auto add = [&](const Json& view) {
    for (const Json& row : view["data"]["values"])
      if (row["kind"] == kind) rows.push_back(row);
  };
  if (spec.contains("concat"))
    for (const Json& view : spec["concat"]) add(view);
  else
    add(spec);
  return rows;
}

}  // namespace

TEST_CASE("published points stand beside the measured ones of their operation, size and ratio") {
  std::vector<OperationPoint> points;
  for (const std::uint64_t side : {10U, 20U})
    for (const char* ratio : {"0.5", "1"}) {
      points.push_back(operation_point("index_add", side, ratio, 0.25));
      points.push_back(operation_point("scatter_add(1)", side, ratio, 0.5));
    }
  SweepContent content = content_of_operations(points);
  CHECK(rows_of_kind(figure_of(content, "vc_size")->spec, "published").empty());
  content.published = {"table.csv",
                       "Somebody, 2020",
                       {published_row("index_add", 10, 0.5, 0.125), published_row("scatter_add", 20, 0.5, 0.75),
                        published_row("index_add", 30, 0.5, 0.5), published_row("matmul", 10, 0.5, 0.5)}};
  const auto size = figure_of(content, "vc_size");
  const std::vector<Json> marks = rows_of_kind(size->spec, "published");
  REQUIRE(marks.size() == 2);
  CHECK(marks[0]["facet"] == "ratio = 0.5");
  CHECK(marks[0]["series"] == "published (table.csv)");
  CHECK(marks[0]["x"].number() == 100);
  CHECK(marks[0]["mean"].number() == 0.125);
  CHECK(marks[1]["x"].number() == 400);
  CHECK(marks[1]["high"].number() == 0.75 * 1.125);
  CHECK(says(size->spec.dump(), "[\"index_add\",\"scatter_add(1)\",\"published (table.csv)\"]"));
  CHECK(says(size->caption, "what table.csv has of the same operations, sizes and ratios, Somebody, 2020;"));
  CHECK(says(sentence_with(content, "vc_size", "With 400 outputs, ratio = 0.5"), "published: 75 %."));
  CHECK(rows_of_kind(figure_of(content, "vc_ratio")->spec, "published").size() == 2);
  // the definition of what is published
  CHECK(rows_of_kind(figure_of(content, "vermv_size")->spec, "published").empty());
  const std::vector<Json> vermv = rows_of_kind(figure_of(content, "vermv_published_size")->spec, "published");
  REQUIRE(vermv.size() == 2);
  CHECK(vermv[0]["mean"].number() == 1.25e-6);
  CHECK(vermv[0]["sd"].number() == 0);
  const std::string page = to_html(content);
  CHECK(says(page, "# published = &quot;table.csv&quot;"));
  CHECK(says(page, "published (table.csv)"));
}

TEST_CASE("Vermv is on a logarithmic axis, where 0 and what a deviation takes below it keep a place") {
  std::vector<OperationPoint> points{operation_point("index_add", 10, "1", 0),
                                     operation_point("index_add", 20, "1", 1)};
  points[1].measures.vermv_robust = {.mean = 1e-8, .sd = 3e-8};
  const std::vector<Json> rows = rows_of_kind(figure_of(content_of_operations(points), "vermv_size")->spec, "point");
  REQUIRE(rows.size() == 2);
  CHECK(rows[0]["mean"].number() == 0);
  CHECK(rows[0]["y"].number() > 0);
  CHECK(rows[0]["y"].number() < 1e-8);
  CHECK(rows[1]["low"].number() == 1e-8);
  CHECK(rows[1]["high"].number() == 4e-8);
  CHECK(!figure_of(content_of_operations({points[0]}), "vermv_size"));
}

TEST_CASE("method offset and order spread stand side by side, where the baseline is another method") {
  std::vector<OperationPoint> points{operation_point("index_add", 10, "1", 0.5),
                                     operation_point("scatter_add", 10, "1", 0.25)};
  const auto figure = figure_of(content_of_operations(points), "offset_order");
  const std::vector<Json> bars = rows_of_kind(figure->spec, "bar");
  REQUIRE(bars.size() == 4);
  CHECK(bars[0]["label"] == "index_add");
  CHECK(bars[0]["what"] == "method offset");
  CHECK(bars[0]["share"].number() == 0.125);
  CHECK(bars[1]["what"] == "order spread");
  CHECK(bars[1]["share"].number() == 0.25);
  CHECK(rows_of_kind(figure->spec, "sd").size() == 2);
  CHECK(figure->conclusions.at(0) ==
        "index_add: the method alone changes 12 % of the outputs, the order 25 % on average.");
  for (OperationPoint& point : points) point.measures.baseline = study::OutputBaseline::launch;
  CHECK(!figure_of(content_of_operations(points), "offset_order"));
  std::vector<OperationPoint> many;
  for (std::uint64_t side = 1; side <= 20; ++side) many.push_back(operation_point("index_add", side, "1", 0.5));
  const auto largest = figure_of(content_of_operations(many), "offset_order");
  CHECK(rows_of_kind(largest->spec, "bar").size() == 2);
  CHECK(says(largest->caption, "1 of 20"));
}
