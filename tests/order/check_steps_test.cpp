// What the description of a stage must fulfil: the built-in ones do, and of a user's each fault is named.
#include "order/check_steps.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <vector>

#include "order/pipelines.hpp"
#include "orderlab/arrival.hpp"
#include "orderlab/error.hpp"
#include "orderlab/plan.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

using Tree = Combination::Tree;
using Kind = steps::Move::Kind;
using Join = steps::Fold::Join;

Stage stage_of(bool reduces, Steps (*describe)(const Arguments&, std::size_t, Format)) {
  return {.name = "own",
          .summary = "",
          .source = "",
          .parameters = {},
          .reduces = reduces,
          .guarantee = Guarantee::not_guaranteed,
          .describe = describe};
}

const Stage kArranging =
    stage_of(false, [](const Arguments&, std::size_t, Format) -> Steps { return {{steps::Move{}}}; });
const Stage kReducing =
    stage_of(true, [](const Arguments&, std::size_t m, Format) -> Steps { return {steps::add_runs(m)}; });
const Stage kDrawing = stage_of(
    true, [](const Arguments&, std::size_t, Format) -> Steps { return {steps::add({}, {.tree = Tree::drawn})}; });

/// What is wrong with the steps; empty if nothing is.
std::string problem(const Steps& steps, std::size_t m, const Stage& stage = kReducing) {
  const std::string head = "stage own: its description for " + std::to_string(m) + " partial sums is wrong: ";
  try {
    check_steps({&stage, {}}, steps, m);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::usage);
    const std::string text = error.what();
    REQUIRE(text.starts_with(head));
    return text.substr(head.size());
  }
  return "";
}

std::string problem_of(const Groups& groups, std::size_t m, const Combination& how = {}) {
  return problem({steps::add(groups, how)}, m);
}

std::string problem_of(const steps::Move& move, std::size_t m) { return problem({{move}}, m, kArranging); }

std::string problem_of_order(std::vector<std::uint32_t> order, std::size_t m) {
  return problem_of(
      steps::Move{.kind = Kind::given, .order = std::make_shared<const std::vector<std::uint32_t>>(std::move(order))},
      m);
}

Combination given(std::vector<Addition> additions) {
  return {.tree = Tree::given, .additions = std::make_shared<const std::vector<Addition>>(std::move(additions))};
}

ArrivalCall arrival(const std::string& model) {
  return parse_order("arrive(" + model + ") | seq").stages()[0].arguments.arrival(0);
}

Steps seq(std::size_t k) { return {steps::add_runs(k)}; }

constexpr const char* kOverlap = "groups overlap or are empty";

}  // namespace

TEST_CASE("the built-in stages fulfil what is asked of a description") {
  for (const std::string& text : product_pipelines()) {
    CAPTURE(text);
    const Order order = parse_order(text);
    for (const FormatInfo& f : kFormats)
      for (const std::size_t n : boundary_sizes(1024)) {
        CAPTURE(n);
        std::size_t m = n;
        for (const StageCall& call : order.stages()) {
          const Steps steps = describe(call, m, f.format);
          CHECK_NOTHROW(check_steps(call, steps, m));
          m = count_left(steps, m);
        }
      }
  }
  for (const char* text : {"numpy", "cub", "thrust", "cub_block_raking_commutative", "pairwise(128)", "tile(256,4,7)"})
    for (const std::size_t n : {8191u, 8192u, 8193u, 20'000u, 70'001u}) {
      CAPTURE(text);
      CAPTURE(n);
      std::size_t m = n;
      const Order order = parse_order(text);
      for (const StageCall& call : order.stages()) {
        const Steps steps = describe(call, m, Format::fp16);
        CHECK_NOTHROW(check_steps(call, steps, m));
        m = count_left(steps, m);
      }
    }
}

