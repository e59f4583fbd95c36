// The pipeline on numbers against its explicit tree evaluated node by node, for every stage, option and named order.
// Longer than most files: all cases share the generator of terms and the evaluation of trees.
#include "orderlab/evaluator.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>
#include <vector>

#include "order/pipelines.hpp"
#include "order/trouble.hpp"
#include "orderlab/error.hpp"
#include "run/height_runs.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

/// Every leaf below exactly one node, every inner node but the root below exactly one later node, and n - 1 additions.
void check_valid(const SummationTree& tree, std::size_t n) {
  REQUIRE(tree.term_count() == n);
  REQUIRE(tree.roots().size() == 1);
  std::vector<int> uses(tree.node_count(), 0);
  std::uint64_t additions = 0;
  for (SummationTree::Node node = n; node < tree.node_count(); ++node) {
    const auto children = tree.children(node);
    const Operation operation = tree.operation(node);
    const bool adds = operation == Operation::add || operation == Operation::add_ftz;
    const bool one_only =
        operation == Operation::start || operation == Operation::start_ftz || operation == Operation::round;
    const bool sound = !children.empty() && (!adds || children.size() == 2) && (!one_only || children.size() == 1) &&
                       std::all_of(children.begin(), children.end(), [&](auto child) { return child < node; });
    if (!sound) FAIL("node ", node, " has ", children.size(), " children");  // a check for every node would be slow
    additions += children.size() - 1;
    for (const auto child : children) ++uses[child];
  }
  ++uses[tree.roots()[0]];
  CHECK(additions == n - 1);
  CHECK(std::all_of(uses.begin(), uses.end(), [](int used) { return used == 1; }));
  const auto depth = static_cast<std::uint64_t>(std::bit_width(n - 1));
  CHECK(tree.height() >= depth);
  CHECK(tree.height() <= n - 1);
}

/// Holds samples 0, 1 and 2 of an order to the trees of these samples.
void check_against_tree(const std::string& pipeline, const TypedTerms& terms, const Formats& formats,
                        std::uint64_t seed) {
  CAPTURE(pipeline);
  CAPTURE(seed);
  const std::string format_text = to_string(formats);
  CAPTURE(format_text);
  const TermView view = terms.view();
  CAPTURE(view.n);
  const Order order = parse_order(pipeline);
  const auto evaluator = Evaluator::make(order, view, formats, seed);
  const auto scratch = evaluator->make_scratch();
  for (std::uint64_t sample = 0; sample < (order.random() ? 3u : 1u); ++sample) {
    CAPTURE(sample);
    const Evaluation evaluation = evaluator->evaluate(sample, *scratch);
    const SummationTree tree = evaluator->tree(sample);
    const double expected = evaluate(tree, view)[tree.roots()[0]];
    CHECK(evaluation.bits == round_to_bits(formats.result, expected));
    CHECK(bits_of(evaluation.value) == bits_of(value_of_bits(formats.result, evaluation.bits)));
    CHECK(evaluation.height == tree.height());
  }
}

TypedTerms terms_of(std::uint64_t seed, Format format, Trouble trouble, std::size_t n, bool products) {
  const auto x = troublesome_numbers(seed, format, trouble, n);
  if (!products) return TypedTerms(format, x);
  const Trouble other = kTroubles[seed % std::size(kTroubles)];
  return TypedTerms(format, x, troublesome_numbers(seed + 1000, format, other, n));
}

}  // namespace

TEST_CASE("every order gives a valid tree for every number of terms") {
  std::uint64_t combination = 0;
  for (const std::string& pipeline : numeric_pipelines()) {
    CAPTURE(pipeline);
    for (const std::size_t n : boundary_sizes(1024)) {
      if (!tried(++combination)) continue;
      CAPTURE(n);
      const std::vector<double> ones(n, 1);
      const auto evaluator = Evaluator::make(parse_order(pipeline), view_of(ones.data(), n), {}, 1);
      for (const std::uint64_t sample : {0u, 1u}) {
        const SummationTree tree = evaluator->tree(sample);
        check_valid(tree, n);
        CHECK(evaluate_once(*evaluator, sample).height == tree.height());
      }
    }
  }
}

TEST_CASE("every order that fuses products gives a valid tree for every number of terms") {
  for (const std::string pipeline : kFusedPipelines) {
    CAPTURE(pipeline);
    for (const std::size_t n : boundary_sizes(256)) {
      CAPTURE(n);
      const std::vector<float> ones(n, 1);
      const auto evaluator =
          Evaluator::make(parse_order(pipeline), view_of(ones.data(), n, ones.data()), parse_formats("fp32"), 1);
      const SummationTree tree = evaluator->tree(1);
      check_valid(tree, n);
      CHECK(evaluate_once(*evaluator, 1).height == tree.height());
    }
  }
}

