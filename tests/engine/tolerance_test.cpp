#include "orderlab/tolerance.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "doubles.hpp"
#include "order/trouble.hpp"
#include "orderlab/error.hpp"
#include "orderlab/metrics.hpp"
#include "orderlab/terms.hpp"

using namespace orderlab;

namespace {

bool same(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

ExactValue sum_of(const std::vector<double>& terms) { return exact_sum(terms); }

Enumeration enumeration(const std::vector<std::pair<double, std::uint64_t>>& results) {
  Enumeration e;
  e.orders = 0;
  for (const auto& [value, count] : results) {
    e.results.values.push_back({value, 0});
    e.results.orders.emplace_back(count);
    e.orders += count;
  }
  return e;
}

struct ToleranceCase {
  Terms terms;
  Formats formats;
  ExactValue exact = exact_sum(terms.view());
  std::unique_ptr<const Evaluator> evaluator;

  ToleranceCase(const char* distribution, std::size_t n, Format format, const char* order, std::uint64_t seed = 1)
      : terms(generate_terms(distribution, n, format, seed)),
        formats{format, format, format},
        evaluator(Evaluator::make(parse_order(order), terms.view(), formats, seed)) {}

  double result(std::uint64_t sample) const { return evaluator->evaluate(sample, *evaluator->make_scratch()).value; }
};

}  // namespace

TEST_CASE("a distance from the reference holds for the exact sum and for its rounded values") {
  const double s = 1 + 0x1p-24 + 0x1p-40;  // a double; fp32 rounds it up to 1 + 2^-23
  const Yardstick yardstick(sum_of({1, 0x1p-24, 0x1p-40}), Format::fp32);
  CHECK(same(yardstick.from_reference(1.0).absolute, 0x1p-23));  // farther from the rounded value
  CHECK(same(yardstick.from_reference(1 + 0x1p-23).absolute, 1 + 0x1p-23 - s));
  CHECK(same(yardstick.from_reference(1.0).ulp, 1.0));
  CHECK(same(yardstick.from_reference(1.0).relative, std::nextafter(0x1p-23 / s, 1.0)));
}

TEST_CASE("a distance that is no double is rounded upward") {
  const Yardstick yardstick(sum_of({1, 0x1p-80}), Format::fp64);
  CHECK(yardstick.from_reference(1.0).absolute > 0x1p-80);
  CHECK(same(yardstick.from_reference(2.0).absolute, std::nextafter(1.0, 2.0)));  // from 1, the rounded sum, it is 1
  const Yardstick one(sum_of({1}), Format::fp64);
  CHECK(same(one.between(1, 0x1p-80).absolute, 1.0));
  CHECK(same(one.between(1, -0x1p-80).absolute, std::nextafter(1.0, 2.0)));
  CHECK(same(one.between(3, 4).relative, std::nextafter(1.0 / 3, 1.0)));  // 1/3 rounds downward
  CHECK(same(one.between(2, 3).relative, 0.5));
  CHECK(same(one.between(-5, -5).relative, 0.0));
}

TEST_CASE("inf, NaN and references of 0 are infinitely far") {
  const Yardstick zero(sum_of({1, -1}), Format::fp32);
  CHECK(same(zero.from_reference(0.0).relative, 0.0));
  CHECK(same(zero.from_reference(1e-9).relative, kInfinity));
  CHECK(same(zero.from_reference(1e-9).ulp, kInfinity));
  CHECK(same(zero.from_reference(1e-9).absolute, 1e-9));
  const Yardstick one(sum_of({1}), Format::fp32);
  CHECK(same(one.from_reference(kInfinity).absolute, kInfinity));
  CHECK(same(one.from_reference(std::nan("")).absolute, kInfinity));
  CHECK(same(one.between(kInfinity, kInfinity).absolute, kInfinity));
  CHECK(same(one.between(0.0, -0.0).absolute, 0.0));
  CHECK(!one.overflows());
  CHECK(Yardstick(sum_of({60000, 60000}), Format::fp16).overflows());
  CHECK(!Yardstick(sum_of({60000, 60000}), Format::fp32).overflows());
  CHECK_THROWS_AS(Yardstick(sum_of({kInfinity}), Format::fp64), Error);
}

TEST_CASE("the largest values are those of a sorted list, however they came") {
  std::vector<double> values;
  for (int i = 0; i < 5000; ++i) values.push_back(std::fmod(i * 0.6180339887, 1.0));
  LargestValues all(20);
  for (const double v : values) all.add(v);
  LargestValues merged(20);
  for (std::size_t begin = 0; begin < values.size(); begin += 700) {
    LargestValues part(20);
    for (std::size_t i = begin; i < std::min(values.size(), begin + 700); ++i) part.add(values[i]);
    merged.merge(part);
  }
  std::sort(values.begin(), values.end(), std::greater<>());
  for (std::uint64_t rank = 1; rank <= 20; ++rank) {
    CHECK(same(all.of_rank(rank), values[rank - 1]));
    CHECK(same(merged.of_rank(rank), values[rank - 1]));
  }
}

TEST_CASE("draws are samples, or disjoint pairs of consecutive samples") {
  const ToleranceCase c("normal(0,1)", 100, Format::fp32, "random");
  const Yardstick yardstick(c.exact, Format::fp32);
  constexpr std::uint64_t kDraws = 300;
  std::vector<double> errors;
  std::vector<double> distances;
  for (std::uint64_t i = 0; i < kDraws; ++i) {
    errors.push_back(yardstick.from_reference(c.result(i)).absolute);
    distances.push_back(std::fabs(c.result(2 * i) - c.result(2 * i + 1)));  // exact in fp64
  }
  std::sort(errors.begin(), errors.end(), std::greater<>());
  std::sort(distances.begin(), distances.end(), std::greater<>());
  const auto exact = sample_deviations(*c.evaluator, yardstick, Against::exact, 10, {.end = kDraws});
  const auto run = sample_deviations(*c.evaluator, yardstick, Against::run, 10, {.end = kDraws});
  CHECK(exact.draws() == kDraws);
  CHECK(run.draws() == kDraws);
  for (std::uint64_t rank = 1; rank <= 10; ++rank) {
    CHECK(same(exact.limit(rank).absolute, errors[rank - 1]));
    CHECK(same(run.limit(rank).absolute, distances[rank - 1]));
  }
}

TEST_CASE("tallies do not depend on threads, and a stop leaves none") {
  const ToleranceCase c("normal(0,1)", 50, Format::fp32, "random");
  const Yardstick yardstick(c.exact, Format::fp32);
  const InputFamily family{"normal(0,1)", 50, c.formats, 7};
  for (const Against against : {Against::exact, Against::run}) {
    const auto one = sample_deviations(*c.evaluator, yardstick, against, 5, {.end = 500, .threads = 1});
    const auto many = sample_deviations(*c.evaluator, yardstick, against, 5, {.end = 500, .threads = 5});
    CHECK(same(one.limit(5).relative, many.limit(5).relative));
    CHECK(same(*one.rms(), *many.rms()));
    CHECK(same(*one.bounds.running, *many.bounds.running));
    const auto first = sample_inputs(family, c.evaluator->order(), 1, against, 5, {.end = 200, .threads = 1}).tally;
    const auto second = sample_inputs(family, c.evaluator->order(), 1, against, 5, {.end = 200, .threads = 3}).tally;
    CHECK(same(first.limit(5).relative, second.limit(5).relative));
    CHECK(same(first.condition(), second.condition()));
  }
  std::stop_source stop;
  stop.request_stop();
  CHECK(sample_deviations(*c.evaluator, yardstick, Against::exact, 5, {.end = 500, .stop = stop.get_token()}).draws() ==
        0);
  CHECK_THROWS_AS(sample_deviations(*c.evaluator, yardstick, Against::exact, 5, {.begin = 3, .end = 3}), Error);
}

TEST_CASE("input i of a family is input i of its seed, with order i") {
  const InputFamily family{"normal(0,1)", 64, {Format::fp32, Format::fp32, Format::fp32}, 100};
  const Order order = parse_order("random");
  double largest = 0;
  double condition = 0;
  for (std::uint64_t i = 0; i < 20; ++i) {
    const Terms terms = generate_terms("normal(0,1)", 64, Format::fp32, 100, i);
    const ExactValue exact = exact_sum(terms.view());
    const auto evaluator = Evaluator::make(order, terms.view(), family.formats, 9);
    const double result = evaluator->evaluate(i, *evaluator->make_scratch()).value;
    largest = std::max(largest, Yardstick(exact, Format::fp32).from_reference(result).relative);
    condition = std::max(condition, condition_number(exact, exact_sum_abs(terms.view())));
  }
  const auto tally = sample_inputs(family, order, 9, Against::exact, 1, {.end = 20}).tally;
  CHECK(same(tally.limit(1).relative, largest));
  CHECK(same(tally.condition(), condition));
}

TEST_CASE("a draw of two orders is a sample of each on the same terms, in its own formats") {
  const Formats narrow{Format::bf16, Format::bf16, Format::bf16};
  const OtherOrder other{parse_order("random"), Format::fp32, Format::fp64};
  const Formats wide = other.formats(narrow);
  CHECK(wide == Formats{Format::bf16, Format::fp32, Format::fp64});
  const Order order = parse_order("random");
  const InputFamily family{"normal(0,1)", 40, narrow, 5};
  std::vector<double> on_inputs;
  std::vector<double> on_one;
  double running = 0;
  const Terms one = generate_terms("normal(0,1)", 40, Format::bf16, 5);
  constexpr std::uint64_t kDraws = 60;
  const auto distance = [&](const Terms& terms, std::uint64_t i, double* bound) {
    const auto a = Evaluator::make(order, terms.view(), narrow, 3);
    const auto b = Evaluator::make(other.order, terms.view(), wide, seed_of_other(3));
    const Evaluation second = b->evaluate(i, *b->make_scratch());
    if (bound != nullptr) *bound = std::max(*bound, *running_bound(second.error));
    return std::fabs(a->evaluate(i, *a->make_scratch()).value - second.value);  // exact in fp64
  };
  for (std::uint64_t i = 0; i < kDraws; ++i) {
    on_inputs.push_back(distance(generate_terms("normal(0,1)", 40, Format::bf16, 5, i), i, nullptr));
    on_one.push_back(distance(one, i, &running));
  }
  const InputDraws inputs = sample_inputs(family, order, 3, Against::order, kDraws, {.end = kDraws}, &other, 7);
  double sum = 0;  // of few numbers of few bits: exact
  for (std::size_t group = 0; group < 8; ++group)
    sum += *std::max_element(on_inputs.begin() + 7 * static_cast<std::ptrdiff_t>(group),
                             on_inputs.begin() + 7 * static_cast<std::ptrdiff_t>(group + 1));
  REQUIRE(inputs.mean_largest);
  CHECK(same(*inputs.mean_largest, sum / 8));
  const auto threads =
      sample_inputs(family, order, 3, Against::order, kDraws, {.end = kDraws, .threads = 3}, &other, 7);
  CHECK(same(*inputs.mean_largest, *threads.mean_largest));
  CHECK(inputs.tally.wire() == threads.tally.wire());
  CHECK(!sample_inputs(family, order, 3, Against::order, 1, {.end = 6}, &other, 7).mean_largest);
  CHECK(!sample_inputs(family, order, 3, Against::order, 1, {.end = 6}, &other).mean_largest);

  const auto judged = Evaluator::make(order, one.view(), narrow, 3);
  const auto second = Evaluator::make(other.order, one.view(), wide, seed_of_other(3));
  const Yardstick yardstick(exact_sum(one.view()), Format::bf16);
  const auto tally = sample_deviations(*judged, yardstick, Against::order, kDraws, {.end = kDraws}, second.get());
  CHECK(same(*tally.other_bounds.running, running));
  for (auto* list : {&on_inputs, &on_one}) std::sort(list->begin(), list->end(), std::greater<>());
  for (std::uint64_t rank = 1; rank <= kDraws; ++rank) {
    CHECK(same(inputs.tally.limit(rank).absolute, on_inputs[rank - 1]));
    CHECK(same(tally.limit(rank).absolute, on_one[rank - 1]));
  }
}

TEST_CASE("exact limits between two orders are those of all pairs of their results") {
  const Yardstick yardstick(sum_of({10}), Format::fp64);
  const std::vector<std::pair<double, std::uint64_t>> first{{-3, 2}, {1, 5}, {2, 1}, {8, 4}, {kInfinity, 1}};
  const std::vector<std::pair<double, std::uint64_t>> second{{-7, 1}, {0.5, 3}, {1, 3}, {9, 2}};
  std::vector<double> distances;
  for (const auto& [a, times] : first)
    for (const auto& [b, more] : second) distances.insert(distances.end(), times * more, std::fabs(a - b));
  std::sort(distances.begin(), distances.end());
  const Enumeration judged = enumeration(first);
  const Enumeration other = enumeration(second);
  for (std::size_t k = 1; k <= distances.size(); ++k) {
    const double coverage = static_cast<double>(k) / static_cast<double>(distances.size());
    CAPTURE(coverage);
    CHECK(same(exact_deviations(judged, yardstick, Against::order, coverage, &other).limit.absolute, distances[k - 1]));
    CHECK(same(exact_deviations(other, yardstick, Against::order, coverage, &judged).limit.absolute, distances[k - 1]));
  }
  const ExactDeviations exact = exact_deviations(judged, yardstick, Against::order, 0.5, &other);
  CHECK(same(exact.nonfinite, 1.0 / 13));
  CHECK(same(exact.limit.relative, exact.limit.absolute / 0.5));  // both are quotients of small whole numbers by 1/2
}

TEST_CASE("families of neighbouring seeds have no input in common") {
  std::set<double> sums;
  for (const std::uint64_t seed : {1U, 2U, 3U})
    for (std::uint64_t i = 0; i < 20; ++i) {
      const InputFamily family{"normal(0,1)", 64, {Format::fp32, Format::fp32, Format::fp32}, seed};
      sums.insert(
          sample_inputs(family, parse_order("seq"), 9, Against::exact, 1, {.begin = i, .end = i + 1}).tally.sum_abs());
    }
  CHECK(sums.size() == 60);
}

TEST_CASE("all of many outputs are within what covers one of them by the root of the coverage") {
  CHECK(same(coverage_of_one(0.999, 1), 0.999));
  for (const double coverage : {0.5, 0.9, 0.999})
    for (const std::uint64_t outputs : {2U, 250U, 1'000'000U}) {
      const double one = coverage_of_one(coverage, outputs);
      // c^M is off by M times the relative error of c, which is at most 2^-52 after a logarithm, a quotient and exp.
      CHECK(std::fabs(std::pow(one, static_cast<double>(outputs)) - coverage) <=
            static_cast<double>(outputs) * coverage * 0x1p-51);
    }
  CHECK_THROWS_AS(coverage_of_one(1, 2), Error);
}

TEST_CASE("the root mean square is that of the finite deviations") {
  DeviationTally tally(3);
  CHECK(!tally.rms().has_value());
  for (const double v : {3.0, 4.0, 0.0, kInfinity}) tally.add({v, v, v});
  CHECK(same(*tally.rms(), std::sqrt(25.0 / 3)));
  CHECK(tally.nonfinite() == 1);
  CHECK(same(tally.limit(1).absolute, kInfinity));
  CHECK(same(tally.limit(2).absolute, 4.0));
  DeviationTally tiny(1);
  tiny.add({0x1p-1000, 0, 0});  // its square is no double
  CHECK(same(*tiny.rms(), 0x1p-1000));
}

TEST_CASE("an exact limit is the least that covers enough, against the sum") {
  const Yardstick yardstick(sum_of({10}), Format::fp64);
  const Enumeration results = enumeration({{7, 1}, {9, 5}, {10, 10}, {11, 3}, {15, 1}});
  const auto limit = [&](double coverage) {
    return exact_deviations(results, yardstick, Against::exact, coverage).limit.absolute;
  };
  CHECK(same(limit(0.5), 0.0));  // 10 of 20
  CHECK(same(limit(0.51), 1.0));
  CHECK(same(limit(0.9), 1.0));  // 18 of 20
  CHECK(same(limit(0.91), 3.0));
  CHECK(same(limit(0.95), 3.0));
  CHECK(same(limit(0.96), 5.0));
  CHECK(same(exact_deviations(results, yardstick, Against::exact, 0.5).largest.relative, 0.5));
}

TEST_CASE("an exact limit between runs is that of all pairs") {
  const Yardstick yardstick(sum_of({10}), Format::fp64);
  const std::vector<std::pair<double, std::uint64_t>> list{{-1, 3}, {-0.0, 1}, {0.0, 2}, {2, 7}, {2.5, 20}, {9, 1}};
  std::vector<double> pairs;
  for (const auto& [a, count_a] : list)
    for (const auto& [b, count_b] : list) pairs.insert(pairs.end(), count_a * count_b, std::fabs(a - b));
  std::sort(pairs.begin(), pairs.end());
  for (const double coverage : {0.1, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.99, 0.999}) {
    CAPTURE(coverage);
    const auto rank = static_cast<std::size_t>(std::ceil(coverage * static_cast<double>(pairs.size())));
    const auto exact = exact_deviations(enumeration(list), yardstick, Against::run, coverage);
    CHECK(same(exact.limit.absolute, pairs[rank - 1]));
    CHECK(same(exact.largest.absolute, 10.0));
  }
}

TEST_CASE("results that are not finite are beyond an exact limit") {
  const Yardstick yardstick(sum_of({10}), Format::fp64);
  const Enumeration results = enumeration({{10, 98}, {11, 1}, {kInfinity, 1}});
  CHECK(same(exact_deviations(results, yardstick, Against::exact, 0.99).limit.absolute, 1.0));
  CHECK(same(exact_deviations(results, yardstick, Against::exact, 0.995).limit.absolute, kInfinity));
  CHECK(same(exact_deviations(results, yardstick, Against::exact, 0.5).nonfinite, 0.01));
  CHECK(same(exact_deviations(results, yardstick, Against::run, 0.98).limit.absolute, 1.0));  // 0.99^2 are finite
  CHECK(same(exact_deviations(results, yardstick, Against::run, 0.981).limit.absolute, kInfinity));
  CHECK(same(exact_deviations(enumeration({{kInfinity, 3}}), yardstick, Against::run, 0.5).limit.absolute, kInfinity));
}

TEST_CASE("counts beyond machine words are counted exactly") {
  const Yardstick yardstick(sum_of({10}), Format::fp64);
  Enumeration results = enumeration({{9, 1}, {10, 1}, {12, 1}});
  results.results.orders = {1, BigCount("51090942171709439998"), 1};
  results.orders = BigCount("51090942171709440000");  // 21!
  const double all_but_two = 1 - 0x1p-53;             // 1 - 2 / 21! is nearer to 1 than to it
  for (const Against against : {Against::exact, Against::run}) {
    const auto exact = exact_deviations(results, yardstick, against, all_but_two);
    CHECK(same(exact.limit.absolute, 0.0));
    CHECK(same(exact.largest.absolute, against == Against::run ? 3.0 : 2.0));
    CHECK(same(exact.nonfinite, 0.0));
  }
}

TEST_CASE("all pairs are finite where all results are, also where their number is no double") {
  const Yardstick yardstick(sum_of({10}), Format::fp64);
  for (const std::uint64_t first : {(1ULL << 53) + 1, (1ULL << 57) + 33, (1ULL << 60) + 129}) {
    const auto exact = exact_deviations(enumeration({{9, first}, {10, 1}, {12, 3}}), yardstick, Against::run, 0.5);
    CHECK(same(exact.largest.absolute, 3.0));
    CHECK(same(exact.nonfinite, 0.0));
  }
}