TEST_CASE("a user's stage is checked when an order with it is compiled") {
  static const Stage gap = stage_of(true, [](const Arguments&, std::size_t m, Format) -> Steps {
    return {steps::add({.members = m < 4 ? m : m - 1})};
  });
  static const Stage endless = stage_of(true, [](const Arguments&, std::size_t, Format) -> Steps {
    return {{steps::Within{0, {}, {}}}};
  });
  const Formats formats;
  CHECK(compile(Order({}, {{&gap, {}}}), 3, formats)->steps().size() == 1);
  CHECK_THROWS_WITH_AS(compile(Order({}, {{&gap, {}}}), 4, formats),
                       "stage own: its description for 4 partial sums is wrong: partial sum 3 is in no group", Error);
  CHECK_THROWS_WITH_AS(compile(Order({}, {{&endless, {}}}), 1, formats),
                       "stage own: its description for 1 partial sum is wrong: a Within of size 0", Error);
}

TEST_CASE("only steps of the stage itself draw or sort") {
  const Steps shuffled{{steps::Move{.kind = Kind::uniform}}, steps::add_runs(2)};
  const Steps arriving{{steps::Move{.kind = Kind::arrive, .arrival = arrival("uniform")}}, steps::add_runs(2)};
  const Steps drawn{steps::add({}, {.tree = Tree::drawn})};
  const Steps sorted{{steps::Move{.kind = Kind::by_value}}, steps::add_runs(2)};
  const std::string draws = "it draws inside another step";
  for (const Steps& inner : {shuffled, arriving, drawn}) {
    CHECK(problem({{steps::Within{2, inner, {}}}}, 4) == draws);
    CHECK(problem({{steps::Within{3, seq(3), inner}}}, 5) == draws);
    CHECK(problem({steps::split(4, 2, {}, [&](std::size_t) { return inner; })}, 4) == draws);
    CHECK(problem({{steps::Fold{2, 1, Join::last, inner, {}, {}}}}, 4) == draws);
    CHECK(problem({{steps::Fold{2, 1, Join::last, seq(2), inner, {}}}}, 4) == draws);
    CHECK(problem({{steps::Within{4, {{steps::Within{2, inner, {}}}, steps::add_runs(2)}, {}}}}, 4) == draws);
  }
  CHECK(problem({{steps::Fold{2, 1, Join::first, drawn, {}, {}}}}, 4) == draws);
  CHECK(problem({{steps::Within{2, sorted, {}}}}, 4) == "it sorts inside another step");
  const Steps launched{{steps::Move{.kind = Kind::arrive, .arrival = arrival("launch")}}, steps::add_runs(2)};
  CHECK(problem({{steps::Within{2, launched, {}}}}, 4) == "");
  CHECK(problem(drawn, 4, kDrawing) == "");
}

TEST_CASE("a given order names each position once, and a rotation starts at one of them") {
  CHECK(problem_of_order({2, 0, 1}, 3) == "");
  CHECK(problem_of_order({2, 0}, 3) == "its order is not one of 3 positions");
  CHECK(problem_of_order({2, 0, 1, 3}, 3) == "its order is not one of 3 positions");
  CHECK(problem_of_order({2, 0, 2}, 3) == "its order names position 2 twice");
  CHECK(problem_of_order({2, 0, 3}, 3) == "its order names position 3");
  CHECK(problem_of(steps::Move{.kind = Kind::given}, 3) == "its order is not one of 3 positions");
  CHECK(problem_of(steps::Move{.start = 2}, 3) == "");
  CHECK(problem_of(steps::Move{.start = 3}, 3) == "it rotates by too many places");
  CHECK(problem({steps::move(3, [](std::size_t) { return 1; })}, 3, kArranging) == "its order names position 1 twice");
}

TEST_CASE("groups take every partial sum once") {
  CHECK(problem_of({.first = 1}, 3) == "partial sum 0 is in no group");
  CHECK(problem_of({.members = 2}, 3) == "partial sum 2 is in no group");
  CHECK(problem_of({.count = 2, .stride = 3, .members = 2}, 6) == "partial sum 2 is in no group");
  CHECK(problem_of({.count = 2, .stride = 2, .members = 3}, 5) == "partial sum 2 is in two groups");
  CHECK(problem_of({.count = 2, .stride = 2}, 4) == "partial sum 2 is in two groups");
  CHECK(problem({{steps::Add{{{.members = 2}, {.first = 1, .place = 1}}}}}, 4) == "partial sum 1 is in two groups");
  CHECK(problem_of({.count = 3, .stride = 2, .items = 2, .pass = 4}, 12) == "partial sum 4 is in two groups");
  CHECK(problem_of({.count = 2, .stride = 2, .items = 2, .pass = 5}, 9) == "partial sum 4 is in no group");
  CHECK(problem({{steps::Add{}}}, 2) == "partial sum 0 is in no group");
}

