// Boxes whose bits or masks alone would name a wrong order.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "orderlab/error.hpp"
#include "orderlab/format.hpp"
#include "probe/model_boxes.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

float pairwise(const std::vector<float>& x, std::size_t begin, std::size_t end) {
  if (end - begin == 1) return x[begin];
  const std::size_t middle = begin + (end - begin + 1) / 2;
  return pairwise(x, begin, middle) + pairwise(x, middle, end);
}

float largest(const std::vector<float>& x) {
  float most = 0;
  for (const float term : x) most = std::max(most, std::fabs(term));
  return most;
}

// Blocks of terms or products, each added to a sum in fp32 with one rounding (two of long double), as tensor cores do.
BoxMaker block_box(std::size_t block, bool products) {
  return function_box(
      "blocks",
      [block](const TermView& terms) {
        float sum = 0;
        for (std::size_t first = 0; first < terms.n; first += block) {
          long double part = static_cast<long double>(sum);
          for (std::size_t i = first; i < std::min(first + block, terms.n); ++i)
            part += static_cast<long double>(terms.left(i)) * static_cast<long double>(terms.right(i));
          sum = static_cast<float>(part);
        }
        return value_of_bits(terms.format, round_to_bits(terms.format, static_cast<double>(sum)));
      },
      products);
}

}  // namespace

TEST_CASE("sums of fp16 terms that are nearly always exact are evidence of no order") {
  for (const std::size_t block : {std::size_t{4}, std::size_t{16}})
    for (const bool products : {false, true}) {
      CAPTURE(block);
      CAPTURE(products);
      const ProbedOrder found = probed(block_box(block, products), 64, Format::fp16);
      CHECK(found.verdict != ProbeVerdict::named);
      CHECK(found.orders.empty());
      CHECK_FALSE(mentions(found.reason, "sorted"));
      CHECK_FALSE(mentions(found.reason, "permuted"));
    }
}

TEST_CASE("a certified tree whose additions have several precisions is not named") {
  const ProbedOrder found = probed(block_box(8, true), 64, Format::bf16);
  CHECK(found.verdict == ProbeVerdict::revealed);
  CHECK(found.orders.empty());
  CHECK(mentions(found.reason, "several precisions"));
}

TEST_CASE("one term, and calls that differ") {
  int call = 0;
  const ProbedOrder found = probed(float_box([&call](const std::vector<float>& x) {
                                     const bool whole = x[0] == std::floor(x[0]) || std::fabs(x[0]) < 1e-6f;
                                     return whole || ++call % 2 == 0 ? x[0] : std::nextafter(x[0], 1e30f);
                                   }),
                                   1);
  CHECK(found.verdict == ProbeVerdict::random);
}

TEST_CASE("random boxes are judged with the precision of their additions") {
  const ProbedOrder found = probed(order_box("chunks(4) | shuffle | seq(from=zero)", false, Format::fp64), 64);
  CHECK(found.verdict == ProbeVerdict::random);
  REQUIRE_FALSE(found.orders.empty());
  CHECK(found.orders.front().text == "openmp(4)");
  CHECK(found.formats.accumulate == Format::fp64);
  CHECK(found.different_sums > 1);
  CHECK(found.drawn.size() == found.different_sums);
}

TEST_CASE("an order that changes once is no cluster") {
  int call = 0;
  const ProbedOrder found = probed(
      float_box([&call](const std::vector<float>& x) { return ++call > 20 ? in_turn(x) : pairwise(x, 0, x.size()); }),
      64);
  CHECK(found.verdict == ProbeVerdict::random);
  CHECK(found.clusters.empty());
  CHECK(found.drawn.empty());
  CHECK(mentions(found.reason, "changes rarely"));
}

TEST_CASE("an expected order with too many sums to list is refused") {
  ProbeOptions options;
  options.expected = {"ao", parse_order("ao")};
  CHECK_THROWS_AS(probe_setting(order_box("seq"), {.n = 64}, options), Error);
  CHECK(probe_setting(order_box("seq"), {.n = 8}, options)->as_expected == true);
}

