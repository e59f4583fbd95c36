// Probes of fused steps: every unit of the table as the box, steps with parameters of their own, and boxes that are
// none.
#include "orderlab/fused_probe.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "orderlab/error.hpp"
#include "orderlab/evaluator.hpp"
#include "orderlab/order.hpp"
#include "orderlab/terms.hpp"
#include "probe/fused_calls.hpp"
#include "probe/fused_orders.hpp"
#include "probe/fused_shape.hpp"
#include "probe/model_boxes.hpp"
#include "probe/random_products.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

constexpr std::size_t kProducts = 64;
constexpr std::uint64_t kMostCalls = 310;  // n + 246: n - 1 for the shape, 200 random, 16 repeated, the rest directed
constexpr Format kSums[] = {Format::fp32, Format::fp16, Format::fp64};

// Products as the box gets them, in numbers of the factors' own format.
Terms own_terms(const TermView& given, Format factors) {
  Terms x(factors, given.n);
  Terms y(factors, given.n);
  for (std::size_t i = 0; i < given.n; ++i) {
    x.set(i, given.left(i));
    y.set(i, given.right(i));
  }
  x.multiply_by(y);
  return x;
}

double sum_in(const Order& order, const TermView& products, const Formats& formats) {
  const auto evaluator = Evaluator::make(order, products, formats, 1);
  return evaluator->evaluate(0, *evaluator->make_scratch()).value;
}

/// Adds products in an order of orderlab's.
BoxMaker products_box(const std::string& text, const Formats& formats) {
  const auto sum = [order = parse_order(text), formats](const TermView& given) {
    return sum_in(order, own_terms(given, formats.terms).view(), formats);
  };
  return function_box(text, sum, true);
}

BoxMaker float_products_box(std::function<float(std::vector<float>, std::vector<float>)> sum) {
  const auto call = [sum = std::move(sum)](const TermView& given) {
    std::vector<float> x;
    std::vector<float> y;
    for (std::size_t i = 0; i < given.n; ++i) {
      x.push_back(static_cast<float>(given.left(i)));
      y.push_back(static_cast<float>(given.right(i)));
    }
    return static_cast<double>(sum(std::move(x), std::move(y)));
  };
  return function_box("a function", call, true);
}

FusedProbe fused_probe(const BoxMaker& box, Format factors, std::size_t n = kProducts) {
  auto found = probe_fused(box, n, formats_of_terms(factors));
  REQUIRE(found.has_value());
  return std::move(*found);
}

FusedProbe fused_probe(const std::string& order, const Formats& formats, std::size_t n = kProducts) {
  return fused_probe(products_box(order, formats), formats.terms, n);
}

bool holds(const std::vector<std::string>& texts, const std::string& text) {
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

bool is_cut(const FusedUnit& unit) {
  return unit.step == FusedStep::aligned || unit.step == FusedStep::halves || unit.step == FusedStep::floored;
}

void check_reading(const FusedReading& reading, const FusedUnit& unit, Format sums) {
  CHECK(reading.sums == sums);
  REQUIRE(reading.step.has_value());
  CHECK(*reading.step == unit.step);
  CHECK(reading.length == unit.length);
  CHECK(reading.run == 0);
  CHECK_FALSE(reading.last_first);
  CHECK(reading.fraction_bits == (is_cut(unit) ? std::optional(unit.fraction_bits) : std::nullopt));
  if (unit.length > 2) {
    CHECK(reading.rounding == std::optional(unit.rounding(sums)));
    const bool narrow = unit.rounding(sums) == FusedRounding::e8m13;
    CHECK(reading.precision == std::optional(info(narrow ? Format::e8m13 : sums).precision));
  }
  const bool flushes =
      unit.step == FusedStep::pairs || unit.step == FusedStep::two_chains || unit.step == FusedStep::swapped_pairs;
  CHECK(reading.flushes_factors == std::optional(flushes));
}

}  // namespace

TEST_CASE("every unit of the table is revealed from calls alone, in few calls") {
  std::size_t probed = 0;
  for (const FusedUnit& unit : fused_units())
    for (const Format sums : kSums) {
      if (!unit.built() || unit.rounding(sums) == FusedRounding::none) continue;
      const std::string order = "fused(" + std::string(unit.name) + ")";
      const Formats formats{unit.terms, sums, sums};
      CAPTURE(order);
      CAPTURE(to_string(formats));
      const FusedProbe found = fused_probe(order, formats);
      CHECK(found.verdict == FusedVerdict::named);
      CHECK(holds(found.units, order));
      CHECK(found.calls() <= kMostCalls);
      CHECK_FALSE(found.disagrees.has_value());
      check_reading(found.reading, unit, sums);
      for (const std::string& other : found.units) {  // the others are the same unit
        const FusedUnit& equal = *find_fused_unit(other.substr(6, other.size() - 7));
        CHECK(equal.step == unit.step);
        CHECK(equal.length == unit.length);
        CHECK(equal.fraction_bits == unit.fraction_bits);
        CHECK(equal.rounding(sums) == unit.rounding(sums));
      }
      ++probed;
    }
  CHECK(probed == 54);
}

