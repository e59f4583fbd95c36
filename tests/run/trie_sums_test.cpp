// Orders that are run together have the sums and the trees that each has alone.
#include "run/trie_sums.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "order/equal_steps.hpp"
#include "order/left_to_right.hpp"
#include "orderlab/error.hpp"
#include "orderlab/evaluator.hpp"
#include "orderlab/terms.hpp"
#include "probe/hypotheses.hpp"
#include "probe/order_key.hpp"

using namespace orderlab;

namespace {

Terms terms_of(Format format, std::size_t n, bool products) {
  Terms terms(format, n);
  for (std::size_t i = 0; i < n; ++i) terms.set(i, (i % 3 == 1 ? -1.0 : 1.0) / static_cast<double>(i % 97 + 1));
  if (!products) return terms;
  Terms factors(format, n);
  for (std::size_t i = 0; i < n; ++i) factors.set(i, 1.0 + static_cast<double>(i % 13) / 7);
  terms.multiply_by(std::move(factors));
  return terms;
}

bool fuse(const KnownOrder& order) {
  return std::any_of(order.stages.begin(), order.stages.end(), [](const Steps& steps) { return fuses(steps); });
}

}  // namespace

TEST_CASE("orders that are run together have the bits of each alone") {
  for (const char* const text : {"fp32", "fp64", "fp16:fp32:fp16", "bf16", "fp64:fp32:bf16"}) {
    const Formats formats = parse_formats(text);
    for (const std::size_t n : std::vector<std::size_t>{1, 2, 33, 700}) {
      for (const bool products : {false, true}) {
        const Terms terms = terms_of(formats.terms, n, products);
        const std::vector<KnownOrder> known = known_orders(n, products, formats.accumulate);
        for (const bool fused : {false, true}) {
          StageTrie trie(n);
          std::vector<std::uint64_t> sums(known.size());
          std::size_t added = 0;
          for (std::size_t i = 0; i < known.size(); ++i)
            if (fuse(known[i]) == fused) {
              trie.add(known[i].stages, i);
              ++added;
            }
          std::size_t branches = 0;
          std::size_t ended = 0;
          trie_sums(
              trie, terms.view(), formats, fused, serial_loop,
              [&](std::span<const std::size_t> some, std::uint64_t bits) {
                for (const std::size_t i : some) sums[i] = bits;
                ended += some.size();
              },
              [&](std::size_t) { ++branches; });
          CHECK(ended == added);
          CHECK(branches == trie.first().size());
          for (std::size_t i = 0; i < known.size(); i += 3) {
            if (fuse(known[i]) != fused) continue;
            CAPTURE(known[i].text);
            CAPTURE(n);
            const auto evaluator = Evaluator::make(known[i].order, terms.view(), formats, 1);
            CHECK(sums[i] == evaluator->evaluate(0, *evaluator->make_scratch()).bits);
          }
        }
      }
    }
  }
}

TEST_CASE("orders that are compared together have the key of each alone") {
  for (const std::size_t n : std::vector<std::size_t>{1, 5, 100, 3000}) {
    const std::vector<KnownOrder> known = known_orders(n, true, Format::fp32);
    StageTrie trie(n);
    for (std::size_t i = 0; i < known.size(); ++i) trie.add(known[i].stages, i);
    std::vector<std::uint64_t> keys(known.size());
    trie_keys(
        trie, serial_loop,
        [&](std::span<const std::size_t> some, std::uint64_t key) {
          for (const std::size_t i : some) keys[i] = key;
        },
        [](std::size_t) {});
    for (std::size_t i = 0; i < known.size(); i += 2) {
      CAPTURE(known[i].text);
      CHECK(keys[i] == order_key(known[i].order, n, true, Format::fp32));
    }
  }
}

TEST_CASE("orders that begin alike share what their first stages leave") {
  const std::size_t n = 1000;
  StageTrie trie(n);
  std::size_t i = 0;
  for (const char* text : {"strided(8) | seq", "strided(8) | adjacent(8)", "simd(8)", "strided(8) | seq", "strided(4,u=2) | seq"})
    trie.add(parse_order(text).describe(n, false, Format::fp32), i++);
  REQUIRE(trie.first().size() == 1);
  const StageTrie::Node& lanes = trie.node(trie.first()[0]);
  CHECK(lanes.in == n);
  CHECK(lanes.out == 8);
  CHECK(lanes.next.size() == 3);
  CHECK(trie.node(lanes.next[0]).orders == std::vector<std::size_t>{0, 3, 4});
  CHECK(trie.cost(trie.first()[0]) == n + 3 * 8);
  CHECK(trie.most_held() == 8 + 1);
}

TEST_CASE("steps are equal if all that they say is") {
  const auto steps = [](const char* text, std::size_t n = 100) {
    return parse_order(text).describe(n, false, Format::fp32).front();
  };
  for (const char* text : {"seq", "seq(acc=kahan)", "reverse | seq", "adjacent(128)", "pairwise(5)", "numpy", "cub(2)",
                           "sprg(4,2)", "nccl_tree", "tbb_deterministic"})
    CHECK(equal(steps(text), steps(text)));
  CHECK_FALSE(equal(steps("seq"), steps("seq(acc=kahan)")));
  CHECK_FALSE(equal(steps("seq"), steps("seq(from=zero)")));
  CHECK_FALSE(equal(steps("pairwise(5)"), steps("pairwise(6)")));
  CHECK_FALSE(equal(steps("pairwise(4)"), steps("pairwise(4,half=down)")));
  CHECK_FALSE(equal(steps("strided(4) | seq"), steps("strided(5) | seq")));
  CHECK_FALSE(equal(steps("sprg(4,2)"), steps("sprg(4,3)")));
  CHECK_FALSE(equal(steps("nccl_tree(4)"), steps("nccl_tree(8)")));
  CHECK_FALSE(equal(steps("reverse | seq"), steps("seq")));
  CHECK(equal(steps("simd(4)"), steps("strided(4) | seq")));
}