TEST_CASE("no pair differs where there is no tree, or one of several precisions") {
  ProbeOptions options;
  options.expected = {"seq", parse_order("seq")};
  const auto sorted = probe_setting(order_box("sort(asc) | pairwise"), {.n = 64}, options);
  CHECK(sorted->as_expected == false);
  CHECK_FALSE(sorted->differs.has_value());
  const auto blocks = probe_setting(block_box(8, true), {.n = 64, .format = Format::bf16}, options);
  CHECK(blocks->as_expected == false);
  CHECK_FALSE(blocks->differs.has_value());
}

TEST_CASE("values that choose the order") {
  const ProbedOrder by_size = probed(
      float_box([](const std::vector<float>& x) { return largest(x) < 1e10f ? in_turn(x) : pairwise(x, 0, x.size()); }),
      64);
  CHECK(by_size.verdict == ProbeVerdict::data_dependent);
  CHECK(mentions(by_size.reason, "normal(0,1) terms are added in the order seq"));
  const ProbedOrder by_mask = probed(
      float_box([](const std::vector<float>& x) { return largest(x) < 1e35f ? in_turn(x) : pairwise(x, 0, x.size()); }),
      64);
  CHECK(by_mask.verdict == ProbeVerdict::data_dependent);
  CHECK(mentions(by_mask.reason, "random terms are added in the order seq"));
  const ProbedOrder precision = probed(float_box([](const std::vector<float>& x) {
                                         double sum = 0;
                                         if (largest(x) < 100) return in_turn(x);
                                         for (const float term : x) sum += static_cast<double>(term);
                                         return static_cast<float>(sum);
                                       }),
                                       64);
  CHECK(precision.verdict == ProbeVerdict::data_dependent);
  const ProbedOrder sparse = probed(float_box([](std::vector<float> x) {
                                      std::erase_if(x, [](float term) { return term == 0; });
                                      return x.empty() ? 0.0f : pairwise(x, 0, x.size());
                                    }),
                                    64);
  CHECK(sparse.verdict == ProbeVerdict::data_dependent);
}

TEST_CASE("products that are rounded and then added in a wider format") {
  const BoxMaker maker = function_box(
      "rounded products",
      [](const TermView& terms) {
        double sum = 0;
        for (std::size_t i = 0; i < terms.n; ++i) {
          const auto product = static_cast<float>(terms.left(i) * terms.right(i));
          sum += static_cast<double>(product);
        }
        return static_cast<double>(static_cast<float>(sum));
      },
      true);
  const ProbedOrder found = probed(maker, 64);
  CHECK(found.verdict == ProbeVerdict::named);
  CHECK(found.orders.front().text == "round(fp32) | seq");
}

TEST_CASE("compensation in parts of a sum") {
  for (const char* text : {"seq(8,acc=neumaier) | seq", "strided(4,acc=neumaier) | seq"}) {
    const ProbedOrder found = probed(order_box(text), 64);
    CHECK(found.verdict == ProbeVerdict::named);
    CHECK(std::any_of(found.orders.begin(), found.orders.end(),
                      [&](const WrittenOrder& order) { return order.text == text; }));
  }
}

TEST_CASE("sums that clip, and a box that is not ready at its first call") {
  const ProbedOrder clipped = probed(float_box([](std::vector<float> x) {
                                       for (float& term : x) term = std::clamp(term, -1e6f, 1e6f);
                                       return in_turn(x);
                                     }),
                                     64);
  CHECK(clipped.verdict == ProbeVerdict::not_a_sum);
  CHECK(mentions(clipped.reason, "among zeros gave 1e+06"));
  int call = 0;
  const ProbedOrder late =
      probed(float_box([&call](const std::vector<float>& x) { return ++call == 1 ? 0.0f : in_turn(x); }), 64);
  CHECK(late.verdict == ProbeVerdict::not_a_sum);
}