TEST_CASE("the pipeline on numbers equals its tree, all formats, on every kind of trouble") {
  std::uint64_t seed = 100;
  for (const Formats& formats : formats_to_try())
    for (const Trouble trouble : kTroubles)
      for (const std::string& pipeline : numeric_pipelines())
        for (const std::size_t n : {1u, 2u, 3u, 7u, 33u, 130u}) {
          if (!tried(++seed)) continue;
          check_against_tree(pipeline, terms_of(seed, formats.terms, trouble, n, false), formats, seed);
        }
}

TEST_CASE("the pipeline on products equals its tree, fused and not") {
  std::uint64_t seed = 200'000;
  for (const Formats& formats : formats_to_try())
    for (const Trouble trouble : kTroubles)
      for (const std::string& pipeline : product_pipelines())
        for (const std::size_t n : {1u, 2u, 9u, 40u}) {
          if (!tried(++seed)) continue;
          check_against_tree(pipeline, terms_of(seed, formats.terms, trouble, n, true), formats, seed);
        }
}

TEST_CASE("the pipeline on many numbers equals its tree") {
  std::uint64_t seed = 300'000;
  for (const std::string& pipeline : numeric_pipelines())
    for (const char* format : {"fp64", "fp32", "fp16:fp32", "bf16"})
      for (const std::size_t n : {1023u, 1024u, 1025u, 8193u}) {
        const Formats formats = parse_formats(format);
        const Trouble trouble = kTroubles[++seed % std::size(kTroubles)];
        const bool long_runs = pipeline == "numpy" || pipeline.find("cub") != std::string::npos;
        if (n > 8000 && pipeline.find("tree") == std::string::npos && !long_runs) continue;
        check_against_tree(pipeline, terms_of(seed, formats.terms, trouble, n, false), formats, seed);
      }
}

TEST_CASE("random pipelines equal their trees") {
  const std::uint64_t seed = 400'000;
  const auto formats = formats_to_try();
  for (std::uint64_t i = 0; i < trials(2000); ++i) {
    IndexGenerator draw(RandomStream(seed, 0, i), 0);
    const bool products = chance(draw, 3);
    const std::string pipeline = random_pipeline(draw, products);
    const Formats& format = formats[below(draw, formats.size())];
    const Trouble trouble = kTroubles[below(draw, std::size(kTroubles))];
    const auto n = static_cast<std::size_t>(1 + below(draw, 80));
    check_against_tree(pipeline, terms_of(seed + i, format.terms, trouble, n, products), format, seed + i);
  }
}

TEST_CASE("perm equals its tree, also behind other stages") {
  const TemporaryFile seven("6 0 5 1 4 3 2\n");
  for (const Formats& formats : formats_to_try()) {
    check_against_tree("perm('" + seven.path() + "') | seq", terms_of(1, formats.terms, Trouble::wide, 7, false),
                       formats, 1);
    check_against_tree("halving(4) | perm('" + seven.path() + "') | shuffle | seq(acc=kahan)",
                       terms_of(2, formats.terms, Trouble::near_one, 25, false), formats, 2);
    check_against_tree("perm('" + seven.path() + "') | seq(3,acc=fma) | seq",
                       terms_of(3, formats.terms, Trouble::cancelling, 7, true), formats, 3);
  }
}

TEST_CASE("the arrival order of a sample replays it") {
  const auto x = troublesome_numbers(7, Format::fp32, Trouble::near_one, 500);
  const TypedTerms terms(Format::fp32, x);
  const Formats formats = parse_formats("fp32");
  for (const char* model : {"uniform", "jitter(5)", "slots(16,0.3)"}) {
    const auto evaluator =
        Evaluator::make(parse_order("halving(4) | arrive | seq(acc=atomic)", model), terms.view(), formats, 9);
    const auto sums = Evaluator::make(parse_order("halving(4) | seq"), terms.view(), formats, 9);
    CHECK(evaluator->random_count() == 125);
    CHECK(sums->random_count() == 1);
    for (std::uint64_t sample = 0; sample < 5; ++sample) {
      const std::vector<std::uint32_t> arrival = evaluator->arrival(sample);
      REQUIRE(arrival.size() == 125);
      std::string file_text;
      for (const std::uint32_t index : arrival) file_text += std::to_string(index) + "\n";
      const TemporaryFile file(file_text);
      CHECK(evaluate_once(*evaluator, sample).bits ==
            sum_bits_of("halving(4) | perm('" + file.path() + "') | seq(acc=atomic)", terms.view(), formats));
    }
    CHECK(evaluator->arrival(0) != evaluator->arrival(1));
    CHECK(sums->arrival(0).empty());
  }
  const auto shuffled = Evaluator::make(parse_order("shuffle | arrive | seq"), terms.view(), formats, 9);
  CHECK(shuffled->arrival(0).empty());  // the first random stage is no arrive
}

