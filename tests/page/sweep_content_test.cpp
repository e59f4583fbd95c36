// What a page knows of a sampling is what was measured.
#include "page/sweep_content.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

#include "engine/brute_force.hpp"
#include "metrics/statistics.hpp"
#include "page/error_shape.hpp"
#include "page/sum_point.hpp"
#include "show/input_json.hpp"
#include "show/make_sample.hpp"
#include "sweep/config_text.hpp"
#include "sweep/counts_blob.hpp"
#include "sweep/sweep.hpp"

using namespace orderlab;

namespace {

SumPoint point_of(const SamplePlan& plan, const char* distribution, std::size_t n) {
  const SweepContent content =
      content_of(make_sample(plan, generate_terms(distribution, n, plan.formats.terms, plan.seed), distribution));
  REQUIRE(content.points.size() == 1);
  return content.points[0];
}

}  // namespace

TEST_CASE("errors of a point are those that sample reports, in every format") {
  for (const char* format : {"fp64", "fp32", "fp16:fp32", "bf16"})
    for (const char* distribution : {"normal(0,1)", "uniform(0,1)"}) {
      CAPTURE(format);
      const SamplePlan plan{.orders = {"random"}, .formats = parse_formats(format), .samples = 300};
      const Terms terms = generate_terms(distribution, 200, plan.formats.terms, plan.seed);
      const study::SampleFinding finding = make_sample(plan, terms, distribution);
      const SumPoint point = content_of(finding).points[0];
      const std::vector<Weighted> results = finding.orders[0].counts.results().values;
      REQUIRE(point.errors.size() == results.size());
      const double ulp = std::ldexp(1.0, finding.input.exact.ulp_exponent(plan.formats.result));
      double samples = 0;
      for (std::size_t i = 0; i < results.size(); ++i) {
        const double error = finding.input.exact.difference(results[i].value) / ulp;
        CHECK(point.errors.values[i].value == error);
        CHECK(point.errors.values[i].weight == results[i].weight);
        samples += point.errors.values[i].weight;
      }
      CHECK(samples == 300);
      CHECK(point.not_finite == 0);
      const auto bound = finding.orders[0].metrics.of<BoundSummary>().running.max;
      REQUIRE(bound);
      REQUIRE(point.running_bound);
      CHECK(*point.running_bound == *bound / ulp);
      CHECK(*point.running_bound >= *point.error_max_abs);
    }
}

TEST_CASE("a page has the probabilistic bound only where it is below the proven one") {
  const SumPoint few = point_of({.orders = {"random"}, .samples = 50}, "uniform(0,1)", 8);
  CHECK(few.running_bound);
  CHECK(!few.probabilistic_bound);
  const SumPoint many = point_of({.orders = {"random"}, .samples = 50}, "uniform(0,1)", 2000);
  REQUIRE(many.probabilistic_bound);
  CHECK(*many.probabilistic_bound < *many.running_bound);
  const study::SampleFinding finding = make_sample(
      {.orders = {"random"}, .samples = 50}, generate_terms("uniform(0,1)", 2000, Format::fp64, 1), "uniform(0,1)");
  const double ulp = std::ldexp(1.0, finding.input.exact.ulp_exponent(Format::fp64));
  CHECK(*many.probabilistic_bound == *finding.orders[0].metrics.of<BoundSummary>().probabilistic.value / ulp);
}

