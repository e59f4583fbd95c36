// What a page knows of an experiment is what was measured.
#include "page/study.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "engine/brute_force.hpp"
#include "metrics/statistics.hpp"
#include "page/error_shape.hpp"
#include "page/study_point.hpp"
#include "show/input_json.hpp"
#include "show/make_experiment.hpp"
#include "sweep/config_text.hpp"
#include "sweep/sweep.hpp"

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
      const std::vector<Weighted> results = report.orders[0].counts.results().values;
      REQUIRE(point.errors.size() == results.size());
      const double ulp = std::ldexp(1.0, report.input.exact.ulp_exponent(plan.formats.result));
      double samples = 0;
      for (std::size_t i = 0; i < results.size(); ++i) {
        const double error = report.input.exact.difference(results[i].value) / ulp;
        // the least error and the sum with a difference are rounded once each, and lie below the largest one
        CHECK(std::fabs(point.errors.values[i].value - error) <= 0x1p-51 * *point.error_max_abs);
        CHECK(point.errors.values[i].weight == results[i].weight);
        samples += point.errors.values[i].weight;
      }
      CHECK(samples == 300);
      CHECK(point.not_finite == 0);
      const auto bound = report.orders[0].metrics.of<BoundSummary>().running.max;
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
  // Middles of bins beside exact errors and half an ulp of the sum.
  const double width = point.errors.width;
  CHECK(width > 0);
  CHECK(width <= (point.errors.values[1].value - point.errors.values[0].value) * (1 + 0x1p-40));  // edges are rounded
  CHECK(std::fabs(mean({middles_of(point.errors)}) - mean(listed.errors)) <= width / 2 + 0.5);
}

TEST_CASE("a fixed order, an exact sum and an overflow have what they have and no more") {
  const StudyPoint fixed = point_of({.orders = {"pairwise"}, .samples = 300}, "uniform(0,1)", 100);
  CHECK(!fixed.random);
  CHECK(fixed.samples == 1);
  CHECK(fixed.errors.size() == 1);
  const StudyPoint exact = point_of({.orders = {"random"}, .samples = 50}, "integers(4)", 100);
  CHECK(exact.errors.size() == 1);
  CHECK(exact.errors.values[0].value == 0);
  CHECK(!exact.running_bound);
  const StudyPoint infinite =
      point_of({.orders = {"sequential"}, .formats = parse_formats("fp16")}, "constant(60000)", 4);
  CHECK(infinite.errors.empty());
  CHECK(infinite.not_finite == 1);
}

TEST_CASE("orders that overflow are counted exactly, also where a double does not hold their number") {
  for (const double term : {0.1, 3854.0}) {  // 17 of the larger one are next to what overflows
    CAPTURE(term);
    const ConfigText config("n = 17\ndist = 'constant(" + std::to_string(term) +
                            ")'\nformat = 'fp16'\norder = 'random_tree'\nsamples = 'all'\n");
    Store store((config.folder() / "s.sqlite").string(), Store::Access::create);
    run_sweep(config.plan(), store, {.shard = {}, .memory_bytes = 1e9});
    const StudyPoint point = study_of(store).points.at(0);
    const Enumeration all = testing::enumerated("random_tree", parse_formats("fp16"), std::vector<double>(17, term));
    BigCount not_finite = 0;
    for (std::size_t i = 0; i < all.results.size(); ++i)
      if (!std::isfinite(all.results.values[i].value)) not_finite += all.results.orders[i];
    CHECK(all.orders.bits() > 53);
    CHECK(std::to_string(point.samples) == all.orders.str());
    CHECK(std::to_string(point.not_finite) == not_finite.str());
    CHECK((point.not_finite > 0) == (term > 1));
    CHECK(point.not_finite < point.samples);
  }
}

TEST_CASE("a point of which little was stored shows no more than that") {
  PointTexts texts;
  texts.config = {{"format", "fp64"}};
  texts.samples = 5;
  texts.metrics = metrics_from(Json::parse(R"({"error": {"ulp": {"min": 1}}})"));
  const StudyPoint point = orderlab::point_of(texts);
  CHECK(point.errors.empty());
  CHECK(point.not_finite == 5);
  CHECK(!point.error_range);
}
