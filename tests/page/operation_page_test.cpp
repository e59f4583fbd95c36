// The page of one finding on an operation: its map adds up to what the finding says, and it shows what there is.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "config/json.hpp"
#include "orderlab/operation.hpp"
#include "orderlab/page.hpp"
#include "page/sum_points.hpp"

using namespace orderlab;

namespace {

study::OperationSampleFinding sampled(const std::string& op, const Shape& shape,
                                      const study::OperationSampleRequest& request) {
  GeneratedInputs what;
  what.shape = shape;
  return sample_operation(study::operation_input(parse_operation(op), what), request).value();
}

Json specs_in(const std::string& page) {
  const std::string before = "id=\"specs\">";
  const std::size_t from = page.find(before) + before.size();
  return Json::parse(page.substr(from, page.find("</script>", from) - from));
}

// Mean share over all outputs, from the cells and how many outputs each has.
double mean_of_map(const Json& map) {
  double differing = 0;
  double outputs = 0;
  for (const Json& cell : map["data"]["values"]) {
    const double rows = cell.contains("y") ? cell["y2"].number() - cell["y"].number() : 1;
    const double here = rows * (cell["x2"].number() - cell["x"].number());
    outputs += here;
    differing += here * cell["share"].number();
  }
  return differing / outputs;
}

bool close(double a, double b) { return std::fabs(a - b) <= 1e-4 * std::fabs(b); }  // cells have five digits

}  // namespace

TEST_CASE("a map of an array has at most 64 x 64 cells, and their mean is Vc") {
  const auto finding = sampled("index_add", {100, 70}, {.samples = 9});
  REQUIRE(finding.vc.mean > 0);
  const std::string page = html_page(finding);
  const Json specs = specs_in(page);
  const Json& map = specs["output_map"];
  CHECK(map["data"]["values"].size() == 64 * 64);
  CHECK(close(mean_of_map(map), finding.vc.mean));
  CHECK(map["data"]["values"].back()["x2"].number() == 70);
  CHECK(map["data"]["values"].back()["y2"].number() == 100);
  double counted = 0;
  for (const Json& bar : specs["output_counts"]["concat"][0]["data"]["values"]) counted += bar["outputs"].number();
  CHECK(counted == 7000);
  CHECK(specs.contains("offset_order"));
  CHECK(says(page, "9 runs gave 9 different arrays"));
  CHECK(says(page, "Outputs that move most"));
  CHECK(says(page, "orderlab sample --op index_add --shape 100x70 --dist &#39;normal(0,1)&#39;"));
  CHECK(page == html_page(finding));
}

TEST_CASE("a map of one dimension is bars along it, and of more than two dimensions the last one lies across") {
  const auto line = sampled("cumsum(lookback=uniform)", {20'000}, {.samples = 9});
  const Json bars = specs_in(html_page(line))["output_map"];
  CHECK(bars["data"]["values"].size() == 256);
  CHECK(close(mean_of_map(bars), line.vc.mean));
  CHECK(says(html_page(line), "The first output that differs is "));
  const auto deep = sampled("index_add", {30, 4, 5}, {.samples = 9});
  const Json map = specs_in(html_page(deep))["output_map"];
  CHECK(map["data"]["values"].size() == 64 * 5);
  CHECK(says(map.dump(), "row (dimensions 0 to 1)"));
  CHECK(close(mean_of_map(map), deep.vc.mean));
}

TEST_CASE("a page of an operation shows only what there is") {
  const auto fixed = sampled("index_add", {4, 4}, {.samples = 9});
  REQUIRE(fixed.varying == 0);
  const std::string page = html_page(fixed);
  CHECK(!specs_in(page).contains("output_counts"));
  CHECK(!says(page, "Outputs that move most"));
  CHECK(says(page, "No arrival order changes any of the 16 outputs"));
  const auto runs = sampled("index_add", {40, 40}, {.baseline = study::OutputBaseline::run, .samples = 9});
  CHECK(!specs_in(html_page(runs)).contains("offset_order"));
  CHECK(close(mean_of_map(specs_in(html_page(runs))["output_map"]), runs.vc.mean));
}