TEST_CASE("groups have members, and a shape") {
  CHECK(problem_of({.step = 0}, 3) == kOverlap);
  CHECK(problem_of({.width = 0}, 3) == kOverlap);
  CHECK(problem_of({.members = 0}, 3) == kOverlap);
  CHECK(problem_of({.items = 0, .pass = 1}, 3) == kOverlap);
  CHECK(problem_of({.count = 2, .stride = 0}, 3) == kOverlap);
  CHECK(problem_of({.width = 3, .step = 2}, 6) == kOverlap);
  CHECK(problem_of({.count = 2, .stride = 2, .width = 3, .step = 3}, 6) == kOverlap);
  CHECK(problem_of({.count = 2, .stride = 9, .width = 10, .step = 10}, 6) == "");  // the second one is absent
  CHECK(problem_of({.items = 3, .pass = 2}, 6) == kOverlap);
  CHECK(problem({{steps::Add{{{}, {.count = 0, .stride = 0, .members = 0}, {.first = 3, .members = 0}}}}}, 3) == "");
}

TEST_CASE("each sum has a place of its own") {
  const auto places = [](std::size_t first, std::size_t second) {
    return problem({{steps::Add{{{.members = 2, .place = first}, {.first = 2, .place = second}}}}}, 5);
  };
  CHECK(places(0, 1) == "");
  CHECK(places(1, 0) == "");
  CHECK(places(0, 0) == "a second sum at place 0, or one past the 2");
  CHECK(places(0, 2) == "a second sum at place 2, or one past the 2");
}

TEST_CASE("a combination fits the groups") {
  CHECK(problem_of({}, 4, {.tree = Tree::halves, .width = 4}) == "");
  CHECK(problem_of({}, 5, {.tree = Tree::halves, .width = 4}) == "it halves a group of 5 in a width of 4");
  CHECK(problem_of({}, 5, {.tree = Tree::halves, .width = 6}) == "a width is no power of two");
  CHECK(problem_of({}, 5, {.tree = Tree::halves}) == "a width is no power of two");
  CHECK(problem_of({}, 3, {.tree = Tree::given}) == "a given tree has no additions");
  CHECK(problem_of({}, 3, given({{0, 1}})) == "1 additions are given for a group of 3");
  CHECK(problem_of({}, 3, given({{0, 1}, {0, 2}, {0, 1}})) == "3 additions are given for a group of 3");
  CHECK(problem_of({}, 3, given({{0, 1}, {0, 3}})) == "in a group of 3 member 3 cannot be added to 0");
  CHECK(problem_of({}, 3, given({{3, 1}, {0, 2}})) == "in a group of 3 member 1 cannot be added to 3");
  CHECK(problem_of({}, 3, given({{0, 1}, {0, 1}})) == "in a group of 3 member 1 cannot be added to 0");
  CHECK(problem_of({}, 3, given({{0, 1}, {1, 2}})) == "in a group of 3 member 2 cannot be added to 1");
  CHECK(problem_of({}, 3, given({{0, 0}, {1, 2}})) == "in a group of 3 member 0 cannot be added to 0");
  CHECK(problem_of({.count = 2, .stride = 2, .members = 2}, 3, given({{0, 1}})) ==
        "1 additions are given for a group of 1");
  CHECK(problem({steps::add({.count = 2, .stride = 2, .members = 2}, {.tree = Tree::drawn})}, 4, kDrawing) ==
        "a drawn tree is not over all partial sums");
}