TEST_CASE("more bins than a page shows are joined in pairs, each into the one that it lies in") {
  const study::SampleFinding finding =
      make_sample({.orders = {"random"}, .samples = 6000, .max_distinct = 3000},
                  generate_terms("cancel(1e10)", 200, Format::fp64, 1), "cancel(1e10)");
  const ResultCounts& counts = finding.orders[0].counts;
  const Distribution all = errors_of(counts, finding.input.exact);
  REQUIRE(all.size() > kKeptErrors);
  const double ulp = std::ldexp(1.0, counts.frame().ulp_exponent);
  const Distribution joined = content_of(finding).points[0].errors;
  CHECK(joined.size() <= kKeptErrors);
  CHECK(joined.width >= 2 * all.width / ulp);
  std::vector<double> weights(joined.size());
  for (const Weighted& bin : middles_of(all)) {
    const auto beyond = std::upper_bound(joined.values.begin(), joined.values.end(), bin.value / ulp,
                                         [](double error, const Weighted& one) { return error < one.value; });
    REQUIRE(beyond != joined.values.begin());
    CHECK(bin.value / ulp < std::prev(beyond)->value + joined.width);
    weights[static_cast<std::size_t>(std::prev(beyond) - joined.values.begin())] += bin.weight;
  }
  for (std::size_t i = 0; i < joined.size(); ++i) CHECK(weights[i] == joined.values[i].weight);
}

TEST_CASE("bins stand where their results do") {
  const SumPoint point = point_of({.orders = {"random"}, .samples = 400, .max_distinct = 16}, "normal(0,1)", 2000);
  CHECK(!point.distinct);
  CHECK(point.errors.size() <= 16);
  REQUIRE(point.errors.size() > 4);
  const SumPoint listed = point_of({.orders = {"random"}, .samples = 400}, "normal(0,1)", 2000);
  REQUIRE(listed.errors.size() > 16);
  // Middles of bins beside exact errors and half an ulp of the sum.
  const double width = point.errors.width;
  CHECK(width > 0);
  CHECK(width <= (point.errors.values[1].value - point.errors.values[0].value) * (1 + 0x1p-40));  // edges are rounded
  CHECK(std::fabs(mean({middles_of(point.errors)}) - mean(listed.errors)) <= width / 2 + 0.5);
}