TEST_CASE("a sample does not depend on the samples before it, nor on what its buffers held") {
  const auto x = troublesome_numbers(8, Format::fp64, Trouble::near_one, 700);
  for (const std::string pipeline : {"spa(8)", "random_tree", "shuffle | seq(7) | tree", "warp"}) {
    CAPTURE(pipeline);
    const auto evaluator = Evaluator::make(parse_order(pipeline), view_of(x.data(), x.size()), {}, 3);
    const auto used = evaluator->make_scratch();
    std::vector<std::uint64_t> forward;
    for (std::uint64_t sample = 0; sample < 20; ++sample) forward.push_back(evaluator->evaluate(sample, *used).bits);
    for (std::uint64_t sample = 20; sample-- > 0;) {
      CHECK(evaluator->evaluate(sample, *used).bits == forward[sample]);
      CHECK(evaluate_once(*evaluator, sample).bits == forward[sample]);
    }
    CHECK(std::any_of(forward.begin(), forward.end(), [&](std::uint64_t bits) { return bits != forward[0]; }));
  }
}

TEST_CASE("the fixed part is computed once and gives what the whole pipeline gives in every sample") {
  const auto x = troublesome_numbers(9, Format::fp64, Trouble::near_one, 5000);
  const TermView terms = view_of(x.data(), x.size());
  for (const std::string pipeline :
       {"spa", "warp", "openmp", "tile(16,4,7) | halving(16) | reverse | shuffle | tree"}) {
    CAPTURE(pipeline);
    const auto evaluator = Evaluator::make(parse_order(pipeline), terms, {}, 4);
    for (const std::uint64_t sample :
         {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{77}, (std::uint64_t{1} << 48) - 1}) {
      CAPTURE(sample);
      const SummationTree tree = evaluator->tree(sample);  // runs every stage from the terms on
      CHECK(evaluate_once(*evaluator, sample).bits == bits_of(evaluate(tree, terms)[tree.roots()[0]]));
    }
  }
}

TEST_CASE("random orders draw other trees with other samples and seeds") {
  const auto x = troublesome_numbers(10, Format::fp64, Trouble::near_one, 40);
  for (const std::string pipeline : {"random", "random_tree", "ao", "tree | seq", "spa(1,2)", "openmp"}) {
    CAPTURE(pipeline);
    const TermView terms = view_of(x.data(), x.size());
    const auto one = Evaluator::make(parse_order(pipeline), terms, {}, 1);
    const auto two = Evaluator::make(parse_order(pipeline), terms, {}, 2);
    CHECK(text_of(one->tree(0)) != text_of(one->tree(1)));
    CHECK(text_of(one->tree(0)) != text_of(two->tree(0)));
    CHECK(text_of(one->tree(5)) == text_of(one->tree(5)));
  }
}

TEST_CASE("sequential and pairwise orders are the loops that everybody writes") {
  const auto x = troublesome_numbers(11, Format::fp32, Trouble::near_one, 1025);
  const TypedTerms terms(Format::fp32, x);
  const auto* floats = static_cast<const float*>(terms.view().x);
  float sum = floats[0];
  for (std::size_t i = 1; i < x.size(); ++i) sum += floats[i];
  CHECK(sum_bits_of("sequential", terms.view(), parse_formats("fp32")) == bits_of(sum));
  const auto halves = [&](const auto& self, std::size_t begin, std::size_t end) -> float {
    if (end - begin == 1) return floats[begin];
    const std::size_t middle = begin + (end - begin + 1) / 2;
    return self(self, begin, middle) + self(self, middle, end);
  };
  CHECK(sum_bits_of("pairwise", terms.view(), parse_formats("fp32")) == bits_of(halves(halves, 0, x.size())));
}

TEST_CASE("two spellings of one tree give the same bits") {
  const auto x = troublesome_numbers(12, Format::fp64, Trouble::near_one, 1024);
  const TermView terms = view_of(x.data(), x.size());
  CHECK(sum_bits_of("pairwise", terms, {}) == sum_bits_of("adjacent(1024)", terms, {}));
  CHECK(sum_bits_of("adjacent(32) | adjacent(32)", terms, {}) == sum_bits_of("adjacent(1024)", terms, {}));
  CHECK(sum_bits_of("strided(512) | halving(512)", terms, {}) == sum_bits_of("halving(1024)", terms, {}));
  CHECK(sum_bits_of("tile(64,2) | halving(64) | seq(from=zero)", terms, {}) == sum_bits_of("sprg", terms, {}));
}