TEST_CASE("steps with parameters of their own are revealed with these") {
  constexpr Formats kHalf{Format::fp16, Format::fp32, Format::fp32};
  constexpr Formats kNarrow{Format::fp16, Format::fp16, Format::fp16};
  struct Case {
    const char* order;
    Formats formats;
    std::size_t length;
    int fraction_bits;
  };
  const Case cases[] = {
      {"fused(6,F=17)", kHalf, 6, 17},
      {"fused(16,F=25,round=rne)", kHalf, 16, 25},
      {"fused(2,F=24,round=rne,terms=bf16)", {Format::bf16, Format::fp32, Format::fp32}, 2, 24},
      {"fused(3,F=23,terms=bf16)", {Format::bf16, Format::fp32, Format::fp32}, 3, 23},
      {"fused(5,F=40,round=rne,terms=tf32)", {Format::tf32, Format::fp32, Format::fp32}, 5, 40},
      {"fused(16,F=8,terms=e5m2)", {Format::e5m2, Format::fp16, Format::fp16}, 16, 8},
      {"fused(12,F=13,round=e8m13,terms=e4m3)", {Format::e4m3, Format::fp32, Format::fp32}, 12, 13},
      {"fused(8,F=60,round=rne,terms=fp32)", {Format::fp32, Format::fp32, Format::fp32}, 8, 60},
      {"fused(1,F=24,round=rne)", kHalf, 1, 24},
      {"fused(1,F=20)", kNarrow, 1, 20},
  };
  for (const Case& each : cases) {
    CAPTURE(each.order);
    const FusedProbe found = fused_probe(each.order, each.formats);
    CHECK(found.verdict == FusedVerdict::revealed);
    CHECK(found.units.empty());
    CHECK(holds(found.described, each.order));
    CHECK(found.reading.step == std::optional(FusedStep::aligned));
    CHECK(found.reading.length == each.length);
    CHECK(found.reading.fraction_bits == std::optional(each.fraction_bits));
    CHECK_FALSE(found.reading.fraction_open);
  }
}

TEST_CASE("runs are seen: sums that begin anew, and are added in turn") {
  const FusedProbe promoted =
      fused_probe("fused(h100_e4m3_wgmma,run=128) | seq", {Format::e4m3, Format::fp32, Format::fp32}, 300);
  CHECK(promoted.verdict == FusedVerdict::named);
  CHECK(promoted.units == std::vector<std::string>{"fused(h100_e4m3_wgmma,run=128) | seq"});
  CHECK(promoted.reading.run == 128);
  CHECK(promoted.reading.aligns_sum == std::optional(true));
  // A run of one step: the sum before is added, not aligned.
  const FusedProbe alone = fused_probe("fused(8,F=24,run=8) | seq", {Format::fp16, Format::fp32, Format::fp32});
  CHECK(alone.reading.run == 8);
  CHECK(alone.reading.aligns_sum == std::optional(false));
  CHECK(holds(alone.units, "fused(a100_fp16,run=8) | seq"));
  CHECK(holds(alone.described, "fused(8,F=24,run=8) | seq"));
  const FusedProbe uneven = fused_probe("fused(6,F=20,run=15) | seq", {Format::fp16, Format::fp32, Format::fp32});
  CHECK(holds(uneven.described, "fused(6,F=20,run=15) | seq"));
}

TEST_CASE("steps from the last product to the first are seen") {
  for (const char* unit : {"h100_fp16", "mi250_fp16", "mi300_fp16"}) {
    CAPTURE(unit);
    const std::string order = "reverse | fused(" + std::string(unit) + ")";
    const FusedProbe found = fused_probe(order, {Format::fp16, Format::fp32, Format::fp32}, 50);
    CHECK(found.reading.last_first);
    CHECK(holds(found.units, order));
  }
}

TEST_CASE("few products: units of longer steps are not told apart by their length") {
  const FusedProbe found = fused_probe("fused(h100_fp16)", {Format::fp16, Format::fp32, Format::fp32}, 16);
  CHECK(found.reading.length == 16);
  CHECK(holds(found.units, "fused(h100_fp16)"));
  CHECK_FALSE(holds(found.units, "fused(a100_fp16)"));
  const FusedProbe fewer = fused_probe("fused(h100_e4m3_wgmma)", {Format::e4m3, Format::fp32, Format::fp32}, 12);
  CHECK(fewer.reading.length == 12);
  CHECK(holds(fewer.units, "fused(h100_e4m3_wgmma)"));
  CHECK(holds(fewer.units, "fused(ada_e4m3)"));
}

