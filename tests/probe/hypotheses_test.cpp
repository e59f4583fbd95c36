#include "probe/hypotheses.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "orderlab/error.hpp"
#include "orderlab/evaluator.hpp"
#include "orderlab/terms.hpp"
#include "probe/order_key.hpp"

using namespace orderlab;

namespace {

// The hypothesis with that name, its first one or another.
const Hypothesis* hypothesis_of(const std::vector<Hypothesis>& all, const std::string& text) {
  const auto is = [&](const WrittenOrder& order) { return order.text == text; };
  const auto found = std::find_if(all.begin(), all.end(), [&](const Hypothesis& h) {
    return is(h) || std::any_of(h.also.begin(), h.also.end(), is);
  });
  return found == all.end() ? nullptr : &*found;
}

std::uint64_t key_of(const std::string& text, std::size_t n, bool products = false, Format format = Format::fp32) {
  return order_key(parse_order(text), n, products, format);
}

}  // namespace

TEST_CASE("hypotheses are fixed, valid for n, and read back from their text") {
  for (const std::size_t n : std::vector<std::size_t>{1, 2, 3, 7, 8, 31, 32, 33, 64, 101, 256, 1000, 1025}) {
    for (const bool products : {false, true}) {
      CAPTURE(n);
      const std::vector<Hypothesis> all = hypotheses(n, products, Format::fp32);
      REQUIRE_FALSE(all.empty());
      for (const Hypothesis& hypothesis : all) {
        CAPTURE(hypothesis.text);
        CHECK_FALSE(hypothesis.order.random());
        CHECK_NOTHROW(hypothesis.order.check(n, products, Format::fp32));
        CHECK(parse_order(hypothesis.text).expression() == hypothesis.order.expression());
      }
    }
  }
}

TEST_CASE("no two hypotheses add the same tree") {
  for (const std::size_t n : std::vector<std::size_t>{5, 64, 300}) {
    std::map<std::uint64_t, std::string> texts;
    for (const Hypothesis& hypothesis : hypotheses(n, true, Format::fp32)) {
      const auto [at, added] = texts.emplace(order_key(hypothesis.order, n, true, Format::fp32), hypothesis.text);
      CHECK_MESSAGE(added, hypothesis.text << " is " << at->second << " for " << n);
    }
  }
  CHECK(hypotheses(1, false, Format::fp32).size() == 1);
}

TEST_CASE("a hypothesis with a name keeps it, and its arguments") {
  const std::vector<Hypothesis> all = hypotheses(10'000, false, Format::fp32);
  for (const std::string text :
       {"sequential", "pairwise", "numpy", "simd", "simd(16)", "simd(32)", "cub_warp", "sprg(128,4)", "cub(1)",
        "reverse | seq", "seq(acc=kahan)", "seq(acc=neumaier)", "strided(3) | seq", "adjacent(4) | seq",
        "adjacent(16384)", "nccl_ring", "chunks(6) | seq", "pairwise(5)"})
    CHECK_MESSAGE(hypothesis_of(all, text) != nullptr, text);
  CHECK(all.front().text == "sequential");
  CHECK(hypothesis_of(all, "simd(16)")->order.name() == "simd");
  CHECK(hypothesis_of(all, "seq(acc=fma)") == nullptr);
  CHECK(hypothesis_of(all, "ompi_ring")->text == "sequential");
  CHECK(hypothesis_of(hypotheses(1000, true, Format::fp32), "seq(acc=fma)") != nullptr);
  CHECK(hypothesis_of(hypotheses(8, false, Format::fp32), "strided(16) | seq") == nullptr);
}

TEST_CASE("a named loop stays one where n leaves its later stages nothing to add") {
  const std::vector<Hypothesis> all = hypotheses(64, false, Format::fp32);
  for (const std::string text : {"gcc_simd(4,1)", "gcc_simd", "clang_simd", "eigen", "eigen(8)"}) {
    const bool there = std::any_of(all.begin(), all.end(), [&](const Hypothesis& hypothesis) {
      return hypothesis.text == text || std::any_of(hypothesis.also.begin(), hypothesis.also.end(),
                                                    [&](const WrittenOrder& order) { return order.text == text; });
    });
    CHECK_MESSAGE(there, text);
  }
}

TEST_CASE("every named order is among the hypotheses, random ones in launch order") {
  for (const std::size_t n : std::vector<std::size_t>{4, 100, 1000}) {
    std::vector<std::uint64_t> keys;
    for (const Hypothesis& hypothesis : hypotheses(n, false, Format::fp32))
      keys.push_back(order_key(hypothesis.order, n, false, Format::fp32));
    for (const NamedOrder& named : named_orders()) {
      CAPTURE(named.name);
      const Order order = parse_order(named.name).fixed_form();
      try {
        order.check(n, false, Format::fp32);
      } catch (const Error&) {
        continue;  // as cg for 4 terms
      }
      CHECK(std::find(keys.begin(), keys.end(), order_key(order, n, false, Format::fp32)) != keys.end());
    }
  }
}

TEST_CASE("a key tells trees and accumulators apart, and nothing else") {
  CHECK(key_of("seq", 10) == key_of("sequential", 10));
  CHECK(key_of("strided(10) | seq", 10) == key_of("seq", 10));
  CHECK(key_of("seq(from=zero)", 10) == key_of("seq", 10));
  CHECK(key_of("seq(acc=atomic)", 10) == key_of("seq", 10));
  CHECK(key_of("reverse | seq", 2) == key_of("seq", 2));  // a + b is b + a
  CHECK(key_of("reverse | seq", 3) != key_of("seq", 3));
  CHECK(key_of("halving(4)", 4) != key_of("adjacent(4)", 4));
  CHECK(key_of("seq(acc=kahan)", 10) != key_of("seq", 10));
  CHECK(key_of("seq(acc=kahan)", 10) != key_of("seq(acc=neumaier)", 10));
  CHECK(key_of("seq(acc=fma)", 10, true) != key_of("seq", 10, true));
  CHECK(key_of("cub", 5000, false, Format::bf16) != key_of("cub", 5000, false, Format::fp32));
  for (const char* text : {"shuffle | seq", "sort | seq"}) CHECK_THROWS_AS(key_of(text, 10), Error);
  CHECK_THROWS_AS(key_of("strided(4)", 10), Error);
}

TEST_CASE("orders with different sums have different keys") {
  std::vector<float> terms(200);
  for (std::size_t i = 0; i < terms.size(); ++i)
    terms[i] = 1 / static_cast<float>(i + 1) * (i % 3 == 0 ? 1.0f : -1.0f) * static_cast<float>(1 << (i * 7 % 11));
  std::map<std::uint64_t, std::pair<std::uint64_t, std::string>> sums;  // by key
  const Formats formats = {Format::fp32, Format::fp32, Format::fp32};
  for (const NamedOrder& named : named_orders()) {
    const Order order = parse_order(named.name).fixed_form();
    const auto evaluator = Evaluator::make(order, view_of(terms.data(), terms.size()), formats, 1);
    const auto scratch = evaluator->make_scratch();
    const std::uint64_t bits = evaluator->evaluate(0, *scratch).bits;
    const auto [at, added] =
        sums.emplace(order_key(order, terms.size(), false, Format::fp32), std::pair(bits, std::string(named.name)));
    CHECK_MESSAGE(at->second.first == bits, named.name << " and " << at->second.second);
  }
}

TEST_CASE("hypotheses of no terms are refused") { CHECK_THROWS_AS(hypotheses(0, false, Format::fp32), Error); }