TEST_CASE("groups that are added abreast are whole, and plain") {
  const Groups lanes{.width = 2, .step = 2, .members = 2, .abreast = true};
  CHECK(problem_of(lanes, 4) == "");
  CHECK(problem_of(lanes, 3) == "a group that is added abreast lacks members");
  CHECK(problem_of({.width = 4, .step = 4, .members = 1, .abreast = true}, 3) ==
        "groups that are added abreast are absent");
  CHECK(problem_of({.count = 2, .stride = 4, .width = 2, .step = 2, .members = 2, .abreast = true}, 4) ==
        "groups that are added abreast are absent");
  CHECK(problem_of({.width = 2, .step = 2, .abreast = true}, 4) == "a group that is added abreast lacks members");
  const std::string plain = "only plain sums without passes are added abreast";
  CHECK(problem_of(lanes, 4, {.from_zero = true}) == plain);
  CHECK(problem_of(lanes, 4, {.accumulate = Accumulate::kahan}) == plain);
  CHECK(problem_of(lanes, 4, {.tree = Tree::neighbours}) == plain);
  CHECK(problem_of({.width = 2, .step = 2, .members = 2, .items = 1, .pass = 2, .abreast = true}, 4) == plain);
}

TEST_CASE("products are fused by the first step that adds") {
  const Combination fma{.accumulate = Accumulate::fma};
  const std::string late = "it fuses products after another addition or inside another step";
  CHECK(problem({steps::add_runs(4, fma)}, 4) == "");
  CHECK(problem({{steps::Move{}}, steps::add_runs(2, fma), steps::add_runs(2)}, 4) == "");
  CHECK(problem({steps::add_runs(2), steps::add_runs(2, fma)}, 4) == late);
  CHECK(problem({{steps::Within{2, {steps::add_runs(2, fma)}, {}}}}, 4) == "");
  CHECK(problem({{steps::Within{2, {steps::add_runs(2), steps::add_runs(1, fma)}, {}}}}, 4) == late);
  CHECK(problem({{steps::Fold{2, 1, Join::last, {steps::add_runs(2, fma)}, {}, {}}}}, 4) == late);
  CHECK(problem({{steps::Fold{2, 1, Join::first, {steps::add_runs(2, fma)}, {}, {}}}}, 4) == late);
  const auto split = [&](const Combination& of_two, const Combination& of_three) {
    return problem({steps::split(5, 3, {},
                                 [&](std::size_t size) -> Steps {
                                   return {steps::add_runs(size, size == 3 ? of_three : of_two)};
                                 })},
                   5);
  };
  CHECK(split(fma, fma) == "");
  CHECK(split({}, {}) == "");
  CHECK(split(fma, {}) == late);  // the part of three comes first
  CHECK(problem({steps::split(4, 2, {},
                              [&](std::size_t) -> Steps {
                                return {steps::add_runs(1), steps::add_runs(2, fma)};
                              })},
                4) == late);
}

TEST_CASE("parts that occur have steps, and leave what they must") {
  CHECK(problem({{steps::Within{3, seq(3), {}}}}, 6) == "");
  CHECK(problem({{steps::Within{3, seq(3), {}}}}, 7) == "there are no steps for a part of 1");
  CHECK(problem({{steps::Within{3, {}, seq(1)}}}, 7) == "there are no steps for a part of 3");
  CHECK(problem({{steps::Within{3, {}, seq(2)}}}, 2) == "");
  CHECK(problem({{steps::Within{3, {steps::add({.members = 2})}, {}}}}, 3) == "partial sum 2 is in no group");
  CHECK(problem({{steps::Within{0, seq(1), seq(1)}}}, 3) == "a Within of size 0");

  const auto two = [](std::size_t) { return seq(2); };
  CHECK(problem({steps::split(5, 2, {}, seq)}, 5) == "");
  CHECK(problem({steps::split(5, 3, {}, two)}, 5) == "a part of a Split leaves more than one sum");
  CHECK(problem({steps::split(5, 2, {}, seq)}, 9) == "");
  CHECK(problem({steps::split(5, 3, {}, seq)}, 4) == "");
  CHECK(problem({steps::split(6, 3, {}, seq)}, 5) == "a Split has no steps for a part of 2");
  CHECK(problem({steps::split(5, 4, {.larger_first = false, .multiple = 4}, seq)}, 5) ==
        "a Split leaves one part empty");
  CHECK(problem({steps::split(2, 0, {}, seq)}, 2) == "a Split leaves one part empty");
}

