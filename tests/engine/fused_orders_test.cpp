// Orders that fuse products, acc=fma: enumeration and extremes against every permutation, one by one, each step
// computed by std::fma, or from the exact sum where the format has no fma of its own. Longer than most files:
// enumeration, extremes, search and check are all compared with the same brute force.
#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "engine/brute_force.hpp"
#include "engine/extremes.hpp"
#include "orderlab/check.hpp"
#include "orderlab/error.hpp"
#include "orderlab/exact.hpp"
#include "orderlab/format.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

using Pairs = std::vector<std::pair<double, double>>;

/// x * y + s rounded once; nothing of the stages is used.
double fused_once(const Formats& formats, double x, double y, double s) {
  if (formats.accumulate == Format::fp64) return std::fma(x, y, s);
  if (formats.accumulate == Format::fp32 && formats.terms != Format::fp64)
    return std::fma(static_cast<float>(x), static_cast<float>(y), static_cast<float>(s));
  if (!std::isfinite(x) || !std::isfinite(y) || !std::isfinite(s)) return std::fma(x, y, s);
  const bool product_is_zero = x == 0 || y == 0;
  if (product_is_zero && s == 0) return x * y + s;  // the sign of zeros
  ExactSum sum;
  sum.add_product(x, y);
  sum.add(s);
  const ExactValue exact = sum.value();
  return exact.zero() ? 0.0 : value_of_bits(formats.accumulate, exact.round_to(formats.accumulate));
}

/// x * y rounded once.
double product_once(const Formats& formats, double x, double y) {
  if (formats.accumulate == Format::fp64) return x * y;
  if (x == 0 || y == 0) return x * y;
  return fused_once(formats, x, y, 0.0);  // which has the sign of a product that is not zero
}

/// The order as text; which places form one group each, of m; the stages after it.
struct FusedOrder {
  const char* text;
  bool from_zero;
  std::vector<std::vector<std::size_t>> (*groups)(std::size_t m);
  std::vector<StageStep> rest;
};

std::vector<std::vector<std::size_t>> strided_groups(std::size_t m, std::size_t w) {
  std::vector<std::vector<std::size_t>> groups(std::min(w, m));
  for (std::size_t i = 0; i < m; ++i) groups[i % w].push_back(i);
  return groups;
}

std::vector<std::vector<std::size_t>> run_groups(std::size_t m, std::size_t k) {
  std::vector<std::vector<std::size_t>> groups((m + k - 1) / k);
  for (std::size_t i = 0; i < m; ++i) groups[i / k].push_back(i);
  return groups;
}

const std::vector<FusedOrder> kFusedSequences = {
    {"shuffle | seq(acc=fma)", false, [](std::size_t m) { return run_groups(m, m); }, {}},
    {"arrive | seq(acc=fma,from=zero)", true, [](std::size_t m) { return run_groups(m, m); }, {}},
};

const std::vector<FusedOrder> kFusedAssignments = {
    {"shuffle | reverse | seq(acc=fma)",
     false,
     [](std::size_t m) {
       auto groups = run_groups(m, m);
       std::reverse(groups[0].begin(), groups[0].end());
       return groups;
     },
     {}},
    {"shuffle | strided(3,acc=fma) | seq", false, [](std::size_t m) { return strided_groups(m, 3); }, {ways::seq()}},
    {"shuffle | seq(2,acc=fma,from=zero) | pairwise",
     true,
     [](std::size_t m) { return run_groups(m, 2); },
     {ways::pairwise()}},
    {"shuffle | seq(3,acc=fma) | seq(acc=atomic)",
     false,
     [](std::size_t m) { return run_groups(m, 3); },
     {ways::seq(0, Start::atomic)}},
    {"shuffle | seq(1,acc=fma) | seq", false, [](std::size_t m) { return run_groups(m, 1); }, {ways::seq()}},
};

