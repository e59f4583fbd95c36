// Orders that round between stages or add in several formats: their sums against their trees by MPFR, one rounding a
// node; rows, arrangements and bounds; what is refused.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/extremes.hpp"
#include "order/mixed_pipelines.hpp"
#include "order/trouble.hpp"
#include "orderlab/bounds.hpp"
#include "orderlab/enumerate.hpp"
#include "orderlab/error.hpp"
#include "orderlab/evaluator.hpp"
#include "orderlab/exact.hpp"
#include "orderlab/plan.hpp"
#include "orderlab/terms.hpp"
#include "run/mpfr_nodes.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

TypedTerms mixed_terms(std::uint64_t seed, Format format, Trouble trouble, std::size_t n, bool products) {
  const auto x = troublesome_numbers(seed, format, trouble, n);
  if (!products) return TypedTerms(format, x);
  return TypedTerms(format, x, troublesome_numbers(seed + 1000, format, kTroubles[seed % std::size(kTroubles)], n));
}

/// A sum of the order, in the result format, by MPFR.
std::uint64_t bits_by_mpfr(const Evaluator& evaluator, const TermView& terms, std::uint64_t sample) {
  const SummationTree tree = evaluator.tree(sample);
  return round_to_bits(evaluator.formats().result, MpfrNodes(tree, terms).root());
}

void check_bounds(const Evaluation& e, const ExactValue& exact) {
  if (!std::isfinite(e.value)) return;
  const double error = std::fabs(exact.difference(e.value));
  CHECK(running_bound(e.error).has_value() == e.error.bounded);
  if (const auto bound = running_bound(e.error)) CHECK(error <= *bound);
  CHECK(!e.error.plain);  // bounds in terms of one format do not hold
}

/// Samples of an order against MPFR, its heights, its rows and its bounds; returns how many sums were compared.
std::uint64_t check_mixed(const std::string& pipeline, const TypedTerms& terms, const Formats& formats,
                          std::uint64_t seed) {
  CAPTURE(pipeline);
  CAPTURE(seed);
  const std::string format_text = to_string(formats);
  CAPTURE(format_text);
  const TermView view = terms.view();
  CAPTURE(view.n);
  const Order order = parse_order(pipeline);
  const auto plan = compile(order, view.n, formats, view.products());
  REQUIRE(plan->changes_format());
  const auto evaluator = Evaluator::make(plan, view, seed);
  const auto scratch = evaluator->make_scratch();
  const ExactValue exact = exact_sum(view);
  const std::uint64_t samples = order.random() ? 2 : 1;
  for (std::uint64_t sample = 0; sample < samples; ++sample) {
    CAPTURE(sample);
    const Evaluation e = evaluator->evaluate(sample, *scratch);
    CHECK(e.bits == bits_by_mpfr(*evaluator, view, sample));
    CHECK(e.height == evaluator->tree(sample).height());
    if (evaluator->constant_height()) CHECK(e.height == *evaluator->constant_height());
    CHECK(bits_of(sum_of(*plan, view, seed, sample)) == bits_of(e.value));
    if (exact.finite()) check_bounds(e, exact);
  }
  return samples;
}

bool refused(std::string_view pipeline, const Formats& formats, std::string_view why, bool products = false) {
  try {
    compile(parse_order(pipeline), 100, formats, products);
  } catch (const Error& error) {
    const bool said = std::string_view(error.what()).find(why) != std::string_view::npos;
    if (!said) MESSAGE(error.what());
    return said;
  }
  return false;
}

}  // namespace

TEST_CASE("orders of several formats have the bits of their trees by MPFR, on every kind of trouble") {
  std::uint64_t seed = 0;
  for (const Formats& formats : formats_to_try())
    for (const Trouble trouble : kTroubles)
      for (const char* pipeline : kMixedPipelines)
        for (const std::size_t n : {1u, 2u, 7u, 33u, 130u}) {
          if (!tried(++seed)) continue;
          const bool products = seed % 4 == 0;
          check_mixed(pipeline, mixed_terms(seed, formats.terms, trouble, n, products), formats, seed);
        }
}

