#include "engine/extremes.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "order/trouble.hpp"
#include "orderlab/error.hpp"
#include "orderlab/format.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

std::unique_ptr<const Evaluator> bound(const char* order, const TypedTerms& terms, const Formats& formats) {
  return Evaluator::make(parse_order(order), terms.view(), formats, 1);
}

OrderSpace space_of(const Evaluator& evaluator) {
  const RecognizedSpace recognized = order_space(evaluator);
  REQUIRE_MESSAGE(recognized.space.has_value(), recognized.reason);
  return *recognized.space;
}

struct Ends {
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  std::int64_t greatest = std::numeric_limits<std::int64_t>::min();
  bool nan = false;

  void add(Format format, double value) {
    nan = nan || std::isnan(value);
    const std::int64_t key = ordered_key(format, round_to_bits(format, value));
    least = std::min(least, key);
    greatest = std::max(greatest, key);
  }
};

Ends over_permutations(const Evaluator& evaluator) {
  std::vector<std::uint32_t> order(evaluator.random_count());
  std::iota(order.begin(), order.end(), 0U);
  const auto scratch = evaluator.make_scratch();
  Ends ends;
  do ends.add(evaluator.formats().result, evaluator.evaluate_arranged(order, *scratch).value);
  while (std::next_permutation(order.begin(), order.end()));
  return ends;
}

// Every pair of partial sums is added first, then every pair of what is left, and so on.
void over_trees(Format accumulate, std::vector<double> sums, Format result, Ends& ends) {
  if (sums.size() == 1) return ends.add(result, sums[0]);
  for (std::size_t i = 0; i < sums.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      std::vector<double> rest = sums;
      // rounding the double sum once more is right for the narrower formats: 53 bits are twice theirs and 2
      rest[j] = value_of_bits(accumulate, round_to_bits(accumulate, sums[i] + sums[j]));
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
      over_trees(accumulate, rest, result, ends);
    }
}

std::int64_t key_of(const Evaluator& evaluator, const ExtremeOrder& extreme) {
  CHECK(value_of_bits(evaluator.formats().result, extreme.bits) == extreme.value);
  return ordered_key(evaluator.formats().result, extreme.bits);
}

// The order gives the bits that are claimed for it.
void check_extreme(const Evaluator& evaluator, const OrderSpace& space, const ExtremeOrder& extreme) {
  if (space.family != OrderFamily::trees) {
    CHECK(evaluator.evaluate_arranged(extreme.order, *evaluator.make_scratch()).bits == extreme.bits);
    return;
  }
  const auto values =
      evaluate(extreme.tree, {Format::fp64, space.partial_sums.size(), space.partial_sums.data(), nullptr});
  CHECK(round_to_bits(space.formats.result, values[extreme.tree.roots()[0]]) == extreme.bits);
}

struct Case {
  const char* order;
  std::size_t n;
};

// Compared with brute force in every format and trouble; the number of cases compared.
int compare(const std::vector<Case>& cases, bool trees) {
  int compared = 0;
  for (const Case& c : cases)
    for (const Formats& formats : formats_to_try())
      for (const Trouble trouble : kTroubles) {
        if (trouble == Trouble::special) continue;
        const std::string what =
            std::string(c.order) + " " + to_string(formats) + " trouble " + std::to_string(static_cast<int>(trouble));
        CAPTURE(what);
        const TypedTerms terms(formats.terms, troublesome_numbers(3, formats.terms, trouble, c.n));
        const auto evaluator = bound(c.order, terms, formats);
        const OrderSpace space = space_of(*evaluator);
        const bool finite = std::all_of(space.partial_sums.begin(), space.partial_sums.end(),
                                        [](double x) { return std::isfinite(x); });
        Ends ends;
        if (trees)
          over_trees(formats.accumulate, space.partial_sums, formats.result, ends);
        else
          ends = over_permutations(*evaluator);
        if (ends.nan || !finite) {
          CHECK_THROWS_AS(extremes(space, {.threads = 1}), Error);
          continue;
        }
        const auto found = extremes(space, {.threads = 2});
        REQUIRE(found.has_value());
        CHECK(key_of(*evaluator, found->least) == ends.least);
        CHECK(key_of(*evaluator, found->greatest) == ends.greatest);
        check_extreme(*evaluator, space, found->least);
        check_extreme(*evaluator, space, found->greatest);
        ++compared;
      }
  return compared;
}

}  // namespace

