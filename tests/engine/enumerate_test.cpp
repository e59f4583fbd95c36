// Enumeration against every order one by one: all permutations, all trees, all assignments to fixed trees.
#include "orderlab/enumerate.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "engine/brute_force.hpp"
#include "orderlab/format.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

constexpr const char* kSingleFormats[] = {"fp64", "fp32", "fp16", "bf16"};
constexpr const char* kMixedFormats[] = {"fp16:fp32:fp16", "fp32:fp64:fp32", "fp64:fp16", "bf16:fp32:bf16"};

/// Results are ascending numbers of the format, of distinct bits, each found by its bits.
void check_listing(const Enumeration& enumeration, Format format) {
  const std::vector<Weighted>& results = enumeration.results.values;
  CHECK(enumeration.format == format);
  CHECK(enumeration.results.width == 0);
  CHECK(enumeration.results.orders.size() == results.size());
  for (std::size_t i = 0; i < results.size(); ++i) {
    const std::uint64_t pattern = bits_of(format, results[i].value);
    CHECK(std::bit_cast<std::uint64_t>(results[i].value) ==
          std::bit_cast<std::uint64_t>(value_of_bits(format, pattern)));
    if (i > 0) CHECK(ordered_key(format, bits_of(format, results[i - 1].value)) < ordered_key(format, pattern));
    CHECK(enumeration.find(pattern) == &results[i]);
  }
}

/// How the inputs of a test came out: a test of which all inputs have one result would show little.
struct Variety {
  std::uint64_t inputs = 0;
  std::uint64_t several = 0;       ///< inputs of several results
  std::uint64_t not_finite = 0;    ///< inputs of which a result is infinite or NaN
  std::uint64_t equal_terms = 0;   ///< inputs with equal terms
  std::uint64_t signed_zeros = 0;  ///< inputs that give both zeros
};

void check_variety(const Variety& variety) {
  if (test_scale() < 1) return;  // the first of the inputs have less of it
  CHECK(variety.several > variety.inputs / 6);
  CHECK(variety.equal_terms > variety.inputs / 4);
  CHECK(variety.not_finite > variety.inputs / 20);
}

void check_input(const KnownOrder& order, const Formats& formats, const std::vector<double>& terms, Variety& variety) {
  const ResultTable expected = brute_force(order, formats, terms);
  const Enumeration found = enumerated(order.text, formats, terms);
  CHECK(text_of(found, formats.result) == text_of(expected, formats.result));
  check_listing(found, formats.result);
  ++variety.inputs;
  if (expected.size() > 1) ++variety.several;
  const auto at = [](const Weighted& r) { return !std::isfinite(r.value); };
  if (std::any_of(found.results.values.begin(), found.results.values.end(), at)) ++variety.not_finite;
  if (expected.contains(0) && expected.contains(round_to_bits(formats.result, -0.0))) ++variety.signed_zeros;
  if (std::set(terms.begin(), terms.end()).size() < terms.size()) ++variety.equal_terms;
}

/// `inputs` troublesome inputs with 1 .. `most` partial sums, few of them with the most or with so few that all orders
/// are one.
void check_order(const KnownOrder& order, const Formats& formats, std::size_t most, std::uint64_t inputs,
                 Variety& variety) {
  const std::string format_text = to_string(formats);
  CAPTURE(order.text);
  CAPTURE(format_text);
  for (std::uint64_t seed = 1; seed <= trials(inputs); ++seed) {
    CAPTURE(seed);
    const std::size_t sums = seed % 40 == 0 ? most : seed % 10 == 0 ? 1 + seed % 4 / 2 : 3 + seed % (most - 3);
    const std::size_t n = (sums - 1) * order.terms_per_sum + 1 + seed % order.terms_per_sum;
    check_input(order, formats, troublesome_mixture(seed, formats.terms, n), variety);
  }
}

KnownOrder fixed_tree(const std::string& tail, std::vector<StageStep> steps) {
  return {.text = "shuffle | " + tail, .prefix = {}, .tail = std::move(steps)};
}

/// Random order, then left to right.
std::vector<KnownOrder> sequence_orders() {
  return {fixed_tree("seq", {ways::seq()}), fixed_tree("seq(from=zero)", {ways::seq(0, Start::zero)}),
          fixed_tree("seq(acc=atomic)", {ways::seq(0, Start::atomic)})};
}

/// Random order, then a fixed tree.
std::vector<KnownOrder> assignment_orders() {
  using namespace ways;
  return {fixed_tree("halving(8)", {halving(8)}),
          fixed_tree("adjacent(8)", {adjacent(8)}),
          fixed_tree("pairwise", {pairwise()}),
          fixed_tree("chunks(3) | seq", {chunks(3), seq()}),
          fixed_tree("seq(3) | halving(4)", {seq(3), halving(4)}),
          fixed_tree("seq(2,from=zero) | adjacent(3) | seq(from=zero)",
                     {seq(2, Start::zero), adjacent(3), seq(0, Start::zero)}),
          fixed_tree("strided(3) | pairwise", {strided(3), pairwise()}),
          fixed_tree("halving(2) | seq(acc=atomic)", {halving(2), seq(0, Start::atomic)}),
          fixed_tree("seq(2,acc=atomic) | pairwise", {seq(2, Start::atomic), pairwise()}),
          fixed_tree("seq(1,acc=atomic) | pairwise", {seq(1, Start::atomic), pairwise()}),
          fixed_tree("strided(3,acc=atomic) | seq(acc=atomic)", {strided(3, Start::atomic), seq(0, Start::atomic)}),
          fixed_tree("reverse | seq(from=zero)", {reverse(), seq(0, Start::zero)})};
}

