// Counts of results: any split and order gives the same, and bins are what their definition says, by a slow
// computation.
#include "orderlab/counts.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <limits>
#include <set>

#include "doubles.hpp"
#include "metrics/any_samples.hpp"
#include "orderlab/format.hpp"
#include "reference/hard_inputs.hpp"

using namespace orderlab;
using namespace orderlab::testing;
using boost::multiprecision::cpp_int;

namespace {

/// An exact sum to its last bit: its double, and what that leaves, twice.
std::vector<std::uint64_t> all_bits(const ExactSum& sum) {
  const ExactValue value = sum.value();
  const double first = value.to_double();
  const std::string decimal = value.decimal(60);
  std::vector<std::uint64_t> all{bits(first), bits(value.difference(first))};
  for (const char c : decimal) all.push_back(static_cast<unsigned char>(c));
  return all;
}

template <class X>
void check_same_range(const std::optional<ResultCounts::Range<X>>& a, const std::optional<ResultCounts::Range<X>>& b) {
  REQUIRE(a.has_value() == b.has_value());
  if (!a) return;
  CHECK(std::bit_cast<std::uint64_t>(a->min) == std::bit_cast<std::uint64_t>(b->min));
  CHECK(std::bit_cast<std::uint64_t>(a->max) == std::bit_cast<std::uint64_t>(b->max));
}

void check_same(const ResultCounts& a, const ResultCounts& b) {
  CHECK(a.samples() == b.samples());
  CHECK(a.infinities() == b.infinities());
  CHECK(a.minus_infinities() == b.minus_infinities());
  CHECK(a.nans() == b.nans());
  REQUIRE(a.binned() == b.binned());
  if (a.binned()) {
    CHECK(a.bin_exponent() == b.bin_exponent());
    const std::vector<Weighted> x = a.bins().values;
    const std::vector<Weighted> y = b.bins().values;
    CHECK(std::equal(x.begin(), x.end(), y.begin(), y.end(), [](const Weighted& p, const Weighted& q) {
      return bits(p.value + 0.0) == bits(q.value + 0.0) && p.weight == q.weight;  // -0 and 0 are one bin
    }));
  } else {
    const std::vector<Weighted> x = a.results().values;
    const std::vector<Weighted> y = b.results().values;
    CHECK(std::equal(x.begin(), x.end(), y.begin(), y.end(), [](const Weighted& p, const Weighted& q) {
      return bits(p.value) == bits(q.value) && p.weight == q.weight;
    }));
  }
  REQUIRE(a.extremes().has_value() == b.extremes().has_value());
  if (a.extremes()) {
    CHECK(bits(a.extremes()->min + 0.0) == bits(b.extremes()->min + 0.0));
    CHECK(bits(a.extremes()->max + 0.0) == bits(b.extremes()->max + 0.0));
  }
  CHECK(all_bits(a.sum()) == all_bits(b.sum()));
  CHECK(all_bits(a.sum_of_squares()) == all_bits(b.sum_of_squares()));
  check_same_range(a.heights(), b.heights());
  check_same_range(a.running_bounds(), b.running_bounds());
  REQUIRE(a.probabilistic_bound().has_value() == b.probabilistic_bound().has_value());
  if (a.probabilistic_bound()) CHECK(bits(*a.probabilistic_bound()) == bits(*b.probabilistic_bound()));
  CHECK(bits(a.extra()) == bits(b.extra()));
  CHECK(a.plain() == b.plain());
}

/// x / 2^-1076 of a double that may be halved twice: an integer.
cpp_int integer_of(double x) {
  int exponent = 0;
  const double fraction = std::frexp(x, &exponent);
  cpp_int integer = static_cast<std::int64_t>(std::ldexp(fraction, 53));
  const int shift = exponent - 53 + 1076 + 53;  // 53 more, so that subnormal fractions are whole
  return shift >= 0 ? cpp_int(integer << shift) : cpp_int(integer >> -shift);
}

/// Bins by definition: floor(d / (2^k ulp)), d = result - center rounded to 53 bits.
std::map<cpp_int, std::uint64_t> slow_bins(const CountingFrame& frame, const std::vector<Sample>& samples, int k) {
  std::map<cpp_int, std::uint64_t> bins;
  for (const Sample& s : samples) {
    const double value = s.evaluation.value;
    if (!std::isfinite(value)) continue;
    const bool far = std::isinf(value - frame.center);
    const double d = far ? value / 2 - frame.center / 2 : value - frame.center;
    cpp_int numerator = integer_of(d) << (far ? 1 : 0);
    const int shift = k + frame.ulp_exponent + 1076 + 53;
    cpp_int denominator = 1;
    if (shift >= 0)
      denominator <<= shift;
    else
      numerator <<= -shift;
    cpp_int quotient = numerator / denominator;  // toward 0
    if (numerator < 0 && quotient * denominator != numerator) --quotient;
    ++bins[quotient];
  }
  return bins;
}

void check_bins(const CountingFrame& frame, const std::vector<Sample>& samples, const ResultCounts& counts) {
  std::set<std::uint64_t> distinct;
  for (const Sample& s : samples) distinct.insert(s.evaluation.bits);
  REQUIRE(counts.binned() == (distinct.size() > frame.max_distinct));
  if (!counts.binned()) return;
  const int k = counts.bin_exponent();
  const auto expected = slow_bins(frame, samples, k);
  CHECK(expected.size() <= frame.max_distinct);
  const Distribution bins = counts.bins();
  CHECK(bins.width == 1);
  REQUIRE(bins.size() == expected.size());
  std::size_t i = 0;
  for (const auto& [index, count] : expected) {
    CHECK(cpp_int(bins.values[i].value) == index);
    CHECK(bins.values[i].weight == static_cast<double>(count));
    ++i;
  }
  // The least: one finer is too many, or has an index of 2^1020 or more.
  const auto finer = slow_bins(frame, samples, k - 1);
  const cpp_int limit = cpp_int(1) << 1020;
  const bool too_long = !finer.empty() && (finer.begin()->first <= -limit || finer.rbegin()->first >= limit);
  const bool nothing = finer.empty() || (finer.size() == 1 && finer.begin()->first == 0);
  CHECK((finer.size() > frame.max_distinct || too_long || nothing));
}

}  // namespace

