// Values with weights: errors, bins, and metrics of all orders from distributions made by hand.
#include "orderlab/distribution.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "doubles.hpp"
#include "engine/big_count.hpp"
#include "engine/brute_force.hpp"
#include "metrics/measured.hpp"
#include "show/input_json.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

void check_same_values(const Distribution& a, const Distribution& b) {
  CHECK(bits(a.width) == bits(b.width));
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    CAPTURE(i);
    CHECK(bits(a.values[i].value) == bits(b.values[i].value));
    CHECK(bits(a.values[i].weight) == bits(b.values[i].weight));
  }
}

ExactValue exact_of_terms(const std::vector<double>& terms) { return exact_sum(terms); }

/// All orders of which so many give each value; values ascend.
Distribution orders_of_values(const std::vector<std::pair<double, std::uint64_t>>& list) {
  Distribution all;
  BigCount orders = 0;
  for (const auto& [value, count] : list) orders += count;
  for (const auto& [value, count] : list) {
    all.values.push_back({value, ratio(count, orders)});
    all.orders.emplace_back(count);
  }
  return all;
}

/// What was sampled as if those had been all orders.
Distribution as_all_orders(const ResultCounts& counts) {
  std::vector<std::pair<double, std::uint64_t>> list;
  for (const auto& [value, count] : counts.results().values)
    list.emplace_back(value, static_cast<std::uint64_t>(count));
  return orders_of_values(list);
}

std::string metrics_text(const Measurement& m) {
  Json json = Json::object();
  add_metrics(json, measure_all(m));
  return json.dump(1);
}

}  // namespace

TEST_CASE("errors are rounded once, of finite results alone, and both zeros stay") {
  const Distribution results{
      .values = {{-kInfinity, 1}, {-1, 2}, {-0.0, 3}, {0.0, 4}, {1, 5}, {kInfinity, 6}, {kNan, 7}}};
  const ExactValue exact = exact_of_terms({1, 0x1p-60});
  check_same_values(errors_of(results, exact), {.values = {{-2, 2}, {-1, 3}, {-1, 4}, {-0x1p-60, 5}}});
  CHECK(errors_of(results, exact).orders.empty());
  CHECK(errors_of({}, exact).empty());
  for (const double term : {kInfinity, -kInfinity, kNan}) CHECK(errors_of(results, exact_of_terms({term})).empty());
}

TEST_CASE("errors of all orders keep the numbers of their orders") {
  const Distribution all = orders_of_values({{-kInfinity, 8}, {3, 1}, {4, 4}, {6, 2}, {kInfinity, 1}});
  const Distribution errors = errors_of(all, exact_of_terms({8, -4}));
  check_same_values(errors, {.values = {{-1, 1.0 / 16}, {0, 0.25}, {2, 0.125}}});
  CHECK(errors.orders == std::vector<BigCount>{1, 4, 2});
}

TEST_CASE("neighbours that compare equal are joined, the first one stays") {
  const Distribution values{.values = {{-2, 1}, {-0.0, 2}, {0.0, 3}, {1, 4}, {1, 5}, {1, 6}, {2, 7}}, .width = 0.5};
  check_same_values(equal_joined(values), {.values = {{-2, 1}, {-0.0, 5}, {1, 15}, {2, 7}}, .width = 0.5});
  CHECK(equal_joined({}).empty());
}

TEST_CASE("a total is rounded once") {
  CHECK(bits(Distribution().total()) == bits(0.0));
  CHECK(bits(Distribution{{{5, 0x1p53}, {6, 1}, {7, 1}}}.total()) == bits(0x1p53 + 2));  // adding in turn loses both
  CHECK(bits(Distribution{{{5, 0.1}, {6, 0.2}, {7, 0.7}}}.total()) ==
        bits(exact_of_terms({0.1, 0.2, 0.7}).to_double()));
}

TEST_CASE("errors of counts are those of their results") {
  for (const Format format : {Format::fp64, Format::fp32, Format::fp16, Format::bf16}) {
    CAPTURE(info(format).name);
    Measured measured(format, {0.1, 0.7, -3, 1e-9, 12, 5, 6, 7}, "random");
    measured.draw(100);
    measured.add({kInfinity, -0.0, 0.0, kNan, 1});
    const Distribution errors = errors_of(measured.counts(), measured.exact());
    check_same_values(errors, errors_of(measured.counts().results(), measured.exact()));
    CHECK(errors.total() == 103);
    check_same_values(measured.measurement().errors, errors);
    check_same_values(measured.measurement().results, measured.counts().results());
  }
}