/// A fixed part before the random one, among them named orders.
std::vector<KnownOrder> prefixed_orders() {
  using namespace ways;
  return {{"halving(2) | shuffle | seq", {halving(2)}, {seq()}, 2},
          {"seq(3,from=zero) | shuffle | pairwise", {seq(3, Start::zero)}, {pairwise()}, 3},
          {"adjacent(2) | reverse | shuffle | tree", {adjacent(2), reverse()}, {}, 2},
          {"ao", {}, {seq(0, Start::atomic)}, 1},
          {"warp", {halving(32)}, {seq(0, Start::atomic)}, 32},
          {"spa(4,2)", {tile(4, 2), halving(4)}, {seq(0, Start::atomic)}, 8}};
}

}  // namespace

TEST_CASE("all sequences give the results of every permutation, one by one") {
  Variety variety;
  for (const KnownOrder& order : sequence_orders()) {
    for (const char* formats : kSingleFormats) check_order(order, parse_formats(formats), 8, 200, variety);
    for (const char* formats : kMixedFormats) check_order(order, parse_formats(formats), 7, 60, variety);
  }
  check_variety(variety);
  if (test_scale() >= 1) CHECK(variety.signed_zeros > 0);
}

TEST_CASE("all trees give the results of every tree, one by one") {
  Variety variety;
  const KnownOrder trees{.text = "shuffle | tree", .prefix = {}, .tail = {}};
  for (const char* formats : kSingleFormats) check_order(trees, parse_formats(formats), 7, 200, variety);
  for (const char* formats : kMixedFormats) check_order(trees, parse_formats(formats), 7, 60, variety);
  check_variety(variety);
}

TEST_CASE("all assignments to a fixed tree give the results of every permutation of its leaves, one by one") {
  Variety variety;
  for (const KnownOrder& order : assignment_orders()) {
    const std::uint64_t inputs = order.text.find("halving(8)") == std::string::npos ? 60 : 200;
    for (const char* formats : kSingleFormats) check_order(order, parse_formats(formats), 8, inputs, variety);
    for (const char* formats : kMixedFormats) check_order(order, parse_formats(formats), 6, 20, variety);
  }
  check_variety(variety);
}

TEST_CASE("fixed stages before the random one run once") {
  Variety variety;
  for (const KnownOrder& order : prefixed_orders()) {
    for (const char* formats : kSingleFormats) check_order(order, parse_formats(formats), 7, 50, variety);
    for (const char* formats : kMixedFormats) check_order(order, parse_formats(formats), 6, 20, variety);
  }
}

TEST_CASE("openmp adds the sums of the threads in every order to zero") {
  using namespace ways;
  Variety variety;
  for (const std::size_t threads : {1u, 3u, 6u, 7u}) {
    const KnownOrder order{"openmp(" + std::to_string(threads) + ")", {chunks(threads)}, {seq(0, Start::zero)}, 1};
    for (const char* formats : kSingleFormats) {
      for (std::uint64_t seed = 1; seed <= trials(20); ++seed) {
        CAPTURE(order.text);
        CAPTURE(seed);
        const Formats parsed = parse_formats(formats);
        check_input(order, parsed, troublesome_mixture(seed, parsed.terms, 1 + seed), variety);
      }
    }
  }
}

TEST_CASE("a fixed order has one result, its own") {
  const std::vector<double> terms{0.1, 0.2, 0.3, 1e9};
  for (const char* text : {"seq", "pairwise", "seq(acc=kahan)", "halving(2) | seq", "arrive(launch) | seq"}) {
    CAPTURE(std::string(text));
    const Formats formats = parse_formats("fp32:fp64:fp32");
    const TypedTerms typed(Format::fp32, terms);
    const auto evaluator = Evaluator::make(parse_order(text), typed.view(), formats, 1);
    const Enumeration found = enumerate(order_space(*evaluator).space.value(), {}).value();
    CHECK(found.family == OrderFamily::fixed);
    CHECK(found.orders.str() == "1");
    check_listing(found, Format::fp32);
    REQUIRE(found.results.size() == 1);
    const std::uint64_t pattern = bits_of(Format::fp32, found.results.values[0].value);
    CHECK(pattern == evaluator->evaluate(0, *evaluator->make_scratch()).bits);
    CHECK(found.results.orders[0].str() == "1");
    CHECK(std::bit_cast<std::uint64_t>(found.results.values[0].weight) == std::bit_cast<std::uint64_t>(1.0));
    CHECK(found.find(pattern + 1) == nullptr);
  }
}
