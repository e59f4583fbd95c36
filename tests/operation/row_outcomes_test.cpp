// The outcomes of a row beside all permutations of its units.
#include "operation/row_outcomes.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <vector>

#include "core/infinity.hpp"
#include "orderlab/format.hpp"
#include "orderlab/philox.hpp"
#include "orderlab/terms.hpp"
#include "reference/hard_inputs.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

/// The numbers of each unit.
using UnitNumbers = std::vector<std::vector<double>>;

/// Key of a result, and how many permutations give it: units in every order, one addition in the format after another.
std::map<std::int64_t, std::uint64_t> outcomes_by_permutations(const UnitNumbers& row, const RowRule& rule,
                                                               std::optional<double> initial) {
  const auto rounded = [&](double x) { return value_of_bits(rule.format, round_to_bits(rule.format, x)); };
  const auto flushed = [&](double x) {
    const bool flushes = rule.flush && rule.format == Format::fp32 && std::fabs(x) < 0x1p-126;
    return flushes ? std::copysign(0.0, x) : x;
  };
  const bool multiply = rule.combine == Combine::multiply;
  // The double sum or product of two numbers of fp32 or less, rounded again, is that of the format.
  const auto combined = [&](double a, double b) {
    return multiply ? rounded(a * b) : flushed(rounded(flushed(a) + flushed(b)));
  };
  std::vector<std::size_t> order(row.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::map<std::int64_t, std::uint64_t> found;
  do {
    std::optional<double> accumulator = initial;
    if (!initial && (rule.from_zero || row.empty())) accumulator = multiply ? 1.0 : 0.0;
    for (const std::size_t u : order)
      for (const double x : row[u]) accumulator = accumulator ? combined(*accumulator, x) : x;
    ++found[ordered_key(rule.format, round_to_bits(rule.format, *accumulator))];
  } while (std::ranges::next_permutation(order).found);
  return found;
}

/// A row in the form that contributions have.
struct FlatRow {
  FlatRow(const UnitNumbers& row, Format format) : numbers(format, std::max<std::size_t>(count_of(row), 1)) {
    for (std::size_t u = 0; u < row.size(); ++u)
      for (const double x : row[u]) {
        numbers.set(units.size(), x);
        units.push_back(static_cast<std::uint32_t>(10 + 3 * u));
      }
  }

  static std::size_t count_of(const UnitNumbers& row) {
    std::size_t n = 0;
    for (const auto& unit : row) n += unit.size();
    return n;
  }

  bool find(RowOutcomeFinder& finder, std::optional<double> initial, RowOutcomes& outcomes) const {
    return finder.find(numbers.view().part(0, units.size()), units, initial, outcomes);
  }

  Terms numbers;
  std::vector<std::uint32_t> units;
};

void check_outcomes(RowOutcomeFinder& finder, const UnitNumbers& row, const RowRule& rule,
                    std::optional<double> initial) {
  RowOutcomes found;
  REQUIRE(FlatRow(row, rule.format).find(finder, initial, found));
  std::map<std::int64_t, std::uint64_t> by_key;
  std::uint64_t all = 1;
  for (std::size_t i = 2; i <= row.size(); ++i) all *= i;
  CHECK(found.all_orders == all);
  CHECK(std::accumulate(found.orders.begin(), found.orders.end(), std::uint64_t{0}) == all);
  CHECK(std::ranges::is_sorted(found.bits, {}, [&](std::uint64_t bits) { return ordered_key(rule.format, bits); }));
  for (std::size_t i = 0; i < found.size(); ++i) by_key[ordered_key(rule.format, found.bits[i])] = found.orders[i];
  CHECK(by_key.size() == found.size());
  CHECK(by_key == outcomes_by_permutations(row, rule, initial));
}

double number_of_kind(IndexGenerator& draw, Format format, std::uint64_t kind) {
  const FormatInfo& f = info(format);
  double x = near_one(draw);
  if (kind == 1) x = any_finite(draw, format);
  if (kind == 2) x = with_random_sign(draw, static_cast<double>(below(draw, 3)));  // zeros, equal numbers
  if (kind == 3) x = with_random_sign(draw, std::ldexp(1 + static_cast<double>(below(draw, 2)), f.e_max - 1));
  if (kind == 4) x = std::ldexp(near_one(draw), f.e_min);  // about the subnormal numbers
  if (kind == 5 && chance(draw, 3)) x = chance(draw, 3) ? std::nan("") : with_random_sign(draw, kInfinity);
  return value_of_bits(format, round_to_bits(format, x));
}

}  // namespace

