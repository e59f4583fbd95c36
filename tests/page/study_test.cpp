// What a page knows of an experiment is what was measured.
#include "page/study.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "show/make_experiment.hpp"

using namespace orderlab;

namespace {

StudyPoint point_of(const ExperimentPlan& plan, const char* distribution, std::size_t n) {
  const Study study =
      study_of(make_experiment(plan, generate_terms(distribution, n, plan.formats.terms, plan.seed), distribution));
  REQUIRE(study.points.size() == 1);
  return study.points[0];
}

}  // namespace

TEST_CASE("errors of a point are those that sample reports, in every format") {
  for (const char* format : {"fp64", "fp32", "fp16:fp32", "bf16"})
    for (const char* distribution : {"normal(0,1)", "uniform(0,1)"}) {
      CAPTURE(format);
      const ExperimentPlan plan{.orders = {"random"}, .formats = parse_formats(format), .samples = 300};
      const Terms terms = generate_terms(distribution, 200, plan.formats.terms, plan.seed);
      const study::SampleFinding report = make_experiment(plan, terms, distribution);
      const StudyPoint point = study_of(report).points[0];
      const std::vector<ResultCounts::Result> results = report.orders[0].counts.results();
      REQUIRE(point.errors.size() == results.size());
      const double ulp = std::ldexp(1.0, report.input.exact.ulp_exponent(plan.formats.result));
      std::uint64_t samples = 0;
      for (std::size_t i = 0; i < results.size(); ++i) {
        const double error = report.input.exact.difference(results[i].value) / ulp;
        // the least error and the sum with a difference are rounded once each, and lie below the largest one
        CHECK(std::fabs(point.errors[i].value - error) <= 0x1p-51 * *point.error_max_abs);
        CHECK(point.errors[i].count == results[i].count);
        samples += point.errors[i].count;
      }
      CHECK(samples == 300);
      CHECK(point.not_finite == 0);
      const auto bound = report.orders[0].metrics.number({"bounds", "running", "max"});
      REQUIRE(bound);
      REQUIRE(point.running_bound);
      CHECK(std::fabs(*point.running_bound - *bound / ulp) <= 0x1p-49 * *point.running_bound);  // three roundings
      CHECK(*point.running_bound >= *point.error_max_abs);
    }
}

TEST_CASE("a page has the probabilistic bound only where it is below the proven one") {
  const StudyPoint few = point_of({.orders = {"random"}, .samples = 50}, "uniform(0,1)", 8);
  CHECK(few.running_bound);
  CHECK(!few.probabilistic_bound);
  const StudyPoint many = point_of({.orders = {"random"}, .samples = 50}, "uniform(0,1)", 2000);
  REQUIRE(many.probabilistic_bound);
  CHECK(*many.probabilistic_bound < *many.running_bound);
}

TEST_CASE("bins stand where their results do") {
  const StudyPoint point = point_of({.orders = {"random"}, .samples = 400, .max_distinct = 16}, "normal(0,1)", 2000);
  CHECK(!point.distinct);
  CHECK(point.errors.size() <= 16);
  REQUIRE(point.errors.size() > 4);
  const StudyPoint listed = point_of({.orders = {"random"}, .samples = 400}, "normal(0,1)", 2000);
  REQUIRE(listed.errors.size() > 16);
  // Middles of bins, a bin being no wider than the distance of two, beside exact errors and half an ulp of the sum.
  const double width = point.errors[1].value - point.errors[0].value;
  CHECK(std::fabs(mean(point.errors) - mean(listed.errors)) <= width / 2 + 0.5);
}

TEST_CASE("a fixed order, an exact sum and an overflow have what they have and no more") {
  const StudyPoint fixed = point_of({.orders = {"pairwise"}, .samples = 300}, "uniform(0,1)", 100);
  CHECK(!fixed.random);
  CHECK(fixed.samples == 1);
  CHECK(fixed.errors.size() == 1);
  const StudyPoint exact = point_of({.orders = {"random"}, .samples = 50}, "integers(4)", 100);
  CHECK(exact.errors.size() == 1);
  CHECK(exact.errors[0].value == 0);
  CHECK(!exact.running_bound);
  const StudyPoint infinite =
      point_of({.orders = {"sequential"}, .formats = parse_formats("fp16")}, "constant(60000)", 4);
  CHECK(infinite.errors.empty());
  CHECK(infinite.not_finite == 1);
}