TEST_CASE("counts of any split, merged in any order, equal the counts of the whole") {
  std::uint64_t kinds[4] = {};
  for_each_case(40, [&](IndexGenerator& draw, const CountingFrame& frame, const std::vector<Sample>& samples) {
    const std::size_t n = samples.size();
    const ResultCounts whole = count(frame, samples, 0, n);
    std::vector<ResultCounts> parts;
    for (std::size_t begin = 0; begin < n || parts.empty();) {
      const std::size_t end = std::min(n, begin + below(draw, n + 1));  // some parts are empty
      parts.push_back(count(frame, samples, begin, end));
      begin = end;
    }
    const auto full = static_cast<std::uint64_t>(
        std::count_if(parts.begin(), parts.end(), [](const ResultCounts& c) { return c.binned(); }));
    ++kinds[!whole.binned() ? 0 : full == 0 ? 1 : full < parts.size() ? 2 : 3];
    while (parts.size() > 1) {  // any tree of merges
      const std::size_t a = below(draw, parts.size());
      const std::size_t b = (a + 1 + below(draw, parts.size() - 1)) % parts.size();
      parts[a].merge(parts[b]);
      parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(b));
    }
    check_same(parts.front(), whole);
  });
  MESSAGE("lists " << kinds[0] << ", bins in the union only " << kinds[1] << ", in some parts " << kinds[2]
                   << ", in all parts " << kinds[3]);
  for (const std::uint64_t kind : kinds) CHECK(kind > 0);
}

TEST_CASE("the order in which samples are counted does not matter") {
  for_each_case(20, [&](IndexGenerator& draw, const CountingFrame& frame, std::vector<Sample> samples) {
    const ResultCounts first = count(frame, samples, 0, samples.size());
    for (std::size_t i = samples.size(); i > 1; --i) std::swap(samples[i - 1], samples[below(draw, i)]);
    check_same(count(frame, samples, 0, samples.size()), first);
    std::stable_sort(samples.begin(), samples.end(), [&](const Sample& a, const Sample& b) {
      return ordered_key(frame.format, a.evaluation.bits) < ordered_key(frame.format, b.evaluation.bits);
    });
    check_same(count(frame, samples, 0, samples.size()), first);
  });
}

TEST_CASE("bins are those of their definition with the least exponent that fits") {
  for_each_case(40, [&](IndexGenerator&, const CountingFrame& frame, const std::vector<Sample>& samples) {
    check_bins(frame, samples, count(frame, samples, 0, samples.size()));
  });
}

TEST_CASE("results beside a far outlier fall into bins -1 and 0, however coarse the bins are") {
  CountingFrame frame;
  frame.ulp_exponent = -1074;
  frame.max_distinct = 3;
  std::vector<Sample> samples;
  for (const double x : {-0x1p-1074, 0.0, 0x1p-1074, -0x1p-1073, 0x1p-1073, -0x1p1023, 0x1.8p1023})
    samples.push_back(sample_of(frame, x));
  const ResultCounts counts = count(frame, samples, 0, samples.size());
  check_bins(frame, samples, counts);
  REQUIRE(counts.binned());
  ResultCounts small = count(frame, samples, 0, 5);
  ResultCounts large = count(frame, samples, 5, 7);
  small.merge(large);
  check_same(small, counts);
}

TEST_CASE("zeros of both signs are one extreme and fall into one bin without a sign, whichever came first") {
  const CountingFrame frame{.format = Format::fp64, .max_distinct = 2};
  for (const double first : {0.0, -0.0}) {
    ResultCounts counts(frame);
    for (const double result : {first, -first, 5e-324}) {
      const Sample s = sample_of(frame, result);
      counts.add(s.evaluation, s.running, s.probabilistic);
    }
    REQUIRE(counts.binned());
    REQUIRE(counts.extremes());
    CHECK(std::bit_cast<std::uint64_t>(counts.extremes()->min) == 0);
    CHECK(bits(counts.bins().values.front().value) == 0);
  }
}