/// The result of one arrangement, in the accumulate format.
double fused_result(const FusedOrder& order, const Formats& formats, const Pairs& pairs) {
  std::vector<double> sums;
  for (const auto& group : order.groups(pairs.size())) {
    double sum = 0.0;
    for (std::size_t k = 0; k < group.size(); ++k) {
      const auto [x, y] = pairs[group[k]];
      sum = k == 0 && !order.from_zero ? product_once(formats, x, y) : fused_once(formats, x, y, sum);
    }
    sums.push_back(sum);
  }
  for (const StageStep& step : order.rest) step(Adder{formats.accumulate}, sums);
  return sums.at(0);
}

ResultTable fused_brute_force(const FusedOrder& order, const Formats& formats, const Pairs& pairs) {
  std::vector<std::size_t> places(pairs.size());
  std::iota(places.begin(), places.end(), 0U);
  ResultTable table;
  do {
    Pairs arranged;
    for (const std::size_t i : places) arranged.push_back(pairs[i]);
    ++table[round_to_bits(formats.result, fused_result(order, formats, arranged))];
  } while (std::next_permutation(places.begin(), places.end()));
  return table;
}

TypedTerms typed_products(const Formats& formats, const Pairs& pairs) {
  std::vector<double> x;
  std::vector<double> y;
  for (const auto& [a, b] : pairs) {
    x.push_back(a);
    y.push_back(b);
  }
  return TypedTerms(formats.terms, x, y);
}

OrderSpace space_of_products(const Evaluator& evaluator) {
  RecognizedSpace recognized = order_space(evaluator);
  REQUIRE_MESSAGE(recognized.space.has_value(), recognized.reason);
  return *std::move(recognized.space);
}

/// Factors biased to trouble, some products equal, opposite, or equal but of other factors; numbers of the terms'
/// format.
Pairs troublesome_products(std::uint64_t seed, const Formats& formats, std::size_t n) {
  IndexGenerator draw(RandomStream(seed, 78, n), 0);
  const Adder adder{formats.terms};
  const std::vector<double> x = troublesome_mixture(2 * seed, formats.terms, n);
  const std::vector<double> y = troublesome_mixture(2 * seed + 1, formats.terms, n);
  Pairs pairs;
  for (std::size_t i = 0; i < n; ++i) pairs.emplace_back(adder.rounded(x[i]), adder.rounded(y[i]));
  const auto any_pair = [&]() -> auto& { return pairs[below(draw, n)]; };
  switch (below(draw, 10)) {
    case 0:  // few pairs
      for (auto& pair : pairs) pair = pairs[below(draw, std::min<std::size_t>(n, 2))];
      break;
    case 1:  // equal products of other factors
      for (auto& pair : pairs) {
        pair = any_pair();
        if (chance(draw, 2)) std::swap(pair.first, pair.second);
        if (chance(draw, 2)) pair = {-pair.first, -pair.second};
        if (chance(draw, 2)) pair = {pair.first * 2, pair.second / 2};
        pair = {adder.rounded(pair.first), adder.rounded(pair.second)};
      }
      break;
    case 2:  // what cancels but for the rounding of one product
      for (std::size_t i = 0; i + 1 < n; i += 2) pairs[i + 1] = {-pairs[i].first, pairs[i].second};
      break;
    case 3: {  // products beyond the format that a fused addition brings back
      const double half = std::ldexp(1.0, (info(formats.terms).e_max + 1) / 2);
      pairs[0] = {half, half};
      if (n > 1) pairs[1] = {-half, half * (1 - 2 * info(formats.terms).unit_roundoff())};
      break;
    }
    case 4:  // zeros of both signs
      for (auto& pair : pairs)
        if (chance(draw, 2)) pair = {with_random_sign(draw, 0.0), with_random_sign(draw, 1.0)};
      break;
    case 5:  // nothing but zeros
      for (auto& pair : pairs) pair = {with_random_sign(draw, 0.0), chance(draw, 3) ? 0.0 : 1.0};
      break;
    default:  // all digits meet
      for (auto& pair : pairs) {
        pair.first = adder.rounded(near_one(draw));
        pair.second = adder.rounded(near_one(draw));
      }
      break;
  }
  return pairs;
}

