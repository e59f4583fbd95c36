// The page of one solver: its charts have the numbers of the finding, and it shows what there is.
#include <doctest/doctest.h>

#include <string>

#include "config/json.hpp"
#include "orderlab/page.hpp"
#include "page/sum_points.hpp"
#include "show/solve.hpp"

using namespace orderlab;

namespace {

Json specs_of(const std::string& page) {
  const std::string before = "id=\"specs\">";
  const std::size_t from = page.find(before) + before.size();
  return Json::parse(page.substr(from, page.find("</script>", from) - from));
}

study::SolveFinding found(const study::SystemSource& system, const study::SolveRequest& request) {
  return study::find_solve(study::solve_input(system), request).value();
}

}  // namespace

TEST_CASE("a page of a solver shows divergence, residuals and iterations") {
  study::SolveRequest request;
  request.samples = 8;
  const auto finding = found({.matrix = "poisson2d(24)", .scale = 2}, request);
  const std::string page = html_page(finding);
  const Json specs = specs_of(page);
  std::size_t iterates = 0;
  for (const study::DivergencePoint& point : finding.divergence) iterates += point.iterate ? 1U : 0U;
  std::size_t points = 0;
  std::size_t names = 0;
  for (const Json& row : specs["solve_divergence"]["data"]["values"]) (row["kind"] == "end" ? names : points) += 1;
  CHECK(points == finding.divergence.size() + iterates);
  CHECK(names == 2);  // at the ends of the lines, in place of a legend
  double runs = 0;
  for (const Json& bar : specs["solve_iterations"]["data"]["values"])
    if (bar["kind"] == "bar") runs += bar["runs"].number();
  CHECK(runs == 8);
  std::uint64_t last = 0;
  for (const Json& row : specs["solve_history"]["concat"][0]["data"]["values"])
    last = std::max(last, row["iteration"].count());
  CHECK(last >= finding.launch.iterations());
  CHECK(says(page, "order changes the path, not the answer"));
  CHECK(says(page, "poisson2d(24)"));
}

TEST_CASE("a page of runs that never differ, or never converge, has the charts that make sense") {
  study::SolveRequest request;
  request.samples = 3;
  request.max_iterations = 4;
  const Json specs = specs_of(html_page(found({.matrix = "poisson2d(16)"}, request)));
  CHECK(!specs.contains("solve_iterations"));
  CHECK(specs.contains("solve_history"));
  request = {};
  request.samples = 2;
  request.order = parse_order("pairwise");
  CHECK(specs_of(html_page(found({.matrix = "poisson2d(1)"}, request))).contains("solve_divergence"));
}