TEST_CASE("the outcomes of a row are those of all permutations of its units") {
  std::uint64_t trial = 0;
  for (const FormatInfo& format : kFormats)
    for (const Combine combine : {Combine::add, Combine::multiply})
      for (const bool flush : {false, true})
        for (const bool from_zero : {false, true}) {
          const RowRule rule{format.format, combine, flush, from_zero};
          RowOutcomeFinder finder(rule);
          for (std::uint64_t i = 0; i < trials(120); ++i) {
            IndexGenerator draw(RandomStream(2025, streams::kTerms, 0), trial++);
            const std::uint64_t kind = below(draw, 6);
            UnitNumbers row(below(draw, chance(draw, 8) ? 8 : 6));
            for (auto& unit : row) {
              unit.resize(1 + (chance(draw, 3) ? below(draw, 3) : 0));
              for (double& x : unit) x = number_of_kind(draw, format.format, kind);
            }
            if (row.size() > 2 && chance(draw, 3)) row[0] = row[1];
            if (row.size() > 3 && chance(draw, 3)) row[2] = row[3];
            std::optional<double> initial;
            if (chance(draw, 2)) initial = number_of_kind(draw, format.format, kind);
            CAPTURE(i);
            CAPTURE(kind);
            CAPTURE(format.name);
            CAPTURE(flush);
            CAPTURE(from_zero);
            check_outcomes(finder, row, rule, initial);
          }
        }
}

TEST_CASE("zeros keep their signs, and sums overflow in some orders only") {
  RowOutcomeFinder finder({Format::fp32});
  RowOutcomes found;
  CHECK(FlatRow({{-0.0}, {-0.0}}, Format::fp32).find(finder, {}, found));
  CHECK(found.bits == std::vector<std::uint64_t>{0x80000000});
  CHECK(FlatRow({{1}, {-1}, {-0.0}}, Format::fp32).find(finder, -0.0, found));
  CHECK(found.bits == std::vector<std::uint64_t>{0});
  CHECK(FlatRow({}, Format::fp32).find(finder, -0.0, found));
  CHECK(found.bits == std::vector<std::uint64_t>{0x80000000});
  CHECK(FlatRow({}, Format::fp32).find(finder, {}, found));
  CHECK(found.bits == std::vector<std::uint64_t>{0});
  const double most = std::numeric_limits<float>::max();
  CHECK(FlatRow({{most}, {most}, {-most}}, Format::fp32).find(finder, 0.0, found));
  CHECK(found.bits == std::vector<std::uint64_t>{0x7f7fffff, 0x7f800000});
  CHECK(found.orders == std::vector<std::uint64_t>{4, 2});
  CHECK(found.probability(0) == 4.0 / 6);
  CHECK(FlatRow({{most, most}, {-most, -most}}, Format::fp32).find(finder, {}, found));
  CHECK(found.bits == std::vector<std::uint64_t>{0xff800000, 0x7f800000});
  CHECK(FlatRow({{most}, {most}, {-most}, {-most}}, Format::fp32).find(finder, {}, found));
  CHECK(found.bits == std::vector<std::uint64_t>{0xff800000, 0, 0x7f800000});
  CHECK(found.orders == std::vector<std::uint64_t>{4, 16, 4});
}

TEST_CASE("rows of too many units or states are not found") {
  RowOutcomes found;
  UnitNumbers row;
  for (int i = 0; i < 20; ++i) row.push_back({1});
  RowOutcomeFinder finder({Format::fp32});
  REQUIRE(FlatRow(row, Format::fp32).find(finder, {}, found));  // equal numbers: 21 states
  CHECK(found.orders == std::vector<std::uint64_t>{2432902008176640000});
  row.push_back({1});
  CHECK(!FlatRow(row, Format::fp32).find(finder, {}, found));
  CHECK(found.size() == 0);
  RowOutcomeFinder small({Format::fp32}, 15);
  const FlatRow four({{1}, {0x1p24}, {-0x1p24}, {3}}, Format::fp32);  // 16 sets
  CHECK(!four.find(small, {}, found));
  CHECK(found.size() == 0);
  RowOutcomeFinder enough({Format::fp32}, 40);
  CHECK(four.find(enough, {}, found));
  RowOutcomeFinder too_small({Format::fp32}, 16);  // more states than sets
  CHECK(!four.find(too_small, {}, found));
}

TEST_CASE("the nearest outcome is found by value, the lower one of two") {
  const auto nearest = [](const std::vector<double>& values, double value) {
    std::vector<std::uint64_t> bits;
    for (const double x : values) bits.push_back(round_to_bits(Format::fp64, x));
    return nearest_outcome(bits, Format::fp64, value);
  };
  const double nan = std::nan("");
  CHECK(nearest({1, 2, 4}, 0) == 0);
  CHECK(nearest({1, 2, 4}, 2) == 1);
  CHECK(nearest({1, 2, 4}, 3) == 1);
  CHECK(nearest({1, 2, 4}, std::nextafter(3, 4)) == 2);
  CHECK(nearest({1, 2, 4}, kInfinity) == 2);
  CHECK(nearest({-0.0, 0.0}, -0.0) == 0);
  CHECK(nearest({-0.0, 0.0}, 0.0) == 1);
  CHECK(nearest({-1, 1}, 0.0) == 0);
  CHECK(nearest({-1, 1}, 0x1p-1074) == 1);  // where both differences round to 1
  CHECK(nearest({1, kInfinity}, 0x1p1000) == 0);
  CHECK(nearest({-kInfinity, 1}, -0x1p1000) == 1);
  CHECK(nearest({-kInfinity, kInfinity}, 3) == 0);
  CHECK(nearest({1, nan}, nan) == 1);
  CHECK(nearest({1, nan}, 7) == 0);
  CHECK(!nearest({nan}, 7));
  CHECK(!nearest({1}, nan));
}
