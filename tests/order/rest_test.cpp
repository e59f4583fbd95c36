// Stages of vector loops and of their remainders against straightforward definitions (loop_definitions.hpp).
#include <doctest/doctest.h>

#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

#include "order/loop_definitions.hpp"
#include "orderlab/error.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

std::string tree_of(const std::string& order, std::size_t n, bool products = false) {
  const std::vector<double> x(n, 1.5);
  const TypedTerms terms = products ? TypedTerms(Format::fp64, x, x) : TypedTerms(Format::fp64, x);
  return text_of(Evaluator::make(parse_order(order), terms.view(), {}, 1)->tree(0));
}

/// What is wrong with the order, the first stage of which is refused.
std::string refusal(const std::string& order) {
  const std::string prefix = "order '" + order + "': position 1: ";
  try {
    parse_order(order);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::usage);
    const std::string text = error.what();
    REQUIRE(text.starts_with(prefix));
    return text.substr(prefix.size());
  }
  return "";
}

}  // namespace

TEST_CASE("strided with rest=keep leaves what fills no row") {
  for (const std::size_t w : {1u, 2u, 3u, 8u, 16u, 70u}) {
    compare(numbered("strided(#,rest=keep) | seq", {w}), [&](const auto& x) { return in_turn(strided(x, w)); });
    compare(numbered("strided(#,rest=keep) | pairwise", {w}),
            [&](const auto& x) { return split(strided(x, w), 1, true); });
  }
  compare("strided(4,u=3,rest=keep) | seq", [](const auto& x) { return in_turn(strided(x, 12)); });
  compare("strided(4,u=3) | seq", [](const auto& x) {
    using T = typename std::decay_t<decltype(x)>::value_type;
    return in_turn(columns(x, 12, in_turn<T>));
  });
}

TEST_CASE("runs of halving, adjacent and seq with rest=keep leave a shorter run as it is") {
  for (const std::size_t k : {1u, 2u, 4u, 16u, 64u}) {
    compare(numbered("halving(#,rest=keep) | seq", {k}), [&](const auto& x) {
      return in_turn(by_runs(x, k, Rest::keep, [&](const auto& run) { return halved(run, k, 1); }));
    });
    compare(numbered("adjacent(#,rest=keep) | seq", {k + 1}), [&](const auto& x) {
      using Runs = std::decay_t<decltype(x)>;
      return in_turn(by_runs(x, k + 1, Rest::keep, [](const auto& run) { return Runs{neighbours(run)}; }));
    });
    compare(numbered("seq(#,rest=keep) | pairwise", {k + 1}), [&](const auto& x) {
      using Runs = std::decay_t<decltype(x)>;
      return split(by_runs(x, k + 1, Rest::keep, [](const auto& run) { return Runs{in_turn(run)}; }), 1, true);
    });
  }
}

TEST_CASE("halving stops where it is told to") {
  for (const Rest rest : {Rest::add, Rest::keep})
    for (const std::size_t k : {2u, 8u, 32u})
      for (std::size_t to = 1; to <= k; to *= 2)
        compare(numbered("halving(#,to=#", {k, to}) + (rest == Rest::keep ? ",rest=keep) | seq" : ") | seq"),
                [&](const auto& x) {
                  return in_turn(by_runs(x, k, rest, [&](const auto& run) { return halved(run, k, to); }));
                });
}

TEST_CASE("lanes add the rows of each run, in turn or as a tree, and may go on halving") {
  for (const Rest rest : {Rest::add, Rest::keep})
    for (const std::size_t w : {1u, 4u, 8u})
      for (const std::size_t u : {1u, 3u, 4u})
        for (const bool tree : {false, true})
          for (const std::size_t to : {0u, 1u, 4u}) {
            if (to > w) continue;
            const std::string order = numbered("lanes(#,#", {w, u}) + (rest == Rest::keep ? ",rest=keep" : "") +
                                      (tree ? ",rows=adjacent" : "") + (to > 0 ? numbered(",to=#", {to}) : "");
            compare(order + ") | seq", [&](const auto& x) {
              using T = typename std::decay_t<decltype(x)>::value_type;
              return in_turn(by_runs(x, w * u, rest, [&](const auto& run) {
                const auto lanes =
                    columns(run, w, [&](const std::vector<T>& v) { return tree ? neighbours(v) : in_turn(v); });
                return to == 0 ? lanes : halved(lanes, w, to);
              }));
            });
          }
}