TEST_CASE("extremes over sequences are those of all permutations") {
  CHECK(compare({{"shuffle | seq", 1},
                 {"shuffle | seq", 2},
                 {"shuffle | seq", 6},
                 {"shuffle | seq(from=zero)", 5},
                 {"halving(2) | arrive(uniform) | seq(acc=atomic)", 12},
                 {"shuffle | reverse | seq", 4}},
                false) > 300);
}

TEST_CASE("extremes over trees are those of all ways to add two partial sums at a time") {
  CHECK(compare({{"shuffle | tree", 1}, {"shuffle | tree", 2}, {"shuffle | tree", 5}, {"shuffle | tree", 6}}, true) >
        200);
}

TEST_CASE("extremes over assignments are those of all permutations") {
  CHECK(compare({{"shuffle | pairwise", 6},
                 {"shuffle | adjacent(4) | seq(acc=atomic)", 7},
                 {"shuffle | halving(4) | seq(from=zero)", 6}},
                false) > 150);
}

TEST_CASE("eight partial sums: sequences and halving(8) against all 40320 permutations") {
  for (const char* order : {"shuffle | seq", "shuffle | halving(8)"})
    for (const char* format : {"fp64", "fp32", "fp16", "bf16"})
      for (const Trouble trouble : {Trouble::near_one, Trouble::cancelling}) {
        const Formats formats = parse_formats(format);
        const TypedTerms terms(formats.terms, troublesome_numbers(8, formats.terms, trouble, 8));
        const auto evaluator = bound(order, terms, formats);
        const OrderSpace space = space_of(*evaluator);
        const Ends ends = over_permutations(*evaluator);
        const auto found = extremes(space, {});
        CHECK(key_of(*evaluator, found->least) == ends.least);
        CHECK(key_of(*evaluator, found->greatest) == ends.greatest);
        check_extreme(*evaluator, space, found->least);
        check_extreme(*evaluator, space, found->greatest);
      }
}

TEST_CASE("equal partial sums are collapsed: as many as one likes of few different ones") {
  std::vector<double> values;
  for (int i = 0; i < 8; ++i)
    for (int copies = 0; copies < 5; ++copies) values.push_back(1.0 / (i + 3));
  const TypedTerms terms(Format::fp32, values);
  for (const char* order : {"shuffle | seq", "shuffle | seq(acc=atomic)"}) {
    const auto evaluator = bound(order, terms, parse_formats("fp32"));
    const OrderSpace space = space_of(*evaluator);
    const auto found = extremes(space, {});
    check_extreme(*evaluator, space, found->least);
    check_extreme(*evaluator, space, found->greatest);
    const auto scratch = evaluator->make_scratch();
    for (std::uint64_t sample = 0; sample < 2000; ++sample) {
      const double drawn = evaluator->evaluate(sample, *scratch).value;
      CHECK(drawn >= found->least.value);
      CHECK(drawn <= found->greatest.value);
    }
    CHECK(found->least.value < found->greatest.value);
  }
}

TEST_CASE("the orders found do not depend on threads") {
  for (const char* order : {"shuffle | seq", "shuffle | tree", "shuffle | pairwise"}) {
    const TypedTerms terms(Format::fp32, troublesome_numbers(5, Format::fp32, Trouble::cancelling, 11));
    const auto evaluator = bound(order, terms, parse_formats("fp32"));
    const OrderSpace space = space_of(*evaluator);
    const auto one = extremes(space, {.threads = 1});
    for (const int threads : {2, 7}) {
      const auto other = extremes(space, {.threads = threads});
      CHECK(other->least.bits == one->least.bits);
      CHECK(other->least.order == one->least.order);
      CHECK(other->greatest.order == one->greatest.order);
      for (SummationTree::Node node = one->least.tree.term_count(); node < one->least.tree.node_count(); ++node)
        CHECK(std::equal(one->least.tree.children(node).begin(), one->least.tree.children(node).end(),
                         other->least.tree.children(node).begin(), other->least.tree.children(node).end()));
    }
  }
}

