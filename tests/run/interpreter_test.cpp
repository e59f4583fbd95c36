// What each kind of step means: trees worked out by hand from steps.hpp; and descriptions drawn at random, run in every
// way that there is. Long, as every kind of step has its trees written out.
#include "run/interpreter.hpp"

#include <doctest/doctest.h>

#include <string>
#include <thread>
#include <vector>

#include "order/check_steps.hpp"
#include "order/pipelines.hpp"
#include "order/trouble.hpp"
#include "orderlab/philox.hpp"
#include "run/fast_paths.hpp"
#include "run/heights.hpp"
#include "run/random_steps.hpp"

namespace orderlab {
namespace {

using testing::TypedTerms;
using Tree = Combination::Tree;
using Join = steps::Fold::Join;

RandomStream no_draws() { return {1, streams::kFirstStage, 0}; }

/// What steps leave of m terms, as nodes of a tree.
struct Forest {
  SummationTree tree;
  std::vector<SummationTree::Node> left;

  Forest(const Steps& steps, const TermView& terms) : tree(terms.n) {
    for (SummationTree::Node leaf = 0; leaf < terms.n; ++leaf) left.push_back(leaf);
    Nodes nodes(tree, terms, terms.format);
    StepMemory memory;
    for (const Step& step : steps) {
      std::vector<SummationTree::Node> out(count_left(step, left.size()));
      Interpreter<Nodes>(nodes, memory, no_draws())
          .run(step, Input<Nodes>(std::span<const SummationTree::Node>(left)), out);
      left = std::move(out);
    }
    tree.set_roots(left);
  }
};

/// The same by additions of numbers, in vectors where steps are.
template <class T>
std::vector<std::uint64_t> bits_in_vectors(const Steps& steps, const TermView& terms) {
  const auto* begin = static_cast<const T*>(terms.x);
  std::vector<T> left(begin, begin + terms.n);
  Floats<T> arith;
  StepMemory memory;
  for (const Step& step : steps) {
    std::vector<T> out(count_left(step, left.size()));
    run_step<Floats<T>>(step, arith, Input<Floats<T>>(std::span<const T>(left)), out, memory, no_draws());
    left = std::move(out);
  }
  std::vector<std::uint64_t> bits;
  for (const T sum : left) bits.push_back(round_to_bits(kFormatOf<T>, static_cast<double>(sum)));
  return bits;
}

std::vector<std::uint64_t> heights_from_runs(const Steps& steps, std::size_t m) {
  HeightRuns heights(m, 0);
  for (const Step& step : steps) heights = heights_after(step, heights);
  return heights.one_by_one();
}

/// Steps as the description of a stage of a user, for m partial sums: refused if they do not fulfil all that they must.
void check_description(const Steps& steps, std::size_t m) {
  bool adds = false;
  for (const Step& step : steps) adds = adds || !std::holds_alternative<steps::Move>(step.is);
  const Stage stage{.name = "own",
                    .summary = "",
                    .source = "",
                    .parameters = {},
                    .reduces = adds,
                    .guarantee = Guarantee::any_device,
                    .describe = [](const Arguments&, std::size_t k, Format) -> Steps { return {steps::add_runs(k)}; }};
  check_steps({&stage, {}}, steps, m);
}

/// Numbers in vectors and heights from runs are those of the trees.
void check_every_way(const Steps& steps, const TypedTerms& terms) {
  const TermView view = terms.view();
  CHECK_NOTHROW(check_description(steps, view.n));
  const Forest forest(steps, view);
  const std::vector<double> values = evaluate(forest.tree, view);
  const std::vector<std::uint64_t> bits = with_type_of(view.format, [&](auto* type) -> std::vector<std::uint64_t> {
    return bits_in_vectors<std::remove_pointer_t<decltype(type)>>(steps, view);
  });
  const std::vector<std::uint64_t> heights = heights_from_runs(steps, view.n);
  REQUIRE(bits.size() == forest.left.size());
  REQUIRE(heights.size() == forest.left.size());
  for (std::size_t i = 0; i < forest.left.size(); ++i) {
    CAPTURE(i);
    CHECK(bits[i] == round_to_bits(view.format, values[forest.left[i]]));
    SummationTree tree = forest.tree;
    tree.set_roots({forest.left[i]});
    CHECK(heights[i] == tree.height());
  }
}

/// The trees that steps leave of m terms, one after the other.
std::string shape(const Steps& steps, std::size_t m, Format format = Format::fp64) {
  const TypedTerms terms(format, testing::troublesome_numbers(m, format, testing::Trouble::near_one, m));
  check_every_way(steps, terms);
  const Forest forest(steps, terms.view());
  std::string text;
  for (const SummationTree::Node node : forest.left)
    text += (text.empty() ? "" : " ") + testing::text_of(forest.tree, node);
  return text;
}

std::string shape_of(Groups groups, std::size_t m, Combination how = {}) {
  return shape({steps::add(groups, std::move(how))}, m);
}

std::shared_ptr<const std::vector<Addition>> given(std::vector<Addition> additions) {
  return std::make_shared<const std::vector<Addition>>(std::move(additions));
}

}  // namespace

TEST_CASE("groups: first, count, stride, width, step and members say where the members are") {
  CHECK(shape_of({}, 4) == "(((0+1)+2)+3)");
  CHECK(shape_of({.count = 2, .stride = 3, .members = 3}, 6) == "((0+1)+2) ((3+4)+5)");
  CHECK(shape_of({.width = 3, .step = 3}, 7) == "((0+3)+6) (1+4) (2+5)");
  CHECK(shape_of({.count = 2, .stride = 4, .width = 2, .step = 2, .members = 2}, 8) == "(0+2) (1+3) (4+6) (5+7)");
  CHECK(shape_of({.count = 2, .stride = 1, .step = 2}, 5) == "((0+2)+4) (1+3)");  // pieces between each other
}

TEST_CASE("groups: items and pass repeat the members further on") {
  // Two threads of two items each, in strides of all four.
  CHECK(shape_of({.width = 2, .step = 2, .items = 2, .pass = 4}, 9) == "((((0+2)+4)+6)+8) (((1+3)+5)+7)");
  // Two thread blocks of one thread: 0 1 | 2 3, then 4 5 | 6 7.
  CHECK(shape_of({.count = 2, .stride = 2, .items = 2, .pass = 4}, 8) == "(((0+1)+4)+5) (((2+3)+6)+7)");
  CHECK(shape_of({.count = 2, .stride = 2, .items = 2, .pass = 4}, 7) == "(((0+1)+4)+5) ((2+3)+6)");
  CHECK(shape_of({.count = 2, .stride = 2, .items = 2, .pass = 4}, 5) == "((0+1)+4) (2+3)");
  CHECK(shape_of({.count = 2, .stride = 2, .members = 4, .items = 2, .pass = 4}, 8) == "(((0+1)+4)+5) (((2+3)+6)+7)");
}

TEST_CASE("groups: absent members, groups and pieces come last") {
  CHECK(shape_of({.count = Groups::kAll, .stride = 3, .members = 3}, 7) == "((0+1)+2) ((3+4)+5) 6");
  CHECK(shape_of({.count = 9, .stride = 4, .width = 2, .step = 2, .members = 2}, 5) == "(0+2) (1+3) 4");
  CHECK(shape_of({.count = 9, .stride = 4, .width = 2, .step = 2, .members = 2}, 7) == "(0+2) (1+3) (4+6) 5");
  CHECK(shape_of({.width = 5, .step = 5}, 3) == "0 1 2");
  CHECK(shape_of({.members = 9}, 3) == "((0+1)+2)");
}

TEST_CASE("groups: place says which sums they are, and several sets share one step") {
  const Groups front{.count = 2, .stride = 2, .members = 2, .place = 1};
  const Groups back{.first = 4};
  CHECK(shape({{steps::Add{{front, back}}}}, 7) == "((4+5)+6) (0+1) (2+3)");
  CHECK(shape({{steps::Add{{back, front}}}}, 7) == "((4+5)+6) (0+1) (2+3)");
  const Groups none{.count = 0, .stride = 0, .members = 0};
  const Groups absent{.first = 9, .place = 3};
  CHECK(shape({{steps::Add{{none, front, back, absent}}}}, 7) == "((4+5)+6) (0+1) (2+3)");
}

TEST_CASE("groups that are added abreast are the same groups, one addition of each in turn") {
  const Groups lanes{.width = 3, .step = 3, .members = 2, .abreast = true};
  CHECK(shape_of(lanes, 6) == "(0+3) (1+4) (2+5)");
  CHECK(shape_of({.count = 2, .stride = 4, .width = 2, .step = 2, .members = 2, .abreast = true}, 8) ==
        "(0+2) (1+3) (4+6) (5+7)");
  const auto first_node = [](bool abreast) {  // the second addition that is made
    const std::vector<double> ones(6, 1);
    const Groups g{.width = 2, .step = 2, .members = 3, .abreast = abreast};
    const Forest forest({steps::add(g)}, view_of(ones.data(), ones.size()));
    return testing::text_of(forest.tree, 7);
  };
  CHECK(first_node(true) == "(1+3)");
  CHECK(first_node(false) == "((0+2)+4)");
}

TEST_CASE("combinations: in turn, through an accumulator, from the first or from zero") {
  const auto in_turn = [](Accumulate accumulate, bool from_zero) {
    return shape_of({}, 3, {.accumulate = accumulate, .from_zero = from_zero});
  };
  CHECK(in_turn(Accumulate::plain, false) == "((0+1)+2)");
  CHECK(in_turn(Accumulate::plain, true) == "((0+0+1)+2)");
  CHECK(in_turn(Accumulate::atomic, false) == "((0~0~1)~2)");
  CHECK(in_turn(Accumulate::kahan, false) == "kahan[0,1,2]");
  CHECK(in_turn(Accumulate::neumaier, false) == "neumaier[0,1,2]");
  CHECK(shape({steps::add_runs(1, {.from_zero = true})}, 2) == "0+0 0+1");
}

TEST_CASE("combinations: halves skip absent members, in any width that holds them") {
  const auto halves = [](std::size_t width, std::size_t m) {
    return shape_of({}, m, {.tree = Tree::halves, .width = width});
  };
  CHECK(halves(4, 4) == "((0+2)+(1+3))");
  CHECK(halves(8, 4) == "((0+2)+(1+3))");
  CHECK(halves(4, 3) == "((0+2)+1)");
  CHECK(halves(8, 6) == "(((0+4)+2)+((1+5)+3))");
  CHECK(halves(1, 1) == "0");
  CHECK(shape_of({.width = 2, .step = 2}, 5, {.tree = Tree::halves, .width = 4}) == "((0+4)+2) (1+3)");
}

TEST_CASE("combinations: neighbours of any number") {
  const auto neighbours = [](std::size_t m) { return shape_of({}, m, {.tree = Tree::neighbours}); };
  CHECK(neighbours(1) == "0");
  CHECK(neighbours(3) == "((0+1)+2)");
  CHECK(neighbours(6) == "(((0+1)+(2+3))+(4+5))");
  CHECK(shape_of({.width = 2, .step = 2}, 7, {.tree = Tree::neighbours}) == "((0+2)+(4+6)) ((1+3)+5)");
}

TEST_CASE("combinations: a given tree leaves its sum where the last addition puts it") {
  CHECK(shape_of({}, 4, {.tree = Tree::given, .additions = given({{3, 0}, {1, 2}, {1, 3}})}) == "((1+2)+(3+0))");
  CHECK(shape_of({}, 1, {.tree = Tree::given, .additions = given({})}) == "0");
  CHECK(shape({steps::add_runs(2, {.tree = Tree::given, .additions = given({{1, 0}})})}, 4) == "(1+0) (3+2)");
}

TEST_CASE("moves: rotate from any place, both ways") {
  CHECK(shape({{steps::Move{.start = 0}}}, 4) == "0 1 2 3");
  CHECK(shape({{steps::Move{.start = 3}}}, 4) == "3 0 1 2");
  CHECK(shape({{steps::Move{.start = 1}}}, 4) == "1 2 3 0");
  CHECK(shape({{steps::Move{.start = 3, .backwards = true}}}, 4) == "3 2 1 0");
  CHECK(shape({{steps::Move{.start = 1, .backwards = true}}}, 4) == "1 0 3 2");
  CHECK(shape({{steps::Move{.backwards = true}}}, 1) == "0");
}

TEST_CASE("moves: position k gets partial sum source(k)") {
  CHECK(shape({steps::move(5, [](std::size_t k) { return k < 3 ? 2 * k : 2 * k - 5; })}, 5) == "0 2 4 1 3");
  CHECK(shape({steps::add_runs(2), steps::move(3, [](std::size_t k) { return (k + 1) % 3; }), steps::add_runs(2)}, 6) ==
        "((2+3)+(4+5)) (0+1)");
}

TEST_CASE("within: whole runs, and the rest in a way of its own, may leave several each") {
  const Steps backwards{{steps::Move{.start = 2, .backwards = true}}, steps::add_runs(2)};
  const Steps rest{steps::add_runs(9, {.from_zero = true})};
  CHECK(shape({{steps::Within{3, backwards, rest}}}, 8) == "(2+1) 0 (5+4) 3 (0+6+7)");
  CHECK(shape({{steps::Within{3, backwards, {}}}}, 6) == "(2+1) 0 (5+4) 3");
  CHECK(shape({{steps::Within{3, {}, rest}}}, 2) == "(0+0+1)");
  CHECK(shape({{steps::Within{3, backwards, rest, 1}}}, 8) == "(2+1) 0 ((((0+3+4)+5)+6)+7)");
  CHECK(shape({{steps::Within{3, backwards, rest, 2}}}, 8) == "(2+1) 0 (5+4) 3 (0+6+7)");
  CHECK(shape({{steps::Within{3, backwards, {}, 2}}}, 6) == "(2+1) 0 (5+4) 3");
  const Steps inner{{steps::Within{2, {steps::add_runs(2)}, {steps::add_runs(1)}}}, steps::add_runs(2)};
  CHECK(shape({{steps::Within{5, inner, inner}}}, 8) == "((0+1)+(2+3)) 4 ((5+6)+7)");
  const Steps three{steps::add_runs(2), {steps::Move{.start = 1}}, steps::add_runs(2), steps::add_runs(9)};
  CHECK(shape({{steps::Within{6, three, {}}}}, 6) == "(((2+3)+(4+5))+(0+1))");
}

TEST_CASE("split: the left part is the larger half, or the smaller one rounded down") {
  const auto in_turn = [](std::size_t size) -> Steps { return {steps::add_runs(size)}; };
  CHECK(shape({steps::split(5, 1, {}, in_turn)}, 5) == "(((0+1)+2)+(3+4))");
  CHECK(shape({steps::split(5, 2, {}, in_turn)}, 5) == "(((0+1)+2)+(3+4))");
  CHECK(shape({steps::split(7, 3, {}, in_turn)}, 7) == "(((0+1)+(2+3))+((4+5)+6))");
  CHECK(shape({steps::split(5, 1, {.larger_first = false}, in_turn)}, 5) == "((0+1)+(2+(3+4)))");
  CHECK(shape({steps::split(11, 7, {.larger_first = false, .multiple = 4}, in_turn)}, 11) ==
        "((((0+1)+2)+3)+((((((4+5)+6)+7)+8)+9)+10))");
  CHECK(shape({steps::split(3, 3, {}, in_turn)}, 3) == "((0+1)+2)");
}

TEST_CASE("split: each part is reduced by steps of its own, however many") {
  const auto own = [](std::size_t size) -> Steps {
    if (size == 2) return {steps::add_runs(1, {.from_zero = true}), {steps::Move{.start = 1}}, steps::add_runs(2)};
    return {steps::add_runs(size), steps::add_runs(1, {.from_zero = true})};
  };
  CHECK(shape({steps::split(5, 3, {}, own)}, 5) == "(0+((0+1)+2)+(0+4+0+3))");
}

TEST_CASE("fold: the sums that are kept are the first members of the next tile's groups") {
  const Groups lanes{.width = 2, .step = 2};
  const steps::Fold one{.tile = 4,
                        .blocks = 1,
                        .join = Join::first,
                        .initial = {steps::add(lanes)},
                        .later = {},
                        .rest = {steps::add(lanes)}};
  CHECK(shape({{one}}, 4) == "(0+2) (1+3)");
  CHECK(shape({{one}}, 8) == "(((0+2)+4)+6) (((1+3)+5)+7)");
  CHECK(shape({{one}}, 7) == "(((0+2)+4)+6) ((1+3)+5)");
  CHECK(shape({{one}}, 5) == "((0+2)+4) (1+3)");  // the second has no more
  CHECK(shape({{one}}, 1) == "0");
  steps::Fold two = one;
  two.blocks = 2;
  CHECK(shape({{two}}, 9) == "((0+2)+8) (1+3) (4+6) (5+7)");
  CHECK(shape({{two}}, 14) == "(((0+2)+8)+10) (((1+3)+9)+11) ((4+6)+12) ((5+7)+13)");
  CHECK(shape({{two}}, 5) == "(0+2) (1+3) 4");  // a thread block that has the shorter tile alone
  steps::Fold other = one;
  other.later = {steps::add(lanes, {.tree = Tree::given, .additions = given({{1, 2}, {0, 1}})})};
  other.rest = {steps::add(lanes, {.tree = Tree::neighbours})};
  CHECK(shape({{other}}, 11) == "((((0+2)+(4+6))+8)+10) (((1+3)+(5+7))+9)");
  CHECK(shape({{other}}, 12) == "(((0+2)+(4+6))+(8+10)) (((1+3)+(5+7))+(9+11))");
}

TEST_CASE("fold: the sum of a tile is added to the one that is kept, the first one to +0.0") {
  const auto tile = [](std::size_t size) -> Steps {
    return {{steps::Move{.start = size - 1, .backwards = true}}, steps::add_runs(size)};
  };
  const steps::Fold one{.tile = 3, .blocks = 1, .join = Join::last, .initial = tile(3), .later = {}, .rest = tile(2)};
  CHECK(shape({{one}}, 3) == "0+((2+1)+0)");
  CHECK(shape({{one}}, 8) == "((0+((2+1)+0)+((5+4)+3))+(7+6))");
  CHECK(shape({{one}}, 2) == "0+(1+0)");
  steps::Fold later = one;
  later.later = {steps::add_runs(3)};
  CHECK(shape({{later}}, 8) == "((0+((2+1)+0)+((3+4)+5))+(7+6))");
  later.blocks = 2;
  CHECK(shape({{later}}, 11) == "(0+((2+1)+0)+((6+7)+8)) (0+((5+4)+3)+(10+9))");
}

TEST_CASE("fold: a wide one adds in fp32 and rounds once a tile") {
  const steps::Fold wide{.tile = 2,
                         .blocks = 1,
                         .join = Join::last,
                         .initial = {steps::add_runs(2)},
                         .later = {},
                         .rest = {steps::add_runs(1)},
                         .wide = true};
  CHECK(shape({{wide}}, 5, Format::fp16) == "r((r((r(0+(0+1))+(2+3)))+4))");
  const std::vector<double> ones(5, 1);
  const TypedTerms terms(Format::bf16, ones);
  const Forest forest({{wide}}, terms.view());
  const SummationTree::Node root = forest.left[0];
  CHECK(forest.tree.format(root) == Format::bf16);
  CHECK(forest.tree.format(forest.tree.children(root)[0]) == Format::fp32);
}

TEST_CASE("vectors and heights follow shapes that no built-in stage has") {
  const auto check = [](const Step& step, std::size_t m) {
    for (const FormatInfo& f : kFormats)
      for (const testing::Trouble trouble : {testing::Trouble::near_one, testing::Trouble::negative_zeros})
        check_every_way({step}, TypedTerms(f.format, testing::troublesome_numbers(m, f.format, trouble, m)));
  };
  for (const std::size_t m : {990u, 1000u}) {
    check(steps::add({.width = 33, .step = 33}, {.tree = Tree::neighbours}), m);
    check(steps::add({.width = 33, .step = 33}, {.tree = Tree::halves, .width = 64}), m);
    check(steps::add({.count = 4, .stride = 4, .width = 4, .step = 16}, {.tree = Tree::halves, .width = 64}), m);
    check(steps::add_runs(16, {.tree = Tree::halves, .width = 32}), m);
    check(
        {steps::Within{
            320, {steps::add_runs(5), steps::add_runs(64, {.tree = Tree::halves, .width = 64})}, {steps::add_runs(m)}}},
        m);
  }
  const auto lanes = [](const Combination& last) {  // blocks of up to 40 in eight lanes, as numpy has them
    return steps::split(2048, 40, {}, [&](std::size_t size) -> Steps {
      return {steps::add({.width = 8, .step = 8, .members = size / 8, .abreast = true}), steps::add_runs(8, last)};
    });
  };
  for (const Combination& last :
       {Combination{}, Combination{.tree = Tree::neighbours}, Combination{.tree = Tree::halves, .width = 8}})
    check({steps::Fold{2048, 1, Join::last, {lanes(last)}, {}, {}}}, 4096);
  const auto in_turn = [](std::size_t from_zero) {  // for parts of this size
    return [from_zero](std::size_t size) -> Steps { return {steps::add_runs(size, {.from_zero = size == from_zero})}; };
  };
  for (const std::size_t from_zero : {0u, 2u, 3u}) check(steps::split(999, 3, {}, in_turn(from_zero)), 999);
  const Steps parts{steps::split(300, 7, {}, in_turn(0))};
  check({steps::Fold{300, 1, Join::last, parts, {steps::add_runs(300)}, {steps::split(100, 5, {}, in_turn(3))}}}, 1000);
  check({steps::Fold{300, 1, Join::last, parts, {}, {steps::split(100, 5, {.larger_first = false}, in_turn(3))}}},
        1000);
  check({steps::Fold{300, 1, Join::last, {parts.front(), steps::add_runs(1, {.from_zero = true})}, {}, {}}}, 900);
}

TEST_CASE("descriptions drawn at random are run alike in every way") {
  constexpr std::uint64_t kSeed = 18;
  for (std::uint64_t i = 0; i < testing::trials(3000); ++i) {
    CAPTURE(i);
    IndexGenerator draw(RandomStream(kSeed, 0, i), 0);
    const std::size_t m = 1 + testing::below(draw, i % 10 == 0 ? 3000 : 40);
    CAPTURE(m);
    const Format format = kFormats[testing::below(draw, kFormats.size())].format;
    CAPTURE(info(format).name);
    const testing::Trouble trouble = testing::kTroubles[testing::below(draw, std::size(testing::kTroubles))];
    const Steps steps = testing::RandomSteps(draw).some(m, 2);
    check_every_way(steps, TypedTerms(format, testing::troublesome_numbers(kSeed + i, format, trouble, m)));
  }
}

TEST_CASE("each term is once a leaf, and a plan's height is the tree's") {
  for (const std::string& text : testing::product_pipelines()) {
    CAPTURE(text);
    const Order order = parse_order(text);
    for (const std::size_t n : testing::boundary_sizes(512)) {
      CAPTURE(n);
      const std::vector<double> ones(n, 1);
      const TermView terms = view_of(ones.data(), n, testing::is_fused(text) ? ones.data() : nullptr);
      const auto plan = compile(order, n, {}, terms.products());
      const auto evaluator = Evaluator::make(plan, terms, 1);
      for (const std::uint64_t sample : {0u, 1u}) {
        const SummationTree tree = evaluator->tree(sample);
        std::vector<int> leaves(n, 0);
        for (SummationTree::Node node = n; node < tree.node_count(); ++node)
          for (const SummationTree::Node child : tree.children(node))
            if (tree.leaf(child)) ++leaves[child];
        if (tree.leaf(tree.roots()[0])) ++leaves[tree.roots()[0]];
        CHECK(leaves == std::vector<int>(n, 1));
        if (plan->heights().sum) CHECK(*plan->heights().sum == tree.height());
        CHECK(testing::evaluate_once(*evaluator, sample).height == tree.height());
      }
    }
  }
}

TEST_CASE("one plan serves other terms, other seeds and many threads") {
  constexpr std::size_t kTerms = 1500;
  constexpr std::uint64_t kSamples = 3;
  std::vector<TypedTerms> inputs;
  for (std::uint64_t seed = 1; seed <= 3; ++seed)
    inputs.emplace_back(Format::fp32,
                        testing::troublesome_numbers(seed, Format::fp32, testing::Trouble::near_one, kTerms));
  for (const std::string& text : testing::numeric_pipelines()) {
    CAPTURE(text);
    const Order order = parse_order(text);
    const Formats formats = parse_formats("fp32");
    const auto plan = compile(order, kTerms, formats);
    const auto run = [&](const std::shared_ptr<const Plan>& some, std::size_t i) {
      const auto evaluator = Evaluator::make(some, inputs[i % inputs.size()].view(), i / inputs.size());
      const auto scratch = evaluator->make_scratch();
      std::vector<std::uint64_t> bits;
      for (std::uint64_t sample = 0; sample < kSamples; ++sample)
        bits.push_back(evaluator->evaluate(sample, *scratch).bits);
      return bits;
    };
    std::vector<std::vector<std::uint64_t>> shared(2 * inputs.size());
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < shared.size(); ++i) threads.emplace_back([&, i] { shared[i] = run(plan, i); });
    for (std::thread& thread : threads) thread.join();
    for (std::size_t i = 0; i < shared.size(); ++i) CHECK(shared[i] == run(compile(order, kTerms, formats), i));
    CHECK(shared[0] != shared[1]);
  }
}

}  // namespace orderlab
