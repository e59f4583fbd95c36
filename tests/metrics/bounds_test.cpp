// The proven bounds D1, D2 and D3, never violated and rounded upward, and the list of all bounds.
#include "orderlab/bounds.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "doubles.hpp"
#include "metrics/bound_trials.hpp"
#include "metrics/exact_bounds.hpp"
#include "metrics/measured.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

/// Bounds of the list by their symbols.
Bound bound_of(const Measured& measured, std::string_view symbol) {
  for (const Bound& bound : all_bounds(measured.evaluator(), measured.counts(), measured.sum_abs()))
    if (bound.symbol == symbol) return bound;
  FAIL("no bound " << std::string(symbol));
  return {};
}

}  // namespace

TEST_CASE("D1, D2, D3 and the bound over every order are never violated, and nearly reached") {
  const BoundTrials tried = BoundTrials::run(0, trials(20'000));
  // 1 + u is a tie, off by u: all four bounds are u there, but for a factor of 1 + u or less.
  for (const double part : {tried.running, tried.gamma, tried.any_order, tried.every_order}) {
    if (test_scale() >= 1) CHECK(part > 0.9);
    CHECK(part <= 1);
  }
}

TEST_CASE("D1, D2 and D3 are at least their formulas, evaluated to 100 digits") {
  for (std::uint64_t seed = 1; seed <= trials(40); ++seed) {
    CAPTURE(seed);
    for (const FormatInfo& format : kFormats) {
      CAPTURE(format.name);
      for (const char* order : {"sequential", "random", "random_tree", "pairwise"}) {
        CAPTURE(std::string(order));
        const std::size_t n = 2 + seed % 20;
        const Trouble trouble = seed % 2 == 0 ? Trouble::near_one : Trouble::ties;
        const TypedTerms terms(format.format, troublesome_numbers(seed, format.format, trouble, n));
        const auto evaluator =
            Evaluator::make(parse_order(order), terms.view(), {format.format, format.format, format.format}, seed);
        const Evaluation e = evaluate_once(*evaluator);
        if (!std::isfinite(e.value)) continue;
        const Wide u = format.unit_roundoff();
        const auto check = [](double bound, const Wide& formula) {
          CHECK(Wide(bound) >= formula * Wide(1 - 0x1p-52));  // sum|x| itself came rounded to nearest
          CHECK(Wide(bound) <= formula * Wide(1 + 0x1p-40));  // and not by more than a few thousand roundings
        };
        const Wide d1 = exact_running(nodes_of(evaluator->tree(0), terms.view()), u);
        check(*running_bound(e.error), d1);
        CHECK(Wide(*running_bound(e.error)) >= d1);
        const Wide exact_sum_abs = sum_abs_of(terms.view());
        const double sum_abs = orderlab::exact_sum_abs(terms.view()).to_double();
        const Wide h = e.height;
        check(*gamma_bound(true, format.format, e.height, sum_abs, 0), h * u / (1 - h * u) * exact_sum_abs);
        check(*any_order_bound(true, format.format, n, sum_abs, 0), Wide(n - 1) * u * exact_sum_abs);
      }
    }
  }
}

TEST_CASE("gamma is infinite once height times unit roundoff reaches 1, and the other bounds stay finite") {
  Measured below_one(Format::bf16, std::vector<double>(256, 0.5), "sequential");
  below_one.draw(1);
  CHECK(std::isfinite(*below_one.number({"bounds", "gamma"})));  // h u = 255/256
  Measured at_one(Format::bf16, std::vector<double>(257, 0.5), "sequential");
  at_one.draw(1);
  check_number(at_one, {"bounds", "gamma"}, kInfinity);
  CHECK(std::isfinite(*at_one.number({"bounds", "running", "max"})));
  CHECK(std::isfinite(*at_one.number({"bounds", "any_order"})));
  CHECK(std::isfinite(*at_one.number({"bounds", "probabilistic", "value"})));
  CHECK(std::isfinite(*at_one.number({"bounds", "higham_mary", "value"})));
}

TEST_CASE("nothing is derived for Kahan, only D1 for Neumaier") {
  const std::vector<double> terms{0.1, 0.7, -3, 1e-9, 12};
  Measured kahan(Format::fp32, terms, "shuffle | seq(acc=kahan)");
  kahan.draw(5);
  check_null(kahan, {"bounds", "running", "min"});
  check_null(kahan, {"bounds", "running", "max"});
  Measured neumaier(Format::fp32, terms, "shuffle | seq(acc=neumaier)");
  neumaier.draw(5);
  CHECK(neumaier.number({"bounds", "running", "max"}).has_value());
  for (const Measured* measured : {&kahan, &neumaier}) {
    check_null(*measured, {"bounds", "gamma"});
    check_null(*measured, {"bounds", "any_order"});
    check_null(*measured, {"bounds", "probabilistic", "value"});
    check_null(*measured, {"bounds", "higham_mary", "value"});
  }
}

TEST_CASE("numpy in 16 bits rounds more often than it adds, so only D1 and P3 are claimed") {
  for (const Format format : {Format::fp16, Format::bf16}) {
    CAPTURE(info(format).name);
    Measured measured(format, std::vector<double>(300, 0.1), "numpy");
    measured.draw(1);
    CHECK(measured.number({"bounds", "running", "max"}).has_value());
    CHECK(measured.number({"bounds", "probabilistic", "value"}).has_value());
    check_null(measured, {"bounds", "gamma"});
    check_null(measured, {"bounds", "any_order"});
    check_null(measured, {"bounds", "higham_mary", "value"});
  }
  Measured fp32(Format::fp32, std::vector<double>(300, 0.1), "numpy");
  fp32.draw(1);
  CHECK(fp32.number({"bounds", "gamma"}).has_value());
}

TEST_CASE("D2 adds the unit roundoffs along a path where there are several, and D3 and P1 are not derived") {
  const std::vector<double> terms(60, 0.1);
  Measured measured(Format::fp32, terms, "chunks(6) | round(bf16) | in(bf16) | seq");
  measured.draw(1);
  const double theta = 9 * 0x1p-24 + 6 * 0x1p-8;  // 9 additions in fp32, a rounding to bf16, 5 additions there
  const double gamma = theta / (1 - theta) * 60 * 0.1;
  CHECK(*measured.number({"bounds", "gamma"}) >= gamma);
  CHECK(*measured.number({"bounds", "gamma"}) <= gamma * (1 + 1e-6));
  CHECK(measured.number({"bounds", "running", "max"}).has_value());
  CHECK(measured.number({"bounds", "probabilistic", "value"}).has_value());
  check_null(measured, {"bounds", "any_order"});
  check_null(measured, {"bounds", "higham_mary", "value"});
  Measured kahan(Format::fp32, terms, "chunks(6) | round(bf16) | in(bf16) | seq(acc=kahan)");
  kahan.draw(1);
  check_null(kahan, {"bounds", "gamma"});
}

TEST_CASE("a sum without roundings has bounds of 0") {
  Measured one(Format::fp32, {0.1}, "sequential");
  one.draw(1);
  check_number(one, {"bounds", "running", "max"}, 0);
  check_number(one, {"bounds", "gamma"}, 0);
  check_number(one, {"bounds", "any_order"}, 0);
  check_number(one, {"bounds", "probabilistic", "value"}, 0);
  check_number(one, {"bounds", "higham_mary", "value"}, 0);
  CHECK(bits(*running_bound(RunningError())) == bits(0));
}

TEST_CASE("conversions, flushing and another result format are added to every bound as they are") {
  RunningError error;
  error.linear = 0x1p-20;
  error.square = 0x1p-40;
  error.roundings = 1;
  RunningError more = error;
  more.extra = 0.5;
  CHECK(*running_bound(more) >= *running_bound(error) + 0.5);
  CHECK(*probabilistic_bound(more, Format::fp32, 1, 2) >= *probabilistic_bound(error, Format::fp32, 1, 2) + 0.5);
  CHECK(*gamma_bound(true, Format::fp32, 1, 1, 0.5) >= *gamma_bound(true, Format::fp32, 1, 1, 0) + 0.5);
  CHECK(*any_order_bound(true, Format::fp32, 2, 1, 0.5) >= *any_order_bound(true, Format::fp32, 2, 1, 0) + 0.5);
  CHECK(*higham_mary_bound(true, Format::fp32, 1, 2, 1, 0.5) >=
        *higham_mary_bound(true, Format::fp32, 1, 2, 1, 0) + 0.5);
}

TEST_CASE("no bound is claimed where a sum overflows") {
  Measured measured(Format::fp16, {60000, 60000, -60000, -60000, 1}, "random");
  measured.draw(50);
  REQUIRE(measured.counts().finite() < measured.counts().samples());
  for (const Bound& bound : all_bounds(measured.evaluator(), measured.counts(), measured.sum_abs())) {
    CAPTURE(bound.symbol);
    CHECK((!bound.value || bits(*bound.value) == bits(kInfinity)));
  }
}

TEST_CASE("the list has every bound once, says what it assumes, and is what JSON holds") {
  Measured measured(Format::fp32, {0.1, 0.7, -3, 1e-9, 12, 5, 6, 7}, "random_tree");
  measured.draw(20);
  const auto list = all_bounds(measured.evaluator(), measured.counts(), measured.sum_abs());
  const auto json = [&](std::initializer_list<std::string_view> path) { return bits(*measured.number(path)); };
  const auto value = [&](BoundKind kind) { return bits(*list.at(static_cast<std::size_t>(kind)).value); };
  CHECK(json({"bounds", "running", "max"}) == value(BoundKind::running));
  CHECK(json({"bounds", "gamma"}) == value(BoundKind::gamma));
  CHECK(json({"bounds", "probabilistic", "value"}) == value(BoundKind::probabilistic));
  CHECK(json({"bounds", "probabilistic", "probability"}) == bits(kProbability));
  CHECK(json({"bounds", "any_order"}) == value(BoundKind::any_order));
  CHECK(json({"bounds", "higham_mary", "value"}) == value(BoundKind::higham_mary));
  CHECK(json({"bounds", "higham_mary", "probability"}) == bits(kProbability));
  std::vector<std::string_view> symbols;
  for (const Bound& bound : list) {
    CAPTURE(bound.symbol);
    symbols.push_back(bound.symbol);
    CHECK(!bound.source.empty());
    CHECK(bound.probability.has_value() == (bound.symbol.front() == 'P'));
    CHECK((bound.statement == "assumes random roundings") == bound.probability.has_value());
    CHECK(bound.value.has_value());
  }
  CHECK(symbols == std::vector<std::string_view>{"D1", "D2", "P3", "D3", "P1", "gamma_n"});  // as BoundKind has them
  CHECK(*bound_of(measured, "D3").value < *bound_of(measured, "gamma_n").value);
  CHECK(*bound_of(measured, "D2").value < *bound_of(measured, "gamma_n").value);
}

TEST_CASE("no samples have no bounds") {
  const Measured measured(Format::fp32, {1, 2}, "random");
  for (const Bound& bound : all_bounds(measured.evaluator(), measured.counts(), measured.sum_abs())) {
    CAPTURE(bound.symbol);
    CHECK_FALSE(bound.value.has_value());
  }
}