TEST_CASE("errors of bins are lower edges: every error lies in its bin") {
  std::vector<double> terms;
  for (int i = 0; i < 200; ++i) terms.push_back((i % 3 == 0 ? -1 : 1) / (1.5 + i));
  for (const std::uint64_t most : {2U, 3U, 7U}) {
    CAPTURE(most);
    Measured listed(Format::fp32, terms, "random");
    Measured binned(Format::fp32, terms, "random", most);
    listed.draw(500);
    binned.draw(500);
    REQUIRE(binned.counts().binned());
    const Distribution bins = errors_of(binned.counts(), binned.exact());
    CHECK(bins.width == std::ldexp(1.0, binned.counts().bin_exponent() + binned.counts().frame().ulp_exponent));
    CHECK(bins.size() <= most);
    CHECK(bins.total() == 500);
    CHECK(binned.measurement().results.empty());
    check_same_values(binned.measurement().errors, bins);
    const double slack = 0x1p-40 * bins.width;  // edges are rounded twice
    for (const auto& [edge, count] : bins.values) {
      double inside = 0;
      for (const auto& [error, times] : errors_of(listed.counts(), listed.exact()).values)
        if (error >= edge - slack && error < edge + bins.width - slack) inside += times;
      CHECK(inside == count);
    }
  }
  Measured infinite(Format::fp32, {kInfinity, 1}, "random", 2);
  infinite.add({1, 2, 3, 4});
  REQUIRE(infinite.counts().binned());
  CHECK(errors_of(infinite.counts(), infinite.exact()).empty());
}

TEST_CASE("bins of all orders are those of samples that have every order once") {
  for (const Format format : {Format::fp64, Format::fp32, Format::fp16, Format::bf16})
    for (const std::uint64_t most : {2U, 3U, 5U, 9U})
      for (std::uint64_t seed = 1; seed <= trials(20); ++seed) {
        CAPTURE(info(format).name);
        CAPTURE(most);
        CAPTURE(seed);
        const std::vector<double> terms = troublesome_mixture(seed, format, 9);
        Measured listed(format, terms, "random");
        Measured binned(format, terms, "random", most);
        for (Measured* measured : {&listed, &binned}) {
          measured->draw(60);
          measured->add({kInfinity, -0.0, 0.0, kNan, 1, 2.5, -7});
        }
        REQUIRE(binned.counts().binned() == (listed.counts().distinct() > most));
        if (!binned.counts().binned()) continue;
        const Distribution all = as_all_orders(listed.counts());
        const BinnedResults found = bins_of(all, binned.counts().frame());
        const Distribution expected = binned.counts().bins();
        CHECK(found.exponent == binned.counts().bin_exponent());
        CHECK(found.indices.width == 1);
        REQUIRE(found.indices.size() == expected.size());
        REQUIRE(found.indices.orders.size() == expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i) {
          const auto [index, count] = expected.values[i];
          CHECK(found.indices.values[i].value == index);
          CHECK(found.indices.orders[i] == static_cast<std::uint64_t>(count));
          CHECK(bits(found.indices.values[i].weight) ==
                bits(count / static_cast<double>(binned.counts().samples())));  // both below 2^53: rounded once
        }
      }
}

TEST_CASE("metrics of all orders are what one computes by hand") {
  Measured measured(Format::fp64, {8, -4}, "random");
  measured.set_baseline(4);
  const Distribution all = orders_of_values({{3, 1}, {4, 2}, {5, 1}});
  const Measurement m = measured.measurement(all);
  CHECK(m.samples == nullptr);
  const Metrics metrics = measure_all(m);
  const auto number = [&](std::initializer_list<std::string_view> path) {
    return bits(number_at(metrics, path).value());
  };
  constexpr double kUlps = 0x1p50;  // 1 in ulps of 4
  CHECK(metrics.of<DistinctResults>().count == 3);
  CHECK(std::get<std::string>(metrics.of<NonfiniteResults>().inf) == "0");
  CHECK(number({"error", "ulp", "min"}) == bits(-kUlps));
  CHECK(number({"error", "ulp", "max"}) == bits(kUlps));
  CHECK(number({"error", "ulp", "max_abs"}) == bits(kUlps));
  CHECK(number({"error", "ulp", "mean"}) == bits(0.0));
  CHECK(number({"error", "ulp", "sd"}) == bits(std::sqrt(0.5) * kUlps));  // sd of the distribution, not of a sample
  CHECK(number({"error", "relative", "max"}) == bits(0.25));
  CHECK(number({"error", "u_sum_abs", "max"}) == bits(1 / (0x1p-53 * 12)));
  for (const auto& [p, error] : {std::pair<std::string_view, double>{"0.01", -1},
                                 {"0.05", -1},
                                 {"0.25", -1},  // one of four orders is enough
                                 {"0.5", 0},
                                 {"0.75", 0},
                                 {"0.95", 1},
                                 {"0.99", 1}})
    for (const char* which : {"value", "low", "high"}) {
      CAPTURE(p);
      CHECK(number({"error", "relative", "quantiles", p, which}) == bits(error / 4));
    }
  CHECK(number({"vs", "offset"}) == bits(0.0));
  CHECK(number({"vs", "spread"}) == bits(std::sqrt(0.5) / 4));
  CHECK(number({"vs", "max_abs"}) == bits(0.25));
  CHECK(metrics.of<VsSummary>().baseline == "fixed");
  CHECK(metrics.of<VsSummary>().baseline_bits == "0x4010000000000000");
  CHECK(number({"unseen_mass"}) == bits(0.0));
  for (const char* which : {"probability", "low", "high"}) CHECK(number({"same_bits", which}) == bits(6.0 / 16));
  CHECK(metrics.of<SameBits>().runs_to_differ == 10);  // 2^-10 + 2 * 4^-10 is less than 0.001, 2^-9 is not
  CHECK(!metrics.of<BoundSummary>().running.min);
  CHECK(metrics.of_all_orders());
  CHECK(!metrics.of<BoundSummary>().higham_mary.value);
  CHECK(metrics.of<BoundSummary>().every_order.has_value());
}