TEST_CASE("an evaluator refuses terms of another format and orders that do not fit") {
  const std::vector<double> x(100, 1);
  const TermView terms = view_of(x.data(), x.size());
  CHECK_THROWS_WITH_AS(Evaluator::make(parse_order("seq"), terms, parse_formats("fp32"), 1),
                       "terms of format fp64: the formats say fp32", Error);
  CHECK_THROWS_AS(Evaluator::make(parse_order("halving(32)"), terms, {}, 1), Error);
  CHECK_THROWS_AS(Evaluator::make(parse_order("seq(acc=fma)"), terms, {}, 1), Error);
  CHECK_THROWS_AS(Evaluator::make(parse_order("seq"), TermView{Format::fp64, 0, x.data(), nullptr}, {}, 1), Error);
  CHECK_THROWS_AS(evaluate(SummationTree(99), terms), Error);
}

TEST_CASE("left to right, one lower partial sum changes no height, two may") {
  CHECK(HeightRuns(5, 3).greatest_but_one() == 3u);
  const auto greatest = [](const std::vector<std::uint64_t>& heights) {
    HeightRuns runs;
    for (const std::uint64_t height : heights) runs.append(1, height);
    return runs.greatest_but_one();
  };
  CHECK(greatest({3, 3, 1, 3}) == 3u);
  CHECK(greatest({1, 3}) == 3u);
  CHECK(!greatest({1, 3, 3, 2}));
  CHECK(!greatest({1, 1, 3}));
  const std::vector<double> ones(300, 1);
  for (const char* order : {"halving(32) | arrive(uniform) | seq(acc=atomic)", "tile(8,2) | halving(8) | shuffle | seq",
                            "halving(4) | shuffle | seq(acc=kahan)", "halving(8) | shuffle | pairwise(2)",
                            "halving(8) | seq(16) | shuffle | seq"}) {
    CAPTURE(order);
    for (const std::size_t n : {2u, 5u, 33u, 34u, 63u, 65u, 130u, 257u, 300u}) {
      CAPTURE(n);
      const auto evaluator = Evaluator::make(parse_order(order), view_of(ones.data(), n), {}, 1);
      for (std::uint64_t sample = 0; sample < 40; ++sample) {
        const Evaluation one = evaluate_once(*evaluator, sample);
        REQUIRE(one.height == evaluator->tree(sample).height());
        if (evaluator->constant_height()) REQUIRE(one.height == *evaluator->constant_height());
      }
    }
  }
}

TEST_CASE("the memory of an evaluator grows with the terms and with the threads that draw") {
  const Order ao = parse_order("ao");
  const Order warp = parse_order("warp");
  const Formats formats = parse_formats("fp32");
  CHECK(evaluator_memory_bytes(ao, 1000, false, formats, 2) > evaluator_memory_bytes(ao, 1000, false, formats, 1));
  CHECK(evaluator_memory_bytes(ao, 2000, false, formats, 1) > evaluator_memory_bytes(ao, 1000, false, formats, 1));
  CHECK(evaluator_memory_bytes(ao, 1'000'000, false, formats, 1) >= 4e6);  // at least one permuted copy
  CHECK(evaluator_memory_bytes(warp, 1'000'000, false, formats, 1) <
        evaluator_memory_bytes(ao, 1'000'000, false, formats, 1));
  CHECK(evaluator_memory_bytes(warp, 1000, true, formats, 1) > evaluator_memory_bytes(warp, 1000, false, formats, 1));
}

TEST_CASE("an order of another length than there are partial sums is refused") {
  const TypedTerms terms(Format::fp64, {1, 2, 3, 4});
  const auto evaluator =
      Evaluator::make(parse_order("shuffle | seq"), terms.view(), {Format::fp64, Format::fp64, Format::fp64}, 1);
  const auto arranged = [&](const std::vector<std::uint32_t>& order) {
    return evaluator->evaluate_arranged(order, *evaluator->make_scratch()).value;
  };
  CHECK(arranged({3, 1, 0, 2}) == 10.0);
  CHECK_THROWS_WITH_AS(arranged({0, 1, 2}),
                       doctest::Contains("an order of 3 partial sums was given; the first random stage arranges 4"),
                       Error);
  CHECK_THROWS_AS(arranged({0, 1, 2, 3, 4}), Error);
}
