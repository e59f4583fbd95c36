// Enumerations beyond one-by-one counting: against slow dynamic programs, counts that add up exactly, and sums that no
// order can change.
#include <doctest/doctest.h>

#include <boost/multiprecision/cpp_int.hpp>
#include <map>

#include "doubles.hpp"
#include "engine/brute_force.hpp"
#include "orderlab/terms.hpp"

using namespace orderlab;
using namespace orderlab::testing;
using boost::multiprecision::cpp_int;

namespace {

using BigTable = std::map<std::uint64_t, cpp_int>;
using Members = std::vector<std::size_t>;

/// Distinct numbers (by their bits) and how many there are of each.
struct Grouped {
  std::vector<double> values;
  Members limits;

  explicit Grouped(const std::vector<double>& x) {
    std::map<std::uint64_t, std::size_t> counts;
    for (const double v : x) ++counts[bits(v)];
    for (const auto& [pattern, count] : counts) {
      values.push_back(std::bit_cast<double>(pattern));
      limits.push_back(count);
    }
  }
};

cpp_int factorial_of(std::size_t n) {
  cpp_int product = 1;
  for (std::size_t k = 2; k <= n; ++k) product *= k;
  return product;
}

cpp_int trees_of(std::size_t m) {
  cpp_int product = 1;
  for (std::size_t k = 3; k + 1 < 2 * m; k += 2) product *= k;
  return product;
}

/// All sequences by sets of members: a map of maps. Equal members are told apart in the counts.
BigTable slow_sequences(const Adder& adder, const std::vector<double>& x) {
  const Grouped grouped(x);
  std::map<Members, BigTable> layer{{Members(grouped.values.size(), 0), {}}};
  for (std::size_t size = 1; size <= x.size(); ++size) {
    std::map<Members, BigTable> next;
    for (const auto& [members, results] : layer) {
      for (std::size_t i = 0; i < members.size(); ++i) {
        if (members[i] == grouped.limits[i]) continue;
        Members more = members;
        ++more[i];
        BigTable& table = next[more];
        const std::size_t choices = grouped.limits[i] - members[i];
        if (size == 1) table[bits(grouped.values[i])] += choices;
        for (const auto& [pattern, count] : results)
          table[bits(adder.add(std::bit_cast<double>(pattern), grouped.values[i]))] += count * choices;
      }
    }
    layer = std::move(next);
  }
  return layer.begin()->second;
}

/// All trees over subsets of labelled members.
BigTable slow_trees(const Adder& adder, const std::vector<double>& x) {
  std::vector<BigTable> tables(std::size_t{1} << x.size());
  for (std::size_t set = 1; set < tables.size(); ++set) {
    if ((set & (set - 1)) == 0) {
      tables[set][bits(x[static_cast<std::size_t>(std::countr_zero(set))])] = 1;
      continue;
    }
    const std::size_t lowest = set & (0 - set);
    for (std::size_t right = (set - 1) & set; right != 0; right = (right - 1) & set) {
      if ((right & lowest) != 0) continue;
      for (const auto& [a, count_a] : tables[set & ~right])
        for (const auto& [b, count_b] : tables[right])
          tables[set][bits(adder.add(std::bit_cast<double>(a), std::bit_cast<double>(b)))] += count_a * count_b;
    }
  }
  return tables.back();
}

/// All trees over k equal numbers, by their number.
BigTable slow_trees_of_equal(const Adder& adder, double x, std::size_t m) {
  std::vector<BigTable> tables(m + 1);
  tables[1][bits(x)] = 1;
  for (std::size_t k = 2; k <= m; ++k) {
    cpp_int ways = 1;  // binomial(k - 1, left - 1): the first member lies on the left
    for (std::size_t left = 1; left < k; ++left) {
      for (const auto& [a, count_a] : tables[left])
        for (const auto& [b, count_b] : tables[k - left])
          tables[k][bits(adder.add(std::bit_cast<double>(a), std::bit_cast<double>(b)))] += ways * count_a * count_b;
      ways = ways * (k - left) / left;
    }
  }
  return tables[m];
}

cpp_int orders_of(const Enumeration& found, std::size_t i) { return cpp_int(found.results.orders.at(i).str()); }

/// The table says the same as the enumeration (of one format; no NaN).
void check_same(const Enumeration& found, const BigTable& expected, Format format) {
  BigTable by_bits;
  for (const auto& [pattern, count] : expected) by_bits[round_to_bits(format, std::bit_cast<double>(pattern))] += count;
  CHECK(found.results.size() == by_bits.size());
  for (std::size_t i = 0; i < found.results.size(); ++i) {
    const double value = found.results.values[i].value;
    CAPTURE(value);
    CHECK(orders_of(found, i) == by_bits[bits_of(format, value)]);
  }
}

/// Counts add up to `orders`, probabilities to about 1: each is rounded once, as is each of the additions here.
void check_total(const Enumeration& found, const cpp_int& orders) {
  CHECK(cpp_int(found.orders.str()) == orders);
  cpp_int sum = 0;
  double probability = 0;
  const std::vector<Weighted>& results = found.results.values;
  for (std::size_t i = 0; i < results.size(); ++i) {
    CHECK(orders_of(found, i) > 0);
    sum += orders_of(found, i);
    probability += results[i].weight;
  }
  CHECK(sum == orders);
  CHECK(std::fabs(probability - 1) <= 0x1p-52 * static_cast<double>(results.size()));
  for (std::size_t i = 1; i < results.size(); ++i) CHECK(results[i - 1].value < results[i].value);
}

std::vector<double> repeated(const std::vector<double>& values, std::size_t times, Format format) {
  std::vector<double> x;
  for (std::size_t i = 0; i < times; ++i)
    for (const double v : values) x.push_back(Adder{format}.rounded(v));
  return x;
}

std::vector<double> normal(std::size_t n, Format format, std::uint64_t seed) {
  const Terms terms = generate_terms("normal(0,1)", n, format, seed);
  std::vector<double> x;
  for (std::size_t i = 0; i < n; ++i) x.push_back(terms.view().left(i));
  return x;
}

}  // namespace

