// All orders of partial sums in fp80, against every order one by one, in integers; what cannot be enumerated.
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "doubles.hpp"
#include "engine/extremes.hpp"
#include "order/trouble.hpp"
#include "orderlab/enumerate.hpp"
#include "orderlab/evaluator.hpp"
#include "orderlab/sample.hpp"
#include "run/extended.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

using OrdersByBits = std::map<std::uint64_t, std::uint64_t>;

std::uint64_t result_of(Format result, const SoftExtended& sum) {
  if (result == Format::fp64) return round_to_bits(result, static_cast<double>(sum));
  // Rounded to odd on the way.
  double high = static_cast<double>(sum);
  const SoftExtended rest = sum - SoftExtended(high);
  const bool above = SoftExtended(0.0) < rest;
  const bool below = rest < SoftExtended(0.0);
  if ((above || below) && (bits(high) & 1) == 0) high = std::nextafter(high, above ? HUGE_VAL : -HUGE_VAL);
  return round_to_bits(result, high);
}

std::vector<SoftExtended> sums_of_trees(const std::vector<double>& x, unsigned set) {
  if ((set & (set - 1)) == 0) return {SoftExtended(x[static_cast<std::size_t>(std::countr_zero(set))])};
  std::vector<SoftExtended> sums;
  const unsigned lowest = set & (0 - set);
  for (unsigned right = (set - 1) & set; right != 0; right = (right - 1) & set) {
    if ((right & lowest) != 0) continue;
    const std::vector<SoftExtended> of_right = sums_of_trees(x, right);
    for (const SoftExtended& a : sums_of_trees(x, set & ~right))
      for (const SoftExtended& b : of_right) sums.push_back(a + b);
  }
  return sums;
}

OrdersByBits one_by_one(const std::string& order, Format result, const std::vector<double>& x) {
  OrdersByBits table;
  if (order == "shuffle | tree") {
    for (const SoftExtended& sum : sums_of_trees(x, (1u << x.size()) - 1)) ++table[result_of(result, sum)];
    return table;
  }
  std::vector<std::size_t> places(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) places[i] = i;
  do {
    std::vector<SoftExtended> sums;
    for (const std::size_t i : places) sums.emplace_back(x[i]);
    if (order == "shuffle | seq") {
      for (std::size_t i = 1; i < sums.size(); ++i) sums[0] = sums[0] + sums[i];
    } else {  // halves
      for (std::size_t half = sums.size() / 2; half > 0; half /= 2)
        for (std::size_t i = 0; i < half; ++i) sums[i] = sums[i] + sums[i + half];
    }
    ++table[result_of(result, sums[0])];
  } while (std::next_permutation(places.begin(), places.end()));
  return table;
}

std::vector<double> hard_terms(std::uint64_t seed, Format format, std::size_t n) {
  IndexGenerator draw(RandomStream(seed, 0, 0), 0);
  std::vector<double> x;
  for (std::size_t i = 0; i < n; ++i) {
    const double odd = 1 + std::ldexp(static_cast<double>(below(draw, 4)), 1 - info(format).precision);
    const int place = static_cast<int>(below(draw, 3)) * 32 - 32;
    x.push_back(with_random_sign(draw, std::ldexp(odd, place)));
    if (seed % 3 == 0 && i > 0 && chance(draw, 2)) x.back() = x[below(draw, i)];
  }
  if (seed % 5 == 0)  // sums of fp64 terms are beyond the doubles
    for (double& term : x) term = std::ldexp(term, format == Format::fp64 ? 991 : 90);
  return x;
}

}  // namespace

TEST_CASE("all orders in fp80 have the results of every order one by one") {
  for (const std::string order : {"shuffle | seq", "shuffle | tree", "shuffle | halving(8)"})
    for (const Formats& formats :
         {Formats{Format::fp64, Format::fp80, Format::fp64}, Formats{Format::fp64, Format::fp80, Format::fp32},
          Formats{Format::fp32, Format::fp80, Format::fp32}})
      for (std::uint64_t seed = 0; seed < 8; ++seed) {
        CAPTURE(order);
        CAPTURE(seed);
        const std::size_t n = order == "shuffle | halving(8)" ? 8 : order == "shuffle | tree" ? 6 : 7;
        const std::vector<double> x = hard_terms(seed, formats.terms, n);
        const TypedTerms terms(formats.terms, x);
        const auto evaluator = Evaluator::make(parse_order(order), terms.view(), formats, 1);
        const RecognizedSpace found = order_space(*evaluator);
        CAPTURE(found.reason);
        REQUIRE(found.space.has_value());
        const auto all = enumerate(*found.space, {});
        REQUIRE(all.has_value());
        const OrdersByBits table = one_by_one(order, formats.result, x);
        REQUIRE(all->results.values.size() == table.size());
        std::uint64_t orders = 0;
        for (const auto& [pattern, count] : table) orders += count;
        std::uint64_t wrong = 0;
        for (const auto& [pattern, count] : table) {
          const Weighted* result = all->find(pattern);
          if (result == nullptr ||
              std::fabs(result->weight - static_cast<double>(count) / static_cast<double>(orders)) > 1e-15)
            ++wrong;
        }
        CHECK(wrong == 0);

        if (order == "shuffle | halving(8)") {
          CHECK(!extremes_obstacle(*found.space, 0x1p30).empty());
          continue;
        }
        const auto ends = extremes(*found.space, {});
        REQUIRE(ends.has_value());
        CHECK(ends->least.value == all->results.values.front().value);
        CHECK(ends->greatest.value == all->results.values.back().value);
      }
}

TEST_CASE("partial sums of fp80 that are no doubles are not enumerated, and why is said") {
  const std::vector<double> x{1, 0x1p-63, 1, -0x1p-64, -2, 0};
  const auto evaluator = Evaluator::make(parse_order("seq(2) | shuffle | seq"), view_of(x.data(), x.size()),
                                         {Format::fp64, Format::fp80, Format::fp64}, 1);
  const RecognizedSpace found = order_space(*evaluator);
  CHECK(!found.space.has_value());
  CHECK(found.reason.find("numbers of fp80") != std::string::npos);
}