TEST_CASE("the tiles of a fold leave what can be joined") {
  const auto last = [](Steps initial, Steps later, Steps rest, std::size_t m) {
    return problem({{steps::Fold{3, 2, Join::last, std::move(initial), std::move(later), std::move(rest)}}}, m);
  };
  CHECK(last(seq(3), {}, seq(2), 8) == "");
  CHECK(last({}, {}, seq(2), 2) == "");
  CHECK(last({}, {}, seq(2), 3) == "there are no steps for a part of 3");
  CHECK(last(seq(3), {}, {}, 8) == "there are no steps for a part of 2");
  CHECK(last(seq(3), seq(2), seq(2), 6) == "");  // there is no later tile
  CHECK(last(seq(3), seq(2), seq(2), 9) == "a tile of a Fold that joins last leaves more than one sum");
  CHECK(last(seq(3), {}, seq(1), 8) == "a tile of a Fold that joins last leaves more than one sum");
  CHECK(problem({{steps::Fold{0, 1, Join::last, seq(1), {}, {}}}}, 3) == "a Fold has no tiles or no thread blocks");
  CHECK(problem({{steps::Fold{1, 0, Join::last, seq(1), {}, {}}}}, 3) == "a Fold has no tiles or no thread blocks");
  CHECK(problem({{steps::Fold{1, 1, Join::first, seq(1), {}, {}, true}}}, 3) == "only sums that join last are wide");

  const auto first = [](Steps initial, Steps later, Steps rest, std::size_t m) {
    return problem({{steps::Fold{4, 1, Join::first, std::move(initial), std::move(later), std::move(rest)}}}, m);
  };
  CHECK(first(seq(2), {}, seq(2), 11) == "");
  CHECK(first(seq(2), {}, seq(1), 11) == "the shorter tile of a Fold leaves more sums than a whole one");
  CHECK(first({}, {}, seq(1), 3) == "");
  CHECK(first(seq(2), seq(4), {}, 8) == "a later tile of a Fold leaves another number of sums");
  CHECK(first({{steps::Move{}}, steps::add_runs(2)}, {}, {}, 8) == "a tile of a Fold that joins first is not one Add");
  CHECK(first({}, {}, {}, 8) == "a tile of a Fold that joins first is not one Add");
  // The sum that is kept is one member more.
  const Combination in_four{.tree = Tree::halves, .width = 4};
  CHECK(first({steps::add_runs(4, in_four)}, {}, {}, 4) == "");
  CHECK(first({steps::add_runs(4, in_four)}, {}, {}, 8) == "it halves a group of 5 in a width of 4");
  const Combination two = given({{0, 1}});
  CHECK(first({steps::add_runs(2, two)}, {steps::add_runs(2, given({{0, 1}, {0, 2}}))}, {}, 8) == "");
  CHECK(first({steps::add_runs(2, two)}, {}, {}, 8) == "1 additions are given for a group of 3");
}

TEST_CASE("a stage says whether it reduces, and is random or not for every number of partial sums") {
  CHECK(problem({{steps::Move{}}}, 3) == "it adds nothing, and the stage says that it reduces");
  CHECK(problem(seq(3), 3, kArranging) == "it adds, and the stage says that it arranges");
  const std::string other = "it has other kinds of steps than for one partial sum";
  CHECK(problem({{steps::Move{.kind = Kind::uniform}}}, 3, kArranging) == other);
  CHECK(problem({{steps::Move{.kind = Kind::by_value}}}, 3, kArranging) == other);
  CHECK(problem(seq(3), 3, kDrawing) == other);
  CHECK(problem({{steps::Move{}}, steps::add({}, {.tree = Tree::drawn})}, 3, kDrawing) == other);
  CHECK(problem({{steps::Move{}}, steps::add_runs(2), steps::add_runs(9)}, 3) == "");
}
