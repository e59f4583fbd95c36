// Recipes: which tables there are, what they are made of, and when they are needed for the last time.
#include "engine/recipes.hpp"

#include <doctest/doctest.h>

#include "engine/big_count.hpp"
#include "order/pipelines.hpp"
#include "order/trouble.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

Recipes of(std::string_view tail, std::size_t m) {
  const TypedTerms terms(Format::fp32, std::vector<double>(m, 0.1));
  const auto evaluator =
      Evaluator::make(parse_order("shuffle | " + std::string(tail)), terms.view(), parse_formats("fp32"), 1);
  return one_tree(evaluator->tail_tree());
}

BigCount binomial(std::size_t n, std::size_t k) { return factorial(n) / (factorial(k) * factorial(n - k)); }

/// For each table, how many orders a set of labelled partial sums has there.
std::vector<BigCount> counts_of(const Recipes& recipes) {
  std::vector<BigCount> counts{1};
  for (std::size_t r = 1; r < recipes.list.size(); ++r) {
    const Recipe& recipe = recipes.list[r];
    BigCount count = 0;
    for (std::size_t left = 0; left <= recipe.size; ++left) {
      const RecipePair* pair = recipe.pair(left);
      if (pair == nullptr) continue;
      if (left == recipe.size) {
        count += counts[pair->left];
        continue;
      }
      BigCount ways = binomial(recipe.size, left) * counts[pair->left] * counts[pair->right];
      if (pair->left == pair->right && !recipes.ordered) ways /= 2;
      count += ways;
    }
    counts.push_back(count);
  }
  return counts;
}

void check_uses(const Recipes& recipes) {
  for (std::size_t r = 0; r < recipes.list.size(); ++r) {
    std::size_t last = 0;
    for (std::size_t user = 0; user < recipes.list.size(); ++user)
      for (const RecipePair& pair : recipes.list[user].pairs)
        if (pair.left == r || pair.right == r) last = user;
    CHECK(recipes.list[r].last_use == last);
    if (r + 1 < recipes.list.size()) CHECK(last > r);
  }
}

}  // namespace

TEST_CASE("all trees: one table a size, and splits that count (2m-3)!! trees") {
  for (std::size_t m = 1; m <= 30; ++m) {
    CAPTURE(m);
    const Recipes recipes = all_trees(m);
    REQUIRE(recipes.list.size() == m);
    CHECK_FALSE(recipes.ordered);
    for (std::size_t r = 0; r < m; ++r) CHECK(recipes.list[r].size == r + 1);
    CHECK(counts_of(recipes).back() == tree_count(m));
    check_uses(recipes);
  }
}

TEST_CASE("one tree: equal shapes share a table, and m! assignments are counted") {
  struct Case {
    const char* tail;
    std::size_t m;
    std::size_t tables;
  };
  const Case cases[] = {
      {"halving(16)", 16, 5},
      {"adjacent(16)", 16, 5},
      {"pairwise", 16, 5},
      {"pairwise", 7, 5},    // 1, 2, 3 = 2 + 1, 4 = 2 + 2, 7 = 4 + 3
      {"halving(8)", 5, 4},  // 1, 2, 3 = 2 + 1, 5 = 3 + 2
      {"reverse | seq", 6, 6},
      {"seq(2) | seq", 8, 5},                           // 1, 2, 4, 6, 8
      {"chunks(3) | seq", 8, 5},                        // 1, 2, 3 = 2 + 1, 6 = 3 + 3, 8 = 6 + 2
      {"seq(2) | seq(1,acc=atomic) | pairwise", 8, 5},  // 1, 2, 2 started, 4, 8
      {"seq(1,from=zero) | pairwise", 4, 4},            // 1, 1 started, 2, 4
  };
  for (const Case& c : cases) {
    CAPTURE(std::string(c.tail));
    const Recipes recipes = of(c.tail, c.m);
    CHECK(recipes.ordered);
    CHECK(recipes.list.size() == c.tables);
    CHECK(recipes.list.back().size == c.m);
    CHECK(counts_of(recipes).back() == factorial(c.m));
    check_uses(recipes);
  }
}

TEST_CASE("shapes that differ in an operation have tables of their own") {
  const Recipes plain = of("seq(2) | seq(2) | pairwise", 8);
  const Recipes atomic = of("seq(2,acc=atomic) | seq(2) | pairwise", 8);
  CHECK(plain.list.size() == 4);
  CHECK(atomic.list.size() == 5);
  CHECK(atomic.list[1].operation == Operation::start_ftz);
  CHECK(atomic.list[2].operation == Operation::add_ftz);
  CHECK(atomic.list[3].operation == Operation::add);
}