/// What the inputs of a test had of each kind: without it the test would show little.
struct FusedVariety {
  std::uint64_t inputs = 0;
  std::uint64_t several = 0;         ///< with several results
  std::uint64_t not_finite = 0;      ///< with a result that is not finite
  std::uint64_t rescued = 0;         ///< with finite factors, a product beyond the format, and a finite result
  std::uint64_t unlike_plain = 0;    ///< with results that products rounded before they are added have not
  std::uint64_t equal_products = 0;  ///< with fewer groups than pairs
  std::uint64_t signed_zeros = 0;    ///< with both zeros
};

void note_variety(const Formats& formats, const Pairs& pairs, const ResultTable& expected, const OrderSpace& space,
                  FusedVariety& variety) {
  ++variety.inputs;
  if (expected.size() > 1) ++variety.several;
  const auto finite = [&](const auto& entry) { return std::isfinite(value_of_bits(formats.result, entry.first)); };
  const auto finite_results = std::count_if(expected.begin(), expected.end(), finite);
  if (finite_results < static_cast<std::ptrdiff_t>(expected.size())) ++variety.not_finite;
  const bool finite_factors = std::all_of(pairs.begin(), pairs.end(), [](const auto& pair) {
    return std::isfinite(pair.first) && std::isfinite(pair.second);
  });
  const bool beyond =
      std::any_of(space.partial_sums.begin(), space.partial_sums.end(), [](double x) { return !std::isfinite(x); });
  if (finite_factors && beyond && finite_results > 0) ++variety.rescued;
  const Enumeration plain =
      enumerated("shuffle | seq", {formats.accumulate, formats.accumulate, formats.result}, space.partial_sums);
  const auto of_plain = [&](const auto& entry) { return plain.find(entry.first) != nullptr; };
  if (!std::all_of(expected.begin(), expected.end(), of_plain)) ++variety.unlike_plain;
  std::set<std::pair<double, double>> different;
  for (const auto& [x, y] : pairs) different.insert({x * y, std::fma(x, y, -(x * y))});
  if (different.size() < pairs.size()) ++variety.equal_products;
  if (expected.contains(0) && expected.contains(round_to_bits(formats.result, -0.0))) ++variety.signed_zeros;
}

void check_extremes_of_products(const Evaluator& evaluator, const OrderSpace& space, const ResultTable& expected) {
  const Format format = space.formats.result;
  const auto nan = [&](const auto& entry) { return std::isnan(value_of_bits(format, entry.first)); };
  if (std::any_of(expected.begin(), expected.end(), nan)) {
    CHECK_THROWS_AS(extremes(space, {.threads = 1}), Error);
    return;
  }
  const auto before = [&](const auto& a, const auto& b) {
    return ordered_key(format, a.first) < ordered_key(format, b.first);
  };
  const auto [least, greatest] = std::minmax_element(expected.begin(), expected.end(), before);
  std::optional<Extremes> found;
  try {
    found = extremes(space, {.threads = 2});
  } catch (const Error& error) {
    // a factor is infinite and every result with it, or partial sums of the tree could be inf and -inf
    const auto infinite = [&](const auto& entry) { return std::isinf(value_of_bits(format, entry.first)); };
    CHECK(std::any_of(expected.begin(), expected.end(), infinite));
    return;
  }
  REQUIRE(found.has_value());
  CHECK(found->least.bits == least->first);
  CHECK(found->greatest.bits == greatest->first);
  const auto scratch = evaluator.make_scratch();
  CHECK(evaluator.evaluate_arranged(found->least.order, *scratch).bits == least->first);
  CHECK(evaluator.evaluate_arranged(found->greatest.order, *scratch).bits == greatest->first);
}