TEST_CASE("random orders of several formats have the bits of their trees by MPFR") {
  const auto formats = formats_to_try();
  std::uint64_t sums = 0;
  const std::uint64_t count = trials(6000);
  for (std::uint64_t i = 0; i < count; ++i) {
    IndexGenerator draw(RandomStream(500'000, 0, i), 0);
    const bool products = chance(draw, 4);
    const std::string pipeline = random_mixed_pipeline(draw, products && chance(draw, 2));
    const Formats& format = formats[below(draw, formats.size())];
    const Trouble trouble = kTroubles[below(draw, std::size(kTroubles))];
    const auto n = static_cast<std::size_t>(1 + below(draw, 40));
    sums += check_mixed(pipeline, mixed_terms(i, format.terms, trouble, n, products), format, i);
  }
  MESSAGE(count << " orders, " << sums << " sums");
}

TEST_CASE("1000 ones in bf16 stop at 256, and at 1000 in fp32") {
  const std::vector<double> ones(1000, 1);
  const TypedTerms terms(Format::bf16, ones);
  const auto value = [&](const char* order) {
    return sum_of(*compile(parse_order(order), 1000, parse_formats("bf16:fp32:bf16")), terms.view());
  };
  CHECK(value("seq") == 1000);
  CHECK(value("round(bf16) | in(bf16) | seq") == 256);
  CHECK(value("in(fp32,store=bf16) | seq") == 256);
  CHECK(value("chunks(10) | round(bf16) | in(bf16) | seq") == 1000);
}

TEST_CASE("an accumulator that is stored narrower than it is added rounds twice") {
  // 1 + 3 * 2^-8 less 2^-25: fp32 rounds it to a tie of bf16.
  const std::vector<float> terms{1 + 0x1p-7f, 0x1.ffffp-9f};
  const auto value = [&](const char* order) {
    return sum_of(*compile(parse_order(order), 2, parse_formats("fp32")), view_of(terms.data(), 2));
  };
  CHECK(value("in(fp32,store=bf16) | seq") == 1 + 0x1p-6);
  CHECK(value("in(fp64,store=bf16) | seq") == 1 + 0x1p-7);
}

TEST_CASE("an arranged order has the bits of a drawn one") {
  const std::vector<double> numbers = troublesome_numbers(3, Format::fp32, Trouble::near_one, 40);
  const TypedTerms terms(Format::fp32, numbers);
  for (const char* pipeline :
       {"seq(4) | arrive | round(bf16) | in(bf16) | seq", "seq(4) | round(bf16) | in(bf16) | arrive | seq",
        "arrive | seq(3) | round(fp16) | seq"}) {
    CAPTURE(std::string(pipeline));
    const auto evaluator = Evaluator::make(parse_order(pipeline), terms.view(), parse_formats("fp32"), 5);
    const auto scratch = evaluator->make_scratch();
    for (std::uint64_t sample = 0; sample < 20; ++sample) {
      const std::vector<std::uint32_t> order = evaluator->arrival(sample);
      REQUIRE(order.size() == evaluator->random_count());
      CHECK(evaluator->evaluate_arranged(order, *scratch).bits == evaluator->evaluate(sample, *scratch).bits);
    }
  }
}

TEST_CASE("rows by one plan have the sums of their evaluators") {
  const std::size_t n = 50;
  const std::size_t count = 9;
  std::vector<float> numbers;
  for (const double x : troublesome_numbers(8, Format::fp32, Trouble::near_one, n * count))
    numbers.push_back(static_cast<float>(x));
  for (const char* pipeline : kMixedPipelines) {
    CAPTURE(std::string(pipeline));
    const auto plan = compile(parse_order(pipeline), n, parse_formats("fp32"));
    const RowSums rows(plan);
    std::vector<double> sums(count);
    rows.evaluate_alike(rows_of(numbers.data(), count, n), sums, 77, 3);
    for (std::size_t r = 0; r < count; ++r)
      CHECK(bits_of(sums[r]) == bits_of(sum_of(*plan, view_of(numbers.data() + r * n, n), 77, 3)));
  }
}

TEST_CASE("long orders, of which parts run in vectors, have the bits of their trees by MPFR") {
  std::uint64_t seed = 900;
  for (const char* pipeline :
       {"round(bf16) | in(bf16) | strided(128) | halving(128)", "round(fp16) | in(fp16) | seq(4) | halving(32) | seq",
        "round(bf16) | in(bf16) | shuffle | strided(64) | halving(64)",
        "chunks(300) | round(fp16) | in(fp16) | arrive | seq",
        "shuffle | seq(3) | round(bf16) | in(bf16) | strided(32) | adjacent(32)", "round(fp32) | in(fp32) | numpy",
        "round(bf16) | in(bf16) | pairwise(64) | round(fp16)", "round(bf16) | in(fp64) | strided(128) | halving(128)",
        "halving(8) | round(fp16) | in(fp32) | shuffle | seq(acc=atomic)", "round(bf16) | in(bf16) | shuffle | seq",
        "seq(2) | round(bf16) | shuffle | in(bf16) | strided(16) | seq",
        "strided(500) | round(bf16) | in(bf16) | tbb_deterministic(4)"})
    for (const Trouble trouble : kTroubles)
      for (const Format terms : {Format::fp32, Format::bf16, Format::fp16, Format::fp64}) {
        if (!tried(++seed)) continue;
        const Formats formats{terms, terms == Format::fp64 ? Format::fp64 : Format::fp32, Format::fp32};
        check_mixed(pipeline, mixed_terms(seed, terms, trouble, 1500 + seed % 700, false), formats, seed);
      }
}

TEST_CASE("samples that are evaluated together have the bits of each by itself") {
  const TypedTerms terms(Format::fp32, troublesome_numbers(4, Format::fp32, Trouble::near_one, 600));
  for (const char* pipeline :
       {"chunks(64) | round(bf16) | in(bf16) | arrive | seq", "round(fp16) | in(fp16) | shuffle | seq",
        "round(bf16) | in(bf16) | shuffle | seq(acc=atomic)"}) {
    CAPTURE(std::string(pipeline));
    const auto evaluator = Evaluator::make(parse_order(pipeline), terms.view(), parse_formats("fp32"), 5);
    const auto scratch = evaluator->make_scratch();
    std::vector<Evaluation> all(50);
    evaluator->evaluate_all(3, all, *scratch);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const Evaluation one = evaluator->evaluate(3 + i, *scratch);
      CHECK(all[i].bits == one.bits);
      CHECK(all[i].height == one.height);
      CHECK(all[i].error.plain == one.error.plain);
    }
  }
}

TEST_CASE("all orders of partial sums in another format are those of every permutation") {
  for (const char* pipeline :
       {"seq(3) | round(bf16) | in(bf16) | arrive | seq", "seq(3) | round(fp16) | in(fp16) | shuffle | seq(2) | seq",
        "seq(3) | round(bf16) | arrive | in(bf16) | seq(from=zero)"})
    for (const Trouble trouble : {Trouble::near_one, Trouble::wide, Trouble::cancelling, Trouble::ties}) {
      CAPTURE(std::string(pipeline));
      const TypedTerms terms(Format::fp32, troublesome_numbers(6, Format::fp32, trouble, 18));
      const auto evaluator = Evaluator::make(parse_order(pipeline), terms.view(), parse_formats("fp32"), 5);
      const RecognizedSpace space = order_space(*evaluator);
      REQUIRE(space.space.has_value());
      const auto all = enumerate(*space.space, {.threads = 1});
      REQUIRE(all.has_value());
      const ExactValue exact = exact_sum(terms.view());
      const std::optional<double> bound = every_order_bound(*evaluator, exact);
      REQUIRE(bound.has_value());
      const auto scratch = evaluator->make_scratch();
      std::vector<std::uint32_t> order(evaluator->random_count());
      std::iota(order.begin(), order.end(), 0U);
      std::map<std::uint64_t, std::uint64_t> counts;
      double permutations = 0;
      do {
        const Evaluation one = evaluator->evaluate_arranged(order, *scratch);
        ++counts[one.bits];
        ++permutations;
        if (std::isfinite(one.value)) CHECK(std::fabs(exact.difference(one.value)) <= *bound);
      } while (std::next_permutation(order.begin(), order.end()));
      CHECK(all->results.values.size() == counts.size());
      for (const auto& [bits, count] : counts) {
        const Weighted* const found = all->find(bits);
        REQUIRE(found != nullptr);
        CHECK(std::llround(found->weight * permutations) == static_cast<long long>(count));
      }
    }
}

TEST_CASE("the extreme orders of partial sums in another format have the extreme results of all") {
  const TypedTerms terms(Format::fp32, troublesome_numbers(9, Format::fp32, Trouble::near_one, 24));
  const auto evaluator = Evaluator::make(parse_order("seq(3) | round(bf16) | in(bf16) | arrive | seq"), terms.view(),
                                         parse_formats("fp32"), 5);
  const RecognizedSpace space = order_space(*evaluator);
  REQUIRE(space.space.has_value());
  const auto found = extremes(*space.space, {.threads = 1});
  const auto all = enumerate(*space.space, {.threads = 1});
  REQUIRE((found && all));
  CHECK(found->least.value == all->results.values.front().value);
  CHECK(found->greatest.value == all->results.values.back().value);
  const auto scratch = evaluator->make_scratch();
  for (const ExtremeOrder& one : {found->least, found->greatest}) {
    const std::vector<std::uint32_t> order(one.order.begin(), one.order.end());
    CHECK(evaluator->evaluate_arranged(order, *scratch).bits == one.bits);
  }
}

TEST_CASE("enumeration knows one format of all that is drawn, and refuses others") {
  const std::vector<float> terms{1, 0x1p-8f, 3, 0x1p-9f, -1, 0x1p-10f, 7, 0x1p-7f};
  const TermView view = view_of(terms.data(), terms.size());
  const auto space = [&](const char* order) {
    return order_space(*Evaluator::make(parse_order(order), view, parse_formats("fp32"), 1));
  };
  const RecognizedSpace known = space("seq(2) | round(bf16) | arrive | seq");
  REQUIRE(known.space.has_value());
  CHECK(known.space->partial_sums == std::vector<double>{1, 3, -1, 7});  // what was added to each is lost
  const RecognizedSpace narrow = space("round(bf16) | in(bf16) | shuffle | tree");
  REQUIRE(narrow.space.has_value());
  CHECK(narrow.space->formats.accumulate == Format::bf16);
  for (const char* order :
       {"arrive | seq(2) | round(bf16) | seq", "round(bf16) | in(fp32,store=bf16) | shuffle | seq",
        "round(bf16) | in(bf16) | shuffle | seq(2) | in(fp32) | seq", "shuffle | tree | round(bf16)"}) {
    CAPTURE(std::string(order));
    const RecognizedSpace unknown = space(order);
    CHECK(!unknown.space.has_value());
    CHECK(unknown.reason.find("another format") != std::string::npos);
  }
}

TEST_CASE("the sum of unit roundoffs along a path") {
  const auto roundoff = [](const char* order, std::size_t n = 60) {
    return compile(parse_order(order), n, parse_formats("fp32"))->path_roundoff();
  };
  CHECK(roundoff("seq") == 59 * 0x1p-24);
  CHECK(roundoff("chunks(6) | round(bf16) | in(bf16) | seq") == 9 * 0x1p-24 + 0x1p-8 + 5 * 0x1p-8);
  CHECK(roundoff("chunks(6) | round(bf16) | seq") == 9 * 0x1p-24 + 0x1p-8 + 5 * 0x1p-24);
  CHECK(roundoff("chunks(6) | shuffle | tree | round(fp16)") == 9 * 0x1p-24 + 5 * 0x1p-24 + 0x1p-11);
  CHECK(roundoff("chunks(6) | in(fp32,store=bf16) | seq") == 9 * 0x1p-24 + 5 * 0x1p-24 + 7 * 0x1p-8);
  CHECK(!roundoff("chunks(6) | round(bf16) | in(bf16) | seq(acc=kahan)").has_value());
  const auto plan = compile(parse_order("chunks(6) | round(bf16) | in(bf16) | seq"), 60, parse_formats("fp32"));
  CHECK(plan->coarsest() == Format::bf16);
  CHECK(plan->path_roundings(14) == 15);
}

TEST_CASE("what cannot be added is refused, with what would be right") {
  const Formats fp32 = parse_formats("fp32");
  CHECK(refused("chunks(6) | in(bf16) | seq", fp32, "are fp32 numbers; put `round(bf16) |` before it"));
  CHECK(refused("chunks(6) | round(fp16) | in(bf16) | seq", fp32, "put `round(bf16) |` before it"));
  CHECK(refused("round(bf16) | in(bf16) | seq(2) | in(fp16) | seq", fp32, "put `round(fp16) |` before it"));
  CHECK(refused("chunks(6) | round(fp16) | seq", parse_formats("bf16"), "put `in(fp16) |` before it"));
  CHECK(refused("in(fp64) | seq(2) | in(fp32) | seq", fp32, "are fp64 numbers; put `round(fp32) |` before it"));
  CHECK(refused("in(fp32,store=bf16) | seq(acc=kahan)", fp32, "`seq` does more than add plainly"));
  CHECK(refused("round(bf16) | seq(acc=fma)", fp32, "move it before that one", true));
  CHECK(refused("in(fp64) | seq(acc=fma)", fp32, "move it before that one", true));
  CHECK_THROWS_WITH_AS(parse_order("in(bf16,store=fp32) | seq"),
                       doctest::Contains("not all of its numbers are numbers of bf16"), Error);
  CHECK_THROWS_AS(parse_order("round | seq"), Error);
  CHECK_THROWS_AS(parse_order("round(fp8) | seq"), Error);
  CHECK_NOTHROW(compile(parse_order("round(bf16) | in(fp32) | seq | round(fp64)"), 9, fp32));
}

TEST_CASE("the root of a tree is the sum in the result format, whatever stands after the last addition") {
  const Terms terms = generate_terms("uniform(0,10)", 5, Format::fp32, 1);
  const Formats formats{Format::fp32, Format::fp32, Format::bf16};
  for (const char* order : {"seq", "seq | in(fp32,store=bf16) | reverse", "seq | in(fp32,store=bf16) | seq",
                            "chunks(2) | round(fp16) | seq", "seq | round(bf16)"}) {
    CAPTURE(order);
    const auto evaluator = Evaluator::make(parse_order(order), terms.view(), formats, 1);
    const SummationTree tree = evaluator->tree(0);
    const SummationTree::Node root = tree.roots()[0];
    CHECK(tree.format(root) == Format::bf16);
    CHECK(round_to_bits(Format::bf16, evaluate(tree, terms.view())[root]) ==
          evaluator->evaluate(0, *evaluator->make_scratch()).bits);
  }
}