TEST_CASE("sequences of distinct terms agree with a slow dynamic program") {
  for (const char* text : {"fp64", "fp32", "fp16", "bf16"}) {
    const Formats formats = parse_formats(text);
    for (const std::size_t m : {9u, 10u, 11u, 13u}) {
      CAPTURE(std::string(text));
      CAPTURE(m);
      if (m == 13 && formats.accumulate != Format::fp32) continue;
      const std::vector<double> x = normal(m, formats.accumulate, m);
      const Enumeration found = enumerated("random", formats, x);
      check_same(found, slow_sequences(Adder{formats.accumulate}, x), formats.result);
      check_total(found, factorial_of(m));
      CHECK(found.results.size() > 3);
    }
  }
}

TEST_CASE("trees over distinct terms agree with a slow dynamic program") {
  for (const char* text : {"fp64", "fp32", "fp16", "bf16"}) {
    const Formats formats = parse_formats(text);
    CAPTURE(std::string(text));
    const std::vector<double> x = normal(9, formats.accumulate, 5);
    const Enumeration found = enumerated("random_tree", formats, x);
    check_same(found, slow_trees(Adder{formats.accumulate}, x), formats.result);
    check_total(found, trees_of(9));
    CHECK(found.results.size() > 5);
  }
}

TEST_CASE("sequences of few values agree with a slow dynamic program, however large the counts") {
  struct Case {
    std::vector<double> values;
    std::size_t times;
    const char* formats;
  };
  // Counts in lists do not tell equal terms apart: 64! / 16!^4 takes 119 bits, 90! / 30!^3 takes 135, the others 43.
  const Case cases[] = {{{0.1, 0.2, 0.3, 0.7}, 16, "fp32"},
                        {{0.1, -0.3, 1e3}, 10, "fp32"},
                        {{0.1, 7.7, -0.1}, 30, "fp64"},
                        {{1.1, 2.2, 3.3, 4.4, 5.5, -6.6}, 4, "bf16"}};
  for (const Case& c : cases) {
    const Formats formats = parse_formats(c.formats);
    const std::vector<double> x = repeated(c.values, c.times, formats.accumulate);
    CAPTURE(x.size());
    const Enumeration found = enumerated("random", formats, x, 2);
    check_total(found, factorial_of(x.size()));
    CHECK(found.results.size() > 2);
    if (x.size() != 64) check_same(found, slow_sequences(Adder{formats.accumulate}, x), formats.result);
  }
}

TEST_CASE("equal terms: one sequence, few trees") {
  for (const std::size_t m : {2u, 17u, 21u, 40u}) {
    CAPTURE(m);
    const Formats formats = parse_formats("fp32");
    const std::vector<double> x = repeated({0.1}, m, Format::fp32);
    const Enumeration sequences = enumerated("random", formats, x);
    check_total(sequences, factorial_of(m));
    REQUIRE(sequences.results.size() == 1);
    const Weighted& all = sequences.results.values[0];
    CHECK(bits(all.value) == bits(add_in_turn(Adder{Format::fp32}, x.data(), m, Start::first)));
    CHECK(bits(all.weight) == bits(1.0));

    const Enumeration trees = enumerated("random_tree", formats, x);
    check_total(trees, trees_of(m));
    check_same(trees, slow_trees_of_equal(Adder{Format::fp32}, x[0], m), Format::fp32);
    if (m >= 17) CHECK(trees.results.size() > 1);
  }
}

TEST_CASE("counts of trees and assignments add up, and collapsing equal terms changes nothing") {
  const Formats formats = parse_formats("fp32");
  for (const auto& [values, times] : {std::pair<std::vector<double>, std::size_t>{{0.1, 0.2, 0.3, 0.7}, 4},
                                      {{0.1, -7.3}, 12},
                                      {{0.1, 1e5, -3.3}, 3}}) {
    const std::vector<double> x = repeated(values, times, Format::fp32);
    CAPTURE(x.size());
    const Enumeration trees = enumerated("random_tree", formats, x);
    check_total(trees, trees_of(x.size()));
    if (x.size() <= 9) check_same(trees, slow_trees(Adder{Format::fp32}, x), Format::fp32);
    for (const char* order : {"shuffle | pairwise", "shuffle | chunks(5) | seq"})
      check_total(enumerated(order, formats, x), factorial_of(x.size()));
  }
}

TEST_CASE("the assignments to a left-to-right tree are the sequences") {
  for (const char* text : {"fp32", "fp16", "bf16"}) {
    const Formats formats = parse_formats(text);
    const std::vector<double> x = normal(12, formats.accumulate, 8);
    const OrderSpace sequences = space_of("shuffle | seq", formats, x);
    const OrderSpace assignments = space_of("shuffle | reverse | seq", formats, x);
    REQUIRE(sequences.family == OrderFamily::sequences);
    REQUIRE(assignments.family == OrderFamily::assignments);
    CHECK(text_of(*enumerate(assignments, {}), formats.result) == text_of(*enumerate(sequences, {}), formats.result));
  }
}