void check_fused_order(const FusedOrder& order, const Formats& formats, std::uint64_t inputs, std::size_t most,
                       FusedVariety& variety) {
  const std::string format_text = to_string(formats);
  CAPTURE(order.text);
  CAPTURE(format_text);
  for (std::uint64_t seed = 1; seed <= trials(inputs); ++seed) {
    CAPTURE(seed);
    const std::size_t n = seed % 40 == 0 ? most : seed % 10 == 0 ? 1 + seed % 20 / 10 : 3 + seed % (most - 3);
    const Pairs pairs = troublesome_products(seed, formats, n);
    const TypedTerms terms = typed_products(formats, pairs);
    const auto evaluator = Evaluator::make(parse_order(order.text), terms.view(), formats, 1);
    const OrderSpace space = space_of_products(*evaluator);
    const ResultTable expected = fused_brute_force(order, formats, pairs);
    CHECK(text_of(enumerate(space, {.threads = 1}).value(), formats.result) == text_of(expected, formats.result));
    check_extremes_of_products(*evaluator, space, expected);
    note_variety(formats, pairs, expected, space, variety);
  }
}

void check_fused_variety(const FusedVariety& variety) {
  INFO(variety.inputs << " inputs: several results " << variety.several << ", not finite " << variety.not_finite
                      << ", brought back " << variety.rescued << ", unlike plain " << variety.unlike_plain
                      << ", equal products " << variety.equal_products << ", both zeros " << variety.signed_zeros);
  if (test_scale() < 1) return;  // the first of the inputs have less of it
  CHECK(variety.several > variety.inputs / 6);
  CHECK(variety.not_finite > variety.inputs / 20);
  CHECK(variety.rescued > 0);
  CHECK(variety.unlike_plain > variety.inputs / 20);
  CHECK(variety.equal_products > variety.inputs / 4);
  CHECK(variety.signed_zeros > 0);
}

constexpr const char* kFusedFormats[] = {"fp64",           "fp32",           "fp16",      "bf16",
                                         "fp16:fp32",      "fp16:fp32:fp16", "bf16:fp32", "fp32:fp64:fp32",
                                         "fp64:fp32:fp32", "fp64:fp16",      "fp32:bf16"};

}  // namespace

TEST_CASE("fused sequences give the results of every permutation, one by one, and their extremes") {
  FusedVariety variety;
  for (const FusedOrder& order : kFusedSequences)
    for (const char* formats : kFusedFormats) check_fused_order(order, parse_formats(formats), 160, 7, variety);
  check_fused_variety(variety);
}

TEST_CASE("fused groups under a fixed tree give the results of every permutation, one by one, and their extremes") {
  FusedVariety variety;
  for (const FusedOrder& order : kFusedAssignments)
    for (const char* formats : kFusedFormats) check_fused_order(order, parse_formats(formats), 80, 7, variety);
  check_fused_variety(variety);
}

TEST_CASE("which of two products comes first matters: it alone is rounded") {
  // 1 + 2^-30 squared has a last digit that fp64 drops unless it is fused
  const double a = 1 + 0x1p-30;
  const Formats formats = parse_formats("fp64");
  const TypedTerms terms = typed_products(formats, {{a, a}, {-1, 1 + 0x1p-29}});
  const auto evaluator = Evaluator::make(parse_order("shuffle | seq(acc=fma)"), terms.view(), formats, 1);
  CHECK(text_of(*enumerate(space_of_products(*evaluator), {}), Format::fp64) ==
        "2 orders\n"
        "0x0000000000000000 1 0x3fe0000000000000\n"
        "0x3c30000000000000 1 0x3fe0000000000000\n");
}

