// Boxes that add |x| or x * x, with a square root or without, and boxes with fixed weights.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "orderlab/error.hpp"
#include "probe/model_boxes.hpp"
#include "probe/triples.hpp"
#include "reference/hard_inputs.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

// What the box makes of its terms before it adds them.
Terms summands_of(Summands summands, const TermView& from, bool fused) {
  Terms x(from.format, from.n);
  for (std::size_t i = 0; i < from.n; ++i) {
    const double value = from.left(i);
    const bool squares = summands != Summands::magnitudes;
    x.set(i, !squares ? std::fabs(value) : fused ? value : value * value);  // exact in double up to fp32
  }
  if (fused) {
    Terms y = x.owned();
    x.multiply_by(std::move(y));
  }
  return x;
}

double finished(Summands summands, double sum, Format format) {
  return summands == Summands::norm ? value_of_bits(format, round_to_bits(format, std::sqrt(sum))) : sum;
}

BoxMaker one_sided_box(Summands summands, const std::string& text, std::optional<Format> accumulate = {}) {
  const Order order = parse_order(text);
  BoxMaker maker = function_box(text, [=](const TermView& from) {
    CHECK_FALSE(from.products());
    const bool fused = summands != Summands::magnitudes;  // products, which the order may fuse
    const Terms terms = summands_of(summands, from, fused);
    const Formats formats{from.format, accumulate.value_or(from.format), from.format};
    const auto evaluator = Evaluator::make(order, terms.view(), formats, 1);
    return finished(summands, evaluator->evaluate(0, *evaluator->make_scratch()).value, from.format);
  });
  maker.summands = summands;
  return maker;
}

BoxMaker one_sided_tree(Summands summands, const TreeShape& shape) {
  BoxMaker maker = function_box("a tree", [=](const TermView& from) {
    const Terms terms = summands_of(summands, from, false);
    const SummationTree tree = tree_of(shape, {{from.format, from.format, from.format}});
    return finished(summands, evaluate(tree, terms.view())[tree.roots()[0]], from.format);
  });
  maker.summands = summands;
  return maker;
}

BoxMaker of_floats(Summands summands, std::function<float(const std::vector<float>&)> sum) {
  BoxMaker maker = float_box([sum = std::move(sum)](const std::vector<float>& x) { return sum(x); });
  maker.summands = summands;
  return maker;
}

BoxMaker weighted_box(const std::string& text, std::vector<double> weights, std::vector<double> used) {
  const Order order = parse_order(text);
  BoxMaker maker = function_box(text, [order, used = std::move(used)](const TermView& from) {
    Terms terms(from.format, from.n);
    for (std::size_t i = 0; i < from.n; ++i) terms.set(i, from.left(i) * used[i]);
    const auto evaluator = Evaluator::make(order, terms.view(), {from.format, from.format, from.format}, 1);
    return evaluator->evaluate(0, *evaluator->make_scratch()).value;
  });
  maker.weights = std::move(weights);
  return maker;
}

std::vector<double> powers(IndexGenerator& draw, std::size_t n) {
  std::vector<double> weights(n);
  for (double& weight : weights)
    weight = std::ldexp(chance(draw, 2) ? 1.0 : -1.0, static_cast<int>(below(draw, 17)) - 8);
  return weights;
}

constexpr Summands kOneSided[] = {Summands::magnitudes, Summands::squares, Summands::norm};

bool has_order(const ProbedOrder& found, const std::string& text) {
  return std::any_of(found.orders.begin(), found.orders.end(),
                     [&](const WrittenOrder& order) { return order.text == text; });
}