TEST_CASE("moments are exact sums of d and of its square") {
  for_each_case(10, [&](IndexGenerator&, const CountingFrame& frame, const std::vector<Sample>& samples) {
    ExactSum sum;
    ExactSum squares;
    for (const Sample& s : samples) {
      const double v = s.evaluation.value;
      if (!std::isfinite(v)) continue;
      sum.add(v);
      sum.subtract(frame.center);
      squares.add_product(v, v);
      squares.add_product(-v, frame.center);
      squares.add_product(-v, frame.center);
      squares.add_product(frame.center, frame.center);
    }
    const ResultCounts counts = count(frame, samples, 0, samples.size());
    CHECK(all_bits(counts.sum()) == all_bits(sum));
    CHECK(all_bits(counts.sum_of_squares()) == all_bits(squares));
    ResultCounts twice = counts;
    twice.merge(counts);
    ExactSum double_squares = squares;
    double_squares.merge(squares);
    CHECK(all_bits(twice.sum_of_squares()) == all_bits(double_squares));
  });
}

TEST_CASE("infinities, NaN and zeros of both signs are results of their own, NaN last") {
  CountingFrame frame;
  frame.format = Format::fp32;
  const double infinity = std::numeric_limits<double>::infinity();
  std::vector<Sample> samples;
  for (const double x : {0.0, infinity, -0.0, std::numeric_limits<double>::quiet_NaN(), -infinity, 1.5, -0.0, -2.0,
                         -std::numeric_limits<double>::quiet_NaN(), infinity, infinity})
    samples.push_back(sample_of(frame, x));
  const ResultCounts counts = count(frame, samples, 0, samples.size());
  CHECK(counts.samples() == 11);
  CHECK(counts.finite() == 5);
  CHECK(counts.infinities() == 3);
  CHECK(counts.minus_infinities() == 1);
  CHECK(counts.nans() == 2);
  const std::uint64_t expected[][2] = {{0xff800000, 1}, {0xc0000000, 1}, {0x80000000, 2}, {0x00000000, 1},
                                       {0x3fc00000, 1}, {0x7f800000, 3}, {0x7fc00000, 2}};
  const std::vector<Weighted> results = counts.results().values;
  REQUIRE(results.size() == std::size(expected));
  for (std::size_t i = 0; i < results.size(); ++i) {
    CAPTURE(i);
    CHECK(bits(results[i].value) == bits(value_of_bits(frame.format, expected[i][0])));
    CHECK(results[i].weight == static_cast<double>(expected[i][1]));
  }
  CHECK(bits(counts.extremes()->min) == bits(-2.0));
  CHECK(bits(counts.extremes()->max) == bits(1.5));
}

TEST_CASE("counts of nothing but infinities have no extremes and no moments") {
  const CountingFrame frame;
  std::vector<Sample> samples(5, sample_of(frame, std::numeric_limits<double>::infinity()));
  const ResultCounts counts = count(frame, samples, 0, samples.size());
  CHECK_FALSE(counts.extremes().has_value());
  CHECK(counts.finite() == 0);
  CHECK(counts.sum().value().zero());
}

TEST_CASE("one sample without a bound leaves the whole without it") {
  const CountingFrame frame;
  Sample with = sample_of(frame, 1);
  with.running = 3;
  with.probabilistic = 2;
  const Sample without = sample_of(frame, 1);
  for (const std::vector<Sample>& samples : {std::vector{with, without, with}, std::vector{without, with, with}}) {
    CHECK_FALSE(count(frame, samples, 0, 3).running_bounds().has_value());
    CHECK_FALSE(count(frame, samples, 0, 3).probabilistic_bound().has_value());
  }
  CHECK(bits(*count(frame, {with}, 0, 1).probabilistic_bound()) == bits(2.0));
}

TEST_CASE("a frame is centred at the rounded sum, in fp64 where the format overflows, and at 0 for no finite sum") {
  const double third[] = {1e5};
  const auto overflow = CountingFrame::make(exact_sum(third), Format::fp16, 8);
  CHECK(bits(overflow.center) == bits(1e5));
  CHECK(overflow.ulp_exponent == 16 - 10);
  const double tenth[] = {0.1};
  const auto rounded = CountingFrame::make(exact_sum(tenth), Format::fp32, 8);
  CHECK(bits(rounded.center) == bits(static_cast<double>(0.1f)));
  CHECK(rounded.ulp_exponent == -4 - 23);
  const double nothing[] = {1.0, -1.0};
  const auto zero = CountingFrame::make(exact_sum(nothing), Format::bf16, 8);
  CHECK(bits(zero.center) == bits(0.0));
  CHECK(bits(std::ldexp(1.0, zero.ulp_exponent)) == bits(info(Format::bf16).smallest_subnormal()));
  const double infinite[] = {std::numeric_limits<double>::infinity()};
  CHECK(bits(CountingFrame::make(exact_sum(infinite), Format::fp64, 8).center) == bits(0.0));
}