TEST_CASE("chains of fused multiply-adds have one product in a step") {
  const auto chain = [](const std::vector<float>& x, const std::vector<float>& y) {
    float sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum = std::fma(x[i], y[i], sum);
    return sum;
  };
  const FusedProbe wide = fused_probe(float_products_box(chain), Format::fp32);
  CHECK(wide.units == std::vector<std::string>{"fused(mi100_fp32)"});
  CHECK(wide.described == std::vector<std::string>{"seq(acc=fma)"});
  const FusedProbe narrow = fused_probe(float_products_box(chain), Format::fp16);
  CHECK(narrow.verdict == FusedVerdict::revealed);
  CHECK(narrow.described == std::vector<std::string>{"seq(acc=fma)"});
  CHECK(narrow.random > 200);  // a step that keeps few bits less agrees with all random ones
  CHECK(narrow.reading.length == 1);
  CHECK_FALSE(narrow.reading.fraction_bits.has_value());
}

TEST_CASE("other sums of products are no fused steps, and an answer shows it") {
  const auto pairwise = [](const std::vector<float>& x, const std::vector<float>& y) {
    std::vector<float> sums;
    for (std::size_t i = 0; i < x.size(); ++i) sums.push_back(x[i] * y[i]);
    while (sums.size() > 1) {
      for (std::size_t i = 0; 2 * i + 1 < sums.size(); ++i) sums[i] = sums[2 * i] + sums[2 * i + 1];
      sums.resize(sums.size() / 2);
    }
    return sums[0];
  };
  const auto rounded = [](const std::vector<float>& x, const std::vector<float>& y) {
    float sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const volatile float product = x[i] * y[i];
      sum += product;
    }
    return sum;
  };
  const auto wide = [](const std::vector<float>& x, const std::vector<float>& y) {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += static_cast<double>(x[i]) * static_cast<double>(y[i]);
    return static_cast<float>(sum);
  };
  const auto first = [](const std::vector<float>& x, const std::vector<float>& y) { return x[0] * y[0]; };
  const auto nothing = [](const std::vector<float>&, const std::vector<float>&) { return std::nanf(""); };
  struct Case {
    BoxMaker box;
    Format factors;
  };
  for (const Case& each :
       {Case{float_products_box(pairwise), Format::fp32}, Case{float_products_box(pairwise), Format::fp16},
        Case{float_products_box(rounded), Format::fp32}, Case{float_products_box(wide), Format::fp16},
        Case{float_products_box(first), Format::fp16}, Case{float_products_box(nothing), Format::fp16}}) {
    const FusedProbe found = fused_probe(each.box, each.factors);
    CHECK(found.verdict == FusedVerdict::not_fused);
    CHECK(found.units.empty());
    CHECK(found.described.empty());
    CHECK(found.words.empty());
    REQUIRE(found.disagrees.has_value());
    CHECK_FALSE(same_answer(found.disagrees->expected, found.disagrees->answer));
    CHECK(found.disagrees->products.size() == kProducts);
    CHECK(found.disagrees->call <= found.calls());
  }
}

TEST_CASE("fp64 factors are added in fp64, or by no step that is known") {
  const auto narrow = [](const std::vector<float>& x, const std::vector<float>& y) {
    float sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum = std::fma(x[i], y[i], sum);
    return sum;
  };
  const FusedProbe found = fused_probe(float_products_box(narrow), Format::fp64);
  CHECK(found.verdict == FusedVerdict::not_fused);
  CHECK(found.reading.sums == Format::fp32);
}

TEST_CASE("a box whose answers vary is no fused step") {
  const auto calls = std::make_shared<std::size_t>(0);
  const auto turning = [calls](const std::vector<float>& x, const std::vector<float>& y) {
    float sum = 0;
    const std::size_t turn = 7 * ++*calls;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const std::size_t at = (i + turn) % x.size();
      sum = std::fma(x[at], y[at], sum);
    }
    return sum;
  };
  const FusedProbe found = fused_probe(float_products_box(turning), Format::fp16);
  CHECK(found.verdict == FusedVerdict::not_fused);
  CHECK(found.reason == "calls with equal products differ");
  CHECK_FALSE(found.disagrees.has_value());
}

TEST_CASE("what is refused") {
  const BoxMaker one = function_box("one input", [](const TermView&) { return 0.0; });
  CHECK_THROWS_AS(probe_fused(one, kProducts, {}), Error);
  const BoxMaker two = function_box(
      "two inputs", [](const TermView&) { return 0.0; }, true);
  CHECK_THROWS_AS(probe_fused(two, kFewestProbedProducts - 1, {}), Error);
  CHECK_THROWS_AS(probe_fused(two, kMostProbedProducts + 1, {}), Error);
}