TEST_CASE("fused results, counts and orders do not depend on threads") {
  const Formats formats = parse_formats("fp32");
  Pairs pairs = troublesome_products(6, formats, 12);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const double sign = i % 2 == 0 ? 1 : -1;
    pairs[i] = {1 + static_cast<double>(i / 2 * i % 7) / 9, sign * std::ldexp(0.7, static_cast<int>(i / 2) * 3)};
    pairs[i] = {Adder{Format::fp32}.rounded(pairs[i].first), Adder{Format::fp32}.rounded(pairs[i].second)};
  }
  for (const char* order : {"shuffle | seq(acc=fma)", "shuffle | strided(4,acc=fma) | halving(4)"}) {
    const TypedTerms terms = typed_products(formats, pairs);
    const auto evaluator = Evaluator::make(parse_order(order), terms.view(), formats, 1);
    const OrderSpace space = space_of_products(*evaluator);
    const std::string one = text_of(*enumerate(space, {.threads = 1}), Format::fp32);
    const auto ends = extremes(space, {.threads = 1});
    CHECK(std::count(one.begin(), one.end(), '\n') > 10);
    for (const int threads : {2, 7}) {
      CHECK(text_of(*enumerate(space, {.threads = threads}), Format::fp32) == one);
      const auto others = extremes(space, {.threads = threads});
      CHECK(others->least.order == ends->least.order);
      CHECK(others->greatest.order == ends->greatest.order);
    }
  }
}

TEST_CASE("a check of fused orders proves which values no order gives") {
  const Formats formats = parse_formats("fp32");
  const Pairs pairs{{0.1, 3}, {0.7, -0.3}, {1.5, 0.2}, {-0.9, 0.9}, {2.1, 0.4}};
  const TypedTerms terms = typed_products(formats, pairs);
  const auto evaluator = Evaluator::make(parse_order("shuffle | seq(acc=fma)"), terms.view(), formats, 1);
  const Enumeration all = *enumerate(space_of_products(*evaluator), {});
  const ExactValue exact = exact_sum(terms.view());
  std::vector<GivenResult> given;
  const double least = all.results.values.front().value;
  const double greatest = all.results.values.back().value;
  REQUIRE(least > 0);
  for (std::uint64_t bits = bits_of(Format::fp32, least) - 3; bits <= bits_of(Format::fp32, greatest) + 3; ++bits)
    given.push_back({bits, 1});
  const CheckResult result = check(all, exact, Format::fp32, given, {});
  std::uint64_t impossible = 0;
  for (const ValueVerdict& v : result.values) {
    const bool reached = all.find(v.bits) != nullptr;
    CHECK(v.verdict == (reached ? Verdict::explained : Verdict::impossible));
    CHECK(v.reason == (reached ? Reason::reachable : Reason::unreachable));
    if (!reached) ++impossible;
  }
  CHECK(impossible >= 6);
  CHECK(all.results.size() > 1);
}

TEST_CASE("a search over fused orders comes near to the extremes and never beyond them") {
  const Formats formats = parse_formats("fp32");
  Pairs pairs;
  for (int i = 0; i < 16; ++i) {
    const Adder adder{Format::fp32};
    pairs.emplace_back(adder.rounded(1.0 / (i + 3)), adder.rounded((i % 2 == 0 ? 1 : -1) * (1.3 + i)));
  }
  const TypedTerms terms = typed_products(formats, pairs);
  const auto evaluator = Evaluator::make(parse_order("shuffle | seq(acc=fma)"), terms.view(), formats, 1);
  const auto ends = extremes(space_of_products(*evaluator), {});
  const auto found = search_extremes(*evaluator, {.evaluations = 20000});
  REQUIRE(found.has_value());
  CHECK(found->least.evaluation.value >= ends->least.value);
  CHECK(found->greatest.evaluation.value <= ends->greatest.value);
  const auto scratch = evaluator->make_scratch();
  CHECK(evaluator->evaluate_arranged(found->greatest.order, *scratch).bits == found->greatest.evaluation.bits);
  for (std::uint64_t sample = 0; sample < 200; ++sample) {
    const double drawn = evaluator->evaluate(sample, *scratch).value;
    CHECK(found->least.evaluation.value <= drawn);
    CHECK(drawn <= found->greatest.evaluation.value);
  }
}