TEST_CASE("a fixed order, an exact sum and an overflow have what they have and no more") {
  const SumPoint fixed = point_of({.orders = {"pairwise"}, .samples = 300}, "uniform(0,1)", 100);
  CHECK(!fixed.random);
  CHECK(fixed.samples == 1);
  CHECK(fixed.errors.size() == 1);
  const SumPoint exact = point_of({.orders = {"random"}, .samples = 50}, "integers(4)", 100);
  CHECK(exact.errors.size() == 1);
  CHECK(exact.errors.values[0].value == 0);
  CHECK(!exact.running_bound);
  const SumPoint infinite =
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
    const SumPoint point = content_of(store).points.at(0);
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

TEST_CASE("errors around an exact sum of 0 are in u sum|x|, also where no double counts their ulps") {
  std::vector<double> terms;
  for (int i = 1; i <= 40; ++i) terms.insert(terms.end(), {1.0 / i, -1.0 / i});
  for (const std::uint64_t max_distinct : {1000u, 4u}) {
    const study::SampleFinding finding = make_sample(
        {.orders = {"random"}, .samples = 200, .max_distinct = max_distinct}, study::given_input(terms).terms);
    const SweepContent content = content_of(finding);
    const SumPoint& point = content.points[0];
    CHECK(content.near_zero);
    CHECK(point.not_finite == 0);
    CHECK(!point.running_bound);
    REQUIRE(!point.errors.empty());
    const double unit = 0x1p-53 * finding.input.sum_abs.to_double();
    const auto extremes = finding.orders[0].counts.extremes();
    REQUIRE(extremes);
    const double slack =
        point.errors.width + 0x1p-48;  // bins begin below and end above; sum|x| and quotients are rounded
    CHECK(std::fabs(point.errors.values.front().value - extremes->min / unit) <= slack);
    CHECK(std::fabs(point.errors.values.back().value - extremes->max / unit) <= slack);
    CHECK((point.errors.width > 0) == (max_distinct == 4));
  }
}

TEST_CASE("a stored point has the errors, bounds and units of the finding that it was stored from") {
  for (const char* format : {"fp64", "fp32", "fp16:fp32", "bf16"})
    for (const std::uint64_t max_distinct : {8u, 100000u}) {
      CAPTURE(format);
      CAPTURE(max_distinct);
      const char* const distribution = "uniform(-1,2)";
      const SamplePlan plan{
          .orders = {"random"}, .formats = parse_formats(format), .samples = 300, .max_distinct = max_distinct};
      const SumPoint live = point_of(plan, distribution, 500);
      const ConfigText config("n = 500\norder = 'random'\nsamples = 300\ndist = '" + std::string(distribution) +
                              "'\nformat = '" + format + "'\nmax_distinct = " + std::to_string(max_distinct) + "\n");
      Store store((config.folder() / "s.sqlite").string(), Store::Access::create);
      run_sweep(config.plan(), store, {.shard = {}, .memory_bytes = 1e9});
      const SumPoint stored = content_of(store).points.at(0);
      REQUIRE(stored.errors.size() == live.errors.size());
      for (std::size_t i = 0; i < live.errors.size(); ++i) {
        CHECK(stored.errors.values[i].value == live.errors.values[i].value);
        CHECK(stored.errors.values[i].weight == live.errors.values[i].weight);
      }
      CHECK(stored.errors.width == live.errors.width);
      for (const auto member :
           {&SumPoint::condition, &SumPoint::distinct, &SumPoint::error_sd, &SumPoint::error_rms,
            &SumPoint::error_range, &SumPoint::error_max_abs, &SumPoint::running_bound, &SumPoint::probabilistic_bound,
            &SumPoint::part_max_abs, &SumPoint::vs_spread, &SumPoint::apart_max_abs, &SumPoint::apart_offset})
        CHECK(stored.*member == live.*member);
      for (const auto sizes : {&SumPoint::in_ulps, &SumPoint::in_u_sum_abs}) {
        CHECK((stored.*sizes).unit->exponent == (live.*sizes).unit->exponent);
        CHECK(std::fabs((stored.*sizes).unit->significand / (live.*sizes).unit->significand - 1) <= 0x1p-52);
      }
      CHECK(stored.samples == live.samples);
      CHECK(stored.random == live.random);
      CHECK(stored.expression == live.expression);
      CHECK(stored.max_distinct == live.max_distinct);
      CHECK(stored.seed == live.seed);
    }
}

TEST_CASE("the error of a result that is the exact sum is 0 also where a store has fewer digits than the sum") {
  const ConfigText config("n = 30\norder = ['random', 'sequential']\nsamples = 200\ndist = 'dyadic(20,-200,3)'\n");
  Store store((config.folder() / "s.sqlite").string(), Store::Access::create);
  run_sweep(config.plan(), store, {.shard = {}, .memory_bytes = 1e9});
  const SweepContent content = content_of(store);
  for (const SumPoint& point : content.points) {
    CHECK(point.error_max_abs == 0);
    REQUIRE(point.errors.size() == 1);
    CHECK(point.errors.values[0].value == 0);
  }
}

TEST_CASE("the unit of a sum of magnitudes beyond doubles is stored by the condition number") {
  const Json terms{{"exact", {{"decimal", "3e+300"}}}, {"sum_abs", "inf"}, {"condition", 0x1p30}};
  const MeasuredPoint stored = measured_point(StoredPoint{.hash = {},
                                                          .config = R"({"format": "fp64"})",
                                                          .terms = terms.dump(),
                                                          .summation = "{}",
                                                          .metrics = "{}",
                                                          .counts = "L",
                                                          .made_by = {}});
  CHECK(stored.sum_abs.scaled(-1000) == 3e300 * 0x1p-970);
}

TEST_CASE("a point of which little was stored shows no more than that") {
  const MeasuredPoint stored = measured_point(StoredPoint{.hash = {},
                                                          .config = R"({"format": "fp64"})",
                                                          .terms = "{}",
                                                          .summation = "{}",
                                                          .metrics = R"({"samples": 5, "error": {"ulp": {"min": 1}}})",
                                                          .counts = to_blob({{{1, 5}}}, Format::fp64),
                                                          .made_by = {}});
  const SumPoint point = orderlab::point_of(stored);
  CHECK(point.errors.empty());
  CHECK(point.not_finite == 5);
  CHECK(!point.error_range);
}