TEST_CASE("shapes lose the products that the model of each step loses") {
  for (const FusedUnit& unit : fused_units())
    for (const Format sums : kSums) {
      if (!unit.built() || unit.rounding(sums) == FusedRounding::none) continue;
      const bool flushes = unit.step != FusedStep::aligned && unit.step != FusedStep::halves;
      FusedRange range = range_of_products(unit.terms, sums, {!flushes, false});
      range.least = std::max(range.least, range.most - (sums == Format::fp64 ? 70 : 40));
      for (const std::size_t n : {9U, 40U, 70U})
        for (const std::size_t run : {0U, 8U, 32U}) {
          const FusedOrder order{.unit = unit, .run = run};
          for (std::size_t j = 1; j < n; ++j) {
            CAPTURE(unit.name);
            CAPTURE(n);
            CAPTURE(run);
            CAPTURE(j);
            std::vector<Factors> products(n, product_of_power(unit.terms, range.least));
            products[0] = product_of_power(unit.terms, range.most);
            products[j] = product_of_power(unit.terms, range.most, -1);
            const double kept = std::ldexp(sum_of(order, sums, products), -range.least);
            REQUIRE(static_cast<double>(n) - kept ==
                    static_cast<double>(lost_products({unit.step, unit.length, run}, n, j)));
          }
        }
    }
}

TEST_CASE("random products are numbers of their format, and no sum of them is infinite") {
  for (const Format factors :
       {Format::fp64, Format::fp32, Format::fp16, Format::bf16, Format::tf32, Format::e4m3, Format::e5m2})
    for (const Format sums : {Format::fp32, Format::fp16})
      for (std::uint64_t number = 0; number < 70; ++number) {
        double magnitude = 0;
        for (const Factors& p : random_products(factors, sums, kProducts, number)) {
          REQUIRE(value_of_bits(factors, round_to_bits(factors, p.x)) == p.x);
          REQUIRE(value_of_bits(factors, round_to_bits(factors, p.y)) == p.y);
          magnitude += std::fabs(p.x * p.y);
        }
        CHECK(magnitude < std::ldexp(1.0, info(sums).e_max));
      }
}

TEST_CASE("the texts of orders are orders, and give their sums") {
  for (const Format factors : {Format::fp16, Format::bf16, Format::tf32, Format::e4m3, Format::fp64})
    for (const FusedStep step : {FusedStep::aligned, FusedStep::chain}) {
      FusedReading reading;
      reading.sums = factors == Format::fp64 ? Format::fp64 : Format::fp32;
      reading.step = step;
      reading.length = step == FusedStep::chain ? 1 : 6;
      reading.run = step == FusedStep::chain ? 0 : 20;
      reading.last_first = step == FusedStep::aligned;
      if (step == FusedStep::aligned) reading.fraction_bits = 19;
      const Formats formats{factors, reading.sums, reading.sums};
      for (const FusedOrder& order : fused_orders(reading, factors)) {
        if (order.text.empty()) continue;
        CAPTURE(order.text);
        for (std::uint64_t number = 0; number < 8; ++number) {
          const std::vector<Factors> products = random_products(factors, reading.sums, 50, number);
          Terms x(factors, products.size());
          Terms y(factors, products.size());
          for (std::size_t i = 0; i < products.size(); ++i) {
            const std::size_t at = order.last_first ? products.size() - 1 - i : i;
            x.set(at, products[i].x);
            y.set(at, products[i].y);
          }
          x.multiply_by(y);
          CHECK(same_answer(sum_in(parse_order(order.text), x.view(), formats), sum_of(order, reading.sums, products)));
        }
      }
    }
}

TEST_CASE("answers in decimals that tell numbers of their format apart are these numbers") {
  for (const auto& [order, formats, digits] :
       {std::tuple{"fused(h100_fp16)", Formats{Format::fp16, Format::fp32, Format::fp32}, 9},
        {"fused(mi300_fp16)", {Format::fp16, Format::fp32, Format::fp32}, 12},
        {"fused(v100_fp16)", {Format::fp16, Format::fp16, Format::fp16}, 5}}) {
    CAPTURE(std::string(order));
    const auto sum = [order = parse_order(order), formats = formats, digits = digits](const TermView& given) {
      const double exact = sum_in(order, own_terms(given, formats.terms).view(), formats);
      std::array<char, 64> text{};
      std::snprintf(text.data(), text.size(), "%.*g", digits, exact);
      return std::strtod(text.data(), nullptr);
    };
    const FusedProbe found = fused_probe(function_box("decimals", sum, true), formats.terms);
    CHECK(found.verdict == FusedVerdict::named);
  }
}