TEST_CASE("orders that overflow are counted apart, and moments are of the others") {
  Measured measured(Format::fp64, {8, -4}, "random");
  measured.set_baseline(4);
  const Distribution all = orders_of_values({{-kInfinity, 2}, {3, 1}, {5, 3}, {kInfinity, 7}, {kNan, 11}});
  const Metrics metrics = measure_all(measured.measurement(all));
  CHECK(metrics.of<DistinctResults>().count == 5);
  CHECK(std::get<std::string>(metrics.of<NonfiniteResults>().inf) == "7");
  CHECK(std::get<std::string>(metrics.of<NonfiniteResults>().minus_inf) == "2");
  CHECK(std::get<std::string>(metrics.of<NonfiniteResults>().nan) == "11");
  // One order at -1/4 and three at 1/4: mean 1/8, variance 3/64. Probabilities are k / 24, rounded.
  const Summary& relative = metrics.of<ErrorSummary>().relative;
  CHECK(std::fabs(*relative.mean - 0.125) <= 4 * 0x1p-53);
  CHECK(std::fabs(*relative.sd - std::sqrt(3.0 / 64)) <= 4 * 0x1p-53);
  CHECK(bits(*relative.quantiles[2].value) == bits(-0.25));  // p = 0.25
  CHECK(bits(*relative.quantiles[3].value) == bits(0.25));
  CHECK(std::fabs(*metrics.of<VsSummary>().offset + 0.125) <= 4 * 0x1p-53);
  CHECK(bits(*metrics.of<SameBits>().probability) == bits((4.0 + 1 + 9 + 49 + 121) / (24 * 24)));
}

TEST_CASE("quantiles of more orders than a word holds are exact") {
  Measured measured(Format::fp64, {8, -4}, "random");
  Distribution all{.values = {{3, 0.25}, {5, 0.75}}, .orders = {BigCount(1) << 200, BigCount(3) << 200}};
  const auto quarter = [&] {
    return *measure_all(measured.measurement(all)).of<ErrorSummary>().relative.quantiles[2].value;
  };
  CHECK(bits(quarter()) == bits(-0.25));
  all.orders[0] -= 1;  // less than a quarter by one order of 2^202
  CHECK(bits(quarter()) == bits(0.25));
}

TEST_CASE("metrics of an enumeration are those of the orders counted one by one") {
  using namespace ways;
  const KnownOrder orders[] = {{.text = "shuffle | seq", .prefix = {}, .tail = {seq()}},
                               {.text = "shuffle | pairwise", .prefix = {}, .tail = {pairwise()}},
                               {.text = "shuffle | tree", .prefix = {}, .tail = {}}};
  std::uint64_t several = 0;
  for (const KnownOrder& order : orders)
    for (const char* text : {"fp32", "fp16", "bf16", "fp16:fp32:fp16"})
      for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        CAPTURE(order.text);
        CAPTURE(std::string(text));
        CAPTURE(seed);
        const Formats formats = parse_formats(text);
        const std::vector<double> terms = troublesome_mixture(seed, formats.terms, 6);
        const Measured measured(formats, terms, order.text);
        ResultCounts one_by_one(CountingFrame{.format = formats.result});
        for (const auto& [pattern, count] : brute_force(order, formats, terms)) {
          Evaluation e;
          e.bits = pattern;
          for (std::uint64_t i = 0; i < count; ++i) one_by_one.add(e, 0.0, 0.0);
        }
        const Distribution by_hand = as_all_orders(one_by_one);
        const Distribution found = enumerated(order.text, formats, terms).results;
        CHECK(metrics_text(measured.measurement(found)) == metrics_text(measured.measurement(by_hand)));
        if (found.size() > 1) ++several;
      }
  CHECK(several > 0);
}

TEST_CASE("the low word of a count is the count modulo 2^64") {
  CHECK(BigCount(0).low_word() == 0);
  CHECK(BigCount(1).low_word() == 1);
  const BigCount word = BigCount(1) << 64;
  CHECK((word - 1).low_word() == ~std::uint64_t{0});
  CHECK(word.low_word() == 0);
  CHECK((word + 5).low_word() == 5);
  CHECK(BigCount("0x123456789abcdef0fedcba9876543210").low_word() == 0xfedcba9876543210);
  CHECK(((BigCount(7) << 320) + 0xabcdef).low_word() == 0xabcdef);
  std::uint64_t product = 1;
  for (std::uint64_t k = 2; k <= 40; ++k) {
    product *= k;  // modulo 2^64
    CHECK(factorial(k).low_word() == product);
  }
}