TEST_CASE("extremes and searches refuse infinite factors, not products that are too large for the format") {
  const Formats formats = parse_formats("fp64");
  const auto evaluated = [&](const TypedTerms& terms) {
    return Evaluator::make(parse_order("shuffle | seq(acc=fma)"), terms.view(), formats, 1);
  };
  const TypedTerms large = typed_products(formats, {{0x1p512, 0x1p512}, {-0x1p511, 0x1p511}, {-0x1p512, 0x1p511}});
  const auto brought_back = evaluated(large);
  const auto ends = extremes(space_of_products(*brought_back), {});
  CHECK(ends->least.value == 0x1p1022);  // 2^1024 fused into -2^1022 and -2^1023 is in range
  CHECK(std::isinf(ends->greatest.value));
  CHECK(search_extremes(*brought_back, {.evaluations = 100})->least.evaluation.value == 0x1p1022);
  const TypedTerms infinite = typed_products(formats, {{std::numeric_limits<double>::infinity(), 1}, {2, 3}});
  const auto endless = evaluated(infinite);
  CHECK_THROWS_AS(extremes(space_of_products(*endless), {}), Error);
  CHECK_THROWS_AS(search_extremes(*endless, {.evaluations = 100}), Error);
}

TEST_CASE("products of small integers are summed exactly in every order, those below the format are not") {
  const auto all_of = [](const Pairs& pairs, const char* order) {
    const Formats formats = parse_formats("fp32");
    const TypedTerms terms = typed_products(formats, pairs);
    const auto evaluator = Evaluator::make(parse_order(order), terms.view(), formats, 1);
    return *enumerate(space_of_products(*evaluator), {});
  };
  const auto first_bits = [](const Enumeration& all) { return bits_of(all.format, all.results.values.at(0).value); };
  for (const char* order : {"shuffle | seq(acc=fma)", "shuffle | strided(2,acc=fma) | seq"}) {
    const Enumeration exact = all_of({{3, 5}, {-2, 0.25}, {7, 1}, {0, 9}}, order);
    CHECK(exact.always_exact);
    REQUIRE(exact.results.size() == 1);
    CHECK(exact.results.values[0].value == 21.5);
    CHECK_FALSE(all_of({{0x1p-100, 0x1p-100}, {0x1p-100, 0x1p-100}}, order).always_exact);
    CHECK_FALSE(all_of({{0x1.8p+12, 0x1.8p+12}, {0x1p-1, 0x1p-1}}, order).always_exact);  // 26 digits
    CHECK(first_bits(all_of({{-0.0, 1}, {0, -1}, {-2, 0}}, order)) == round_to_bits(Format::fp32, -0.0));
  }
  const Enumeration from_zero = all_of({{-0.0, 1}, {0, -1}}, "shuffle | seq(2,acc=fma,from=zero) | seq");
  CHECK(first_bits(from_zero) == 0);
  CHECK(first_bits(all_of({{-0.0, 1}, {0, -1}}, "shuffle | seq(acc=fma,from=zero)")) == 0);
}

TEST_CASE("many products of few different values have few subsets") {
  const Formats formats = parse_formats("fp32");
  Pairs pairs;
  for (int i = 0; i < 40; ++i) {
    const double x = i % 4 == 0 ? 3 : 0.7F;
    const double y = i % 4 == 0 ? 1.1F : 0.1F;
    pairs.emplace_back(i % 3 == 0 ? y : x, i % 3 == 0 ? x : y);
  }
  const TypedTerms terms = typed_products(formats, pairs);
  const auto evaluator = Evaluator::make(parse_order("shuffle | seq(acc=fma)"), terms.view(), formats, 1);
  const OrderSpace space = space_of_products(*evaluator);
  const Enumeration all = *enumerate(space, {});
  CHECK(all.orders.str() == "815915283247897734345611269596115894272000000000");  // 40!
  CHECK(all.results.size() > 1);
  const auto ends = extremes(space, {});
  CHECK(ends->least.bits == bits_of(Format::fp32, all.results.values.front().value));
  CHECK(ends->greatest.bits == bits_of(Format::fp32, all.results.values.back().value));
}