TEST_CASE("orders that overflow have infinite extremes, and NaN in some order is refused") {
  const Formats formats = parse_formats("fp16");
  const TypedTerms terms(Format::fp16, {60000, 60000, -60000, -60000, 1});
  const auto sequences = bound("shuffle | seq", terms, formats);
  const auto found = extremes(space_of(*sequences), {});
  CHECK(found->least.bits == 0xfc00);
  CHECK(found->greatest.bits == 0x7c00);
  check_extreme(*sequences, space_of(*sequences), found->greatest);
  CHECK_THROWS_AS(extremes(space_of(*bound("shuffle | tree", terms, formats)), {}), Error);
  const TypedTerms infinite(Format::fp16, {1, std::numeric_limits<double>::infinity(), 2});
  CHECK_THROWS_AS(extremes(space_of(*bound("shuffle | seq", infinite, formats)), {}), Error);
}

TEST_CASE("what is out of reach says why and is refused; a stop gives nothing") {
  const Formats formats = parse_formats("fp32");
  const TypedTerms terms(Format::fp32, troublesome_numbers(1, Format::fp32, Trouble::near_one, 40));
  for (const char* order : {"shuffle | seq", "shuffle | tree", "shuffle | pairwise"}) {
    const OrderSpace space = space_of(*bound(order, terms, formats));
    CHECK(!extremes_obstacle(space, 0x1p60).empty());
    CHECK_THROWS_AS(extremes(space, {}), Error);
  }
  const TypedTerms few(Format::fp32, troublesome_numbers(1, Format::fp32, Trouble::near_one, 16));
  for (const char* order : {"shuffle | seq", "shuffle | tree", "shuffle | pairwise"}) {
    const OrderSpace space = space_of(*bound(order, few, formats));
    CHECK(extremes_obstacle(space, 0x1p30).empty());
    CHECK(!extremes_obstacle(space, 1000).empty());
    std::stop_source source;
    source.request_stop();
    CHECK(!extremes(space, {.stop = source.get_token()}).has_value());
  }
}

TEST_CASE("the memory counted is that of the table: two keys a set, of 32 bits also for 16-bit formats") {
  constexpr double kSets = 0x1p10;
  OrderSpace space;
  space.family = OrderFamily::sequences;
  for (int i = 0; i < 10; ++i) space.partial_sums.push_back(1 + i);
  for (const auto& [format, bytes] : {std::pair("bf16", 8), std::pair("fp32", 8), std::pair("fp64", 16)}) {
    CAPTURE(format);
    space.formats = parse_formats(format);
    CHECK(extremes_obstacle(space, kSets * bytes).empty());
    CHECK(!extremes_obstacle(space, kSets * bytes - 1).empty());
  }
}

TEST_CASE("a tree carries the same error bounds as the sequence that it is") {
  for (const char* formats_text : {"fp32", "fp64:fp32", "fp64:fp32:fp16"}) {
    const Formats formats = parse_formats(formats_text);
    const TypedTerms terms(formats.terms, troublesome_numbers(3, formats.terms, Trouble::near_one, 12));
    const auto trees = bound("halving(2) | shuffle | tree", terms, formats);
    const auto sequences = bound("halving(2) | shuffle | seq", terms, formats);
    const OrderSpace space = space_of(*trees);
    std::vector<std::uint32_t> order(trees->random_count());
    std::iota(order.begin(), order.end(), 0U);
    SummationTree chain(order.size());
    SummationTree::Node last = 0;
    for (std::uint32_t i = 1; i < order.size(); ++i) {
      const SummationTree::Node children[] = {last, i};
      last = chain.add(Operation::add, formats.accumulate, children);
    }
    chain.set_roots({last});
    const Evaluation tree = evaluate_tree(*trees, space, chain);
    const Evaluation sequence = sequences->evaluate_arranged(order, *sequences->make_scratch());
    CHECK(tree.bits == sequence.bits);
    CHECK(bits_of(tree.error.linear) == bits_of(sequence.error.linear));
    CHECK(bits_of(tree.error.square) == bits_of(sequence.error.square));
    CHECK(bits_of(tree.error.extra) == bits_of(sequence.error.extra));
    CHECK(tree.error.roundings == sequence.error.roundings);
    CHECK(tree.error.allowances == sequence.error.allowances);
    CHECK(tree.error.roundings > trees->fixed_error().roundings);
    CHECK(trees->fixed_error().roundings > 0);
  }
}