std::string refusal_of(const BoxMaker& maker, std::size_t n, Format format = Format::fp32) {
  try {
    probe_setting(maker, {.n = n, .format = format});
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("orders of sums of |x|, x * x and norms are named, and their trees proven") {
  for (const Summands summands : kOneSided)
    for (const char* text : {"sequential", "pairwise", "simd(4)", "simd(8)", "numpy"})
      for (const std::size_t n : std::vector<std::size_t>{17, 64}) {
        CAPTURE(name_of(summands));
        CAPTURE(text);
        CAPTURE(n);
        const ProbedOrder found = probed(one_sided_box(summands, text), n);
        CHECK(found.verdict == ProbeVerdict::named);
        CHECK(found.certified);
        CHECK(found.replayed == kReplayedInputs);
        REQUIRE(found.tree);
        const bool products = summands != Summands::magnitudes;
        CHECK(TreeShape::of(*found.tree) == shape_of_order(text, n, products));
      }
}

TEST_CASE("squares that are fused are told from squares that are rounded") {
  for (const Summands summands : {Summands::squares, Summands::norm}) {
    CHECK(has_order(probed(one_sided_box(summands, "strided(4,acc=fma) | halving(4)"), 32),
                    "strided(4,acc=fma) | halving(4)"));
    const ProbedOrder plain = probed(one_sided_box(summands, "strided(4) | halving(4)"), 32);
    CHECK(plain.verdict == ProbeVerdict::named);
    CHECK_FALSE(has_order(plain, "strided(4,acc=fma) | halving(4)"));
  }
}

TEST_CASE("trees of one-sided sums without a name are revealed") {
  IndexGenerator draw(RandomStream(1, 0, 0), 0);
  for (std::size_t i = 0; i < 12; ++i) {
    const TreeShape shape = random_shape(draw, 5 + below(draw, 30), i % 2 == 0);
    const ProbedOrder found = probed(one_sided_tree(kOneSided[i % 3], shape), shape.leaf_count());
    CAPTURE(i);
    CAPTURE(found.reason);
    const bool known = found.verdict == ProbeVerdict::revealed || found.verdict == ProbeVerdict::named;
    CHECK(known);
    REQUIRE(found.tree);
    CHECK(TreeShape::of(*found.tree) == shape);
    if (found.verdict == ProbeVerdict::revealed) CHECK(found.replayed == kReplayedInputs);
  }
}

TEST_CASE("n - 2 triples prove a tree and no other") {
  IndexGenerator draw(RandomStream(2, 0, 0), 0);
  std::size_t equal = 0;
  for (std::size_t i = 0; i < 400; ++i) {
    const std::size_t n = 3 + below(draw, 3);
    const TreeShape box_shape = random_shape(draw, n);
    const TreeShape asked = random_shape(draw, n);
    const BoxMaker maker = one_sided_tree(Summands::magnitudes, box_shape);
    const ProbeWatch watch;
    AskedBox box(maker, {.n = n, .format = Format::fp32}, watch);
    Triples triples(box, 24);
    CHECK(certify(asked, triples) == (asked == box_shape));
    CHECK(box.calls() <= n - 2);
    CHECK(certify(box_shape, triples));
    equal += asked == box_shape ? 1U : 0U;
  }
  CHECK(equal > 20);
}

TEST_CASE("one-sided sums are probed in every format") {
  for (const Format format : {Format::fp64, Format::fp32, Format::fp16, Format::bf16})
    for (const Summands summands : kOneSided) {
      CAPTURE(info(format).name);
      CAPTURE(name_of(summands));
      const ProbedOrder found = probed(one_sided_box(summands, "pairwise"), 24, format);
      CHECK(found.verdict == ProbeVerdict::named);
      CHECK(found.certified);
    }
}

TEST_CASE("a wider accumulator hides the order of a one-sided sum") {
  for (const Summands summands : kOneSided) {
    const ProbedOrder found = probed(one_sided_box(summands, "pairwise", Format::fp64), 64);
    CHECK(found.verdict == ProbeVerdict::compensated);
    CHECK_FALSE(found.certified);
    CHECK(mentions(found.reason, "within an ulp of the exact ones"));
  }
}

TEST_CASE("what is no sum of |x| or of squares is not called one") {
  const auto sum_of = [](auto summand) {
    return [summand](const std::vector<float>& x) {
      float sum = 0;
      for (const float term : x) sum += summand(term);
      return sum;
    };
  };
  const auto verdict = [](const BoxMaker& maker) { return probed(maker, 40).verdict; };
  const auto magnitude = sum_of([](float x) { return std::fabs(x); });
  const auto square = sum_of([](float x) { return x * x; });
  CHECK(verdict(of_floats(Summands::magnitudes, magnitude)) == ProbeVerdict::named);
  CHECK(verdict(of_floats(Summands::magnitudes, sum_of([](float x) { return x; }))) == ProbeVerdict::not_a_sum);
  CHECK(verdict(of_floats(Summands::magnitudes, square)) == ProbeVerdict::not_a_sum);
  CHECK(verdict(of_floats(Summands::squares, square)) == ProbeVerdict::named);
  CHECK(verdict(of_floats(Summands::squares, magnitude)) == ProbeVerdict::not_a_sum);
  CHECK(verdict(of_floats(Summands::norm, square)) == ProbeVerdict::not_a_sum);
  for (const std::size_t left_out : std::vector<std::size_t>{0, 20, 39})
    CHECK(verdict(of_floats(Summands::squares, [=](const std::vector<float>& x) {
            return square(x) - x[left_out] * x[left_out];
          })) == ProbeVerdict::not_a_sum);
}

TEST_CASE("a box of magnitudes, squares or a norm that is asked for a sum of its terms is told apart") {
  const auto reason = [](Summands summands, std::size_t n, Format format) {
    BoxMaker maker = one_sided_box(summands, "sequential");
    maker.summands = Summands::terms;
    const ProbedOrder found = probed(maker, n, format);
    CHECK(found.verdict == ProbeVerdict::not_a_sum);
    return found.reason;
  };
  for (const Format format : {Format::fp64, Format::fp32, Format::bf16})
    for (const std::size_t n : std::vector<std::size_t>{2, 3, 64}) {
      CAPTURE(n);
      CHECK(mentions(reason(Summands::magnitudes, n, format), "; it adds magnitudes, |x|: probe it with --of abs"));
      CHECK(mentions(reason(Summands::squares, n, format), "; it adds squares: probe it with --of square"));
      CHECK(mentions(reason(Summands::norm, n, format), "the root of a sum of squares: probe it with --of norm"));
    }
  const auto said = [](std::function<float(const std::vector<float>&)> sum) {
    return probed(of_floats(Summands::terms, std::move(sum)), 40).reason;
  };
  CHECK_FALSE(mentions(said([](const std::vector<float>& x) {  // one term counts twice
                         float sum = std::fabs(x[20]);
                         for (const float term : x) sum += std::fabs(term);
                         return sum;
                       }),
                       "--of"));
  CHECK_FALSE(mentions(said([](const std::vector<float>& x) {
                         float sum = 0;
                         for (const float term : x) sum += 2 * term;
                         return sum;
                       }),
                       "--of"));
}

TEST_CASE("a norm that scales its terms first, and sums that sort, have no tree") {
  const auto scaled = of_floats(Summands::norm, [](const std::vector<float>& x) {
    float scale = 0;
    float squares = 1;
    for (const float term : x) {
      const float size = std::fabs(term);
      if (size == 0) continue;
      if (scale < size) {
        squares = 1 + squares * (scale / size) * (scale / size);
        scale = size;
      } else {
        squares += (size / scale) * (size / scale);
      }
    }
    return scale * std::sqrt(squares);
  });
  const ProbedOrder norm = probed(scaled, 64);
  CHECK(norm.verdict == ProbeVerdict::data_dependent);
  CHECK(norm.orders.empty());
  CHECK(norm.compared == 0);
  const ProbedOrder sorted = probed(of_floats(Summands::magnitudes,
                                              [](std::vector<float> x) {
                                                for (float& term : x) term = std::fabs(term);
                                                std::sort(x.begin(), x.end());
                                                return in_turn(x);
                                              }),
                                    64);
  CHECK(sorted.verdict == ProbeVerdict::data_dependent);
}

TEST_CASE("one-sided sums that vary are random") {
  std::size_t call = 0;
  const ProbedOrder found =
      probed(of_floats(Summands::squares,
                       [&](std::vector<float> x) {
                         for (float& term : x) term *= term;
                         std::rotate(x.begin(), x.begin() + static_cast<long>(++call % 40), x.end());
                         return in_turn(x);
                       }),
             40);
  CHECK(found.verdict == ProbeVerdict::random);
  CHECK(mentions(found.reason, "one sign"));
}

TEST_CASE("orders of weighted sums are those of the products") {
  IndexGenerator draw(RandomStream(3, 0, 0), 0);
  for (const char* text : {"sequential", "pairwise", "simd(4)"})
    for (const Format format : {Format::fp64, Format::fp32, Format::bf16}) {
      const std::vector<double> weights = powers(draw, 45);
      CAPTURE(text);
      CAPTURE(info(format).name);
      const ProbedOrder found = probed(weighted_box(text, weights, weights), 45, format);
      CHECK(found.verdict == ProbeVerdict::named);
      CHECK(found.certified);
      CHECK(TreeShape::of(*found.tree) == shape_of_order(text, 45));
      REQUIRE(found.accumulator);
      CHECK_FALSE(found.accumulator->flushes);
    }
}

TEST_CASE("a box with other weights is not called a weighted sum") {
  IndexGenerator draw(RandomStream(4, 0, 0), 0);
  const std::vector<double> weights = powers(draw, 20);
  std::vector<double> used = weights;
  used[7] *= 2;
  CHECK(probed(weighted_box("sequential", weights, used), 20).verdict == ProbeVerdict::not_a_sum);
  used[7] = -weights[7];
  CHECK(probed(weighted_box("sequential", weights, used), 20).verdict == ProbeVerdict::not_a_sum);
}

TEST_CASE("weights and summands that cannot be probed are refused") {
  const auto with = [](std::vector<double> weights) { return weighted_box("sequential", weights, weights); };
  CHECK(mentions(refusal_of(with({1, 3, 1}), 3), "weights: number 2 is 3; it must be a power of two"));
  CHECK(mentions(refusal_of(with({1, 0, 1}), 3), "weights: number 2 is 0; it must be"));
  CHECK(mentions(refusal_of(with({1, 512, 1}), 3), "weights: number 2 is 512; it must be"));
  CHECK(mentions(refusal_of(with({1, 2, 1}), 3, Format::fp16), "must be 1 or -1 for fp16"));
  CHECK(mentions(refusal_of(with({1, 1}), 3), "2 weights for 3 terms"));
  BoxMaker both = with({1, 1, 1});
  both.summands = Summands::squares;
  CHECK(mentions(refusal_of(both, 3), "weights go with sums of terms, not of square"));
  BoxMaker products = order_box("sequential", true);
  products.summands = Summands::magnitudes;
  CHECK(mentions(refusal_of(products, 3), "the box must take one array"));
  const BoxMaker squares = one_sided_box(Summands::squares, "sequential");
  ProbeOptions options;
  options.expected = {"random", parse_order("random")};
  CHECK_THROWS_AS(probe_setting(squares, {.n = 8, .format = Format::fp32}, options), Error);
}