TEST_CASE("lanes with rest=carry add the last sum to the first of the rest") {
  CHECK(tree_of("lanes(2,1,to=1,rest=carry) | pairwise", 1) == "0");
  CHECK(tree_of("lanes(2,1,to=1,rest=carry) | pairwise", 4) == "((0+1)+(2+3))");
  CHECK(tree_of("lanes(2,1,to=1,rest=carry) | pairwise", 5) == "((0+1)+((2+3)+4))");
  CHECK(tree_of("lanes(2,2,to=1,rest=carry) | pairwise", 7) == "(((((0+2)+(1+3))+4)+5)+6)");
}

TEST_CASE("pairwise with half=down gives the right half the odd one") {
  CHECK(tree_of("pairwise(half=down)", 5) == "((0+1)+(2+(3+4)))");
  for (const std::size_t base : {1u, 3u, 8u}) {
    compare(numbered("pairwise(#,half=down)", {base}), [&](const auto& x) { return split(x, base, false); });
    compare(numbered("pairwise(#,half=up)", {base}), [&](const auto& x) { return split(x, base, true); });
  }
}

TEST_CASE("what is kept does not go through an accumulator that would change it") {
  CHECK(tree_of("strided(2,from=zero,rest=keep) | seq", 5) == "(((0+0+2)+(0+1+3))+4)");
  CHECK(tree_of("strided(2,from=zero,rest=keep) | seq", 1) == "0");
  CHECK(tree_of("seq(2,acc=atomic,rest=keep) | seq", 3) == "((0~0~1)+2)");
  CHECK(tree_of("seq(2,acc=kahan,rest=keep) | seq", 3) == "(kahan[0,1]+2)");
  CHECK(tree_of("lanes(2,2,acc=neumaier,rest=keep) | seq", 6) == "(((neumaier[0,2]+neumaier[1,3])+4)+5)");
  CHECK(tree_of("strided(2,acc=fma,rest=keep) | seq", 5, true) == "((fma[r(0),2]+fma[r(1),3])+fma[r(4)])");
}

TEST_CASE("canonical texts leave out what is the default") {
  const auto canonical = [](const char* text) { return parse_order(text).expression(); };
  CHECK(canonical("strided(8,rest=add,u=1) | seq") == "strided(8) | seq");
  CHECK(canonical("strided(8,u=4,rest=keep) | seq") == "strided(8,rest=keep,u=4) | seq");
  CHECK(canonical("halving(8,rest=keep,to=1) | seq") == "halving(8,rest=keep) | seq");
  CHECK(canonical("lanes(8,u=4,rows=seq,rest=carry,to=1,from=first) | seq") ==
        "lanes(8,4,from=first,rest=carry,to=1) | seq");
  CHECK(canonical("lanes(8,4,rows=adjacent) | seq") == "lanes(8,4,rows=adjacent) | seq");
  CHECK(canonical("pairwise(half=up)") == "pairwise");
  CHECK(canonical("pairwise(4,half=down)") == "pairwise(4,half=down)");
}

TEST_CASE("refusals of these options say what would be right") {
  CHECK(refusal("seq(rest=keep)") == "seq(rest=keep): without k there is no rest; give k, such as seq(8,rest=keep)");
  CHECK(refusal("halving(8,to=3) | seq") == "halving: to=3 must be a power of two, such as 2 or 4");
  CHECK(refusal("halving(8,to=16) | seq") == "halving: to=16 is more than k = 8; to must be at most k");
  CHECK(refusal("lanes(6,4,to=2) | seq") == "lanes: with to=, w = 6 must be a power of two, such as 4 or 8");
  CHECK(refusal("lanes(8,4,rest=carry) | seq") ==
        "lanes: rest=carry adds the one sum of a run to the rest; give to=1 as well");
  CHECK(refusal("lanes(8,4,rows=adjacent,from=zero) | seq") ==
        "lanes: rows=adjacent adds a tree, which has no accumulator; leave out acc= and from=");
  CHECK(refusal("lanes(2^20,2^20) | seq") == "lanes: w * u is too large (below 2^32)");
  CHECK(refusal("strided(2^20,u=2^20) | seq") == "strided: w * u is too large (below 2^32)");
  CHECK(refusal("strided(8,acc=fma,from=zero,rest=keep) | seq") ==
        "strided: with acc=fma, rest=keep leaves rounded products and from=zero would fuse them into +0.0; leave out "
        "one of the two");
}
