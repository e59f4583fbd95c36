// Sums that no order can change are recognised beforehand, and no other ones are.
#include <doctest/doctest.h>

#include <limits>
#include <numeric>

#include "engine/brute_force.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

constexpr const char* kOrders[] = {"shuffle | seq", "shuffle | seq(from=zero)", "shuffle | tree", "shuffle | pairwise"};

struct ExactCase {
  const char* what;
  std::vector<double> terms;
  const char* formats;
  bool exact;
  std::vector<const char*> orders{std::begin(kOrders), std::end(kOrders)};
};

std::vector<double> times(std::size_t n, double x) { return std::vector<double>(n, x); }

}  // namespace

TEST_CASE("whether every addition is exact is known where it can be, and claimed nowhere else") {
  const std::vector<const char*> atomics{"shuffle | seq(acc=atomic)", "shuffle | seq(2) | seq(1,acc=atomic) | pairwise",
                                         "shuffle | seq(1,acc=atomic) | seq"};
  const ExactCase cases[] = {
      {"small integers", {1, 2, 3, -4, 5, 6}, "fp16", true},
      {"one power of two", times(6, 0x1p-30), "fp32", true},
      {"zeros of both signs", {0.0, -0.0, -0.0}, "fp32", true},
      {"negative zeros", times(4, -0.0), "bf16", true},
      {"cancelling", {1.5, -1.5, 0.25, -0.25}, "fp16", true},
      {"sum |x| of 2^24 units", {0x1p24 - 3, 1, 1, 1}, "fp32", true},
      {"one unit more", {0x1p24 - 3, 1, 1, 2}, "fp32", false},
      {"sum |x| of 2^24 units, of both signs", {0x1p23, -0x1p23 + 1, -1}, "fp32", true},
      {"2^11 units of a subnormal", {0x1p-14, -0x1p-14, 0x1p-24, 0x1p-24}, "fp16", false},
      {"subnormals", {0x1p-24, 0x3p-24, -0x5p-24}, "fp16", true},
      {"smallest subnormals", times(4, 0x1p-1074), "fp64", true},
      {"2^53 units", {0x1p53 - 2, 1, 1}, "fp64", true},
      {"2^53 units and one", {0x1p53 - 1, 1, 1}, "fp64", false},
      {"up to the largest fp16", {65472, 32}, "fp16", true},
      {"2^16 is beyond it", {65472, 32, 32}, "fp16", false},
      {"2^16 in magnitudes", {40960, 24576, -24576}, "fp16", false},
      {"the largest double and as much again", {0x1.fffffffffffffp1023, 0x1.fffffffffffffp1023}, "fp64", false},
      {"an infinity", {1, std::numeric_limits<double>::infinity()}, "fp32", false},
      {"no number", {1, std::numeric_limits<double>::quiet_NaN()}, "fp32", false},
      {"subnormals that atomics flush", times(4, 0x1p-128), "fp32", false, atomics},
      {"a subnormal unit of normal numbers", {0x1.000002p-126, 0x1p-126, -0x1p-126, -0x1p-126}, "fp32", false, atomics},
      {"units of the smallest normal number", {0x1p-126, 0x3p-126, -0x1p-125, 0x1p-126}, "fp32", true, atomics},
      {"subnormals that no atomics flush", times(4, 0x1p-24), "fp16", true, atomics},
      {"subnormal doubles, the same", times(4, 0x1p-1070), "fp64", true, atomics},
      {"subnormals that plain additions keep", times(4, 0x1p-128), "fp32", true},
  };
  for (const ExactCase& c : cases) {
    for (const char* order : c.orders) {
      CAPTURE(std::string(c.what));
      CAPTURE(std::string(order));
      const Formats formats = parse_formats(c.formats);
      const Enumeration found = enumerated(order, formats, c.terms);
      CHECK(found.always_exact == c.exact);
      if (!c.exact) continue;
      REQUIRE(found.results.size() == 1);
      CHECK(found.results.orders[0] == found.orders);
      const TypedTerms typed(formats.terms, c.terms);
      const auto evaluator = Evaluator::make(parse_order(order), typed.view(), formats, 1);
      for (std::uint64_t sample = 0; sample < 20; ++sample)
        CHECK(evaluator->evaluate(sample, *evaluator->make_scratch()).bits ==
              bits_of(formats.result, found.results.values[0].value));
    }
  }
}

TEST_CASE("what was claimed to be exact is, by every order") {
  std::uint64_t claimed = 0;
  const KnownOrder orders[] = {
      {"shuffle | seq", {}, {ways::seq()}},
      {"shuffle | seq(acc=atomic)", {}, {ways::seq(0, Start::atomic)}},
      {"shuffle | tree", {}, {}},
      {"shuffle | seq(2) | seq(1,acc=atomic) | seq", {}, {ways::seq(2), ways::seq(1, Start::atomic), ways::seq()}}};
  for (const KnownOrder& order : orders) {
    for (const char* text : {"fp64", "fp32", "fp16", "bf16", "fp32:fp32:fp16"}) {
      const Formats formats = parse_formats(text);
      const FormatInfo& f = info(formats.accumulate);
      for (std::uint64_t seed = 1; seed <= trials(100); ++seed) {
        CAPTURE(order.text);
        CAPTURE(std::string(text));
        CAPTURE(seed);
        IndexGenerator draw(RandomStream(seed, 5, 5), 0);
        // About 2^p units, the unit about the smallest subnormal, in the middle, or such that sums are about 2^e_max.
        const int places[] = {f.e_min - f.precision + 1 + static_cast<int>(below(draw, 4)), 0, f.e_max - f.precision};
        const double unit = std::ldexp(1.0, places[below(draw, 3)]);
        std::vector<double> x(2 + below(draw, 4));
        const std::uint64_t most = (std::uint64_t{1} << f.precision) / x.size();
        const bool tiny = chance(draw, 3);
        for (double& v : x) v = with_random_sign(draw, unit * static_cast<double>(below(draw, tiny ? 9 : 2 * most)));
        const Enumeration found = enumerated(order.text, formats, x);
        CHECK(text_of(found, formats.result) == text_of(brute_force(order, formats, x), formats.result));
        claimed += found.always_exact ? 1 : 0;
      }
    }
  }
  CHECK(claimed > trials(100) * 5);  // of 20 times as many
  CHECK(claimed < trials(100) * 17);
}

TEST_CASE("a thousand and ten thousand integers have one sum") {
  std::vector<double> x(1000);
  std::iota(x.begin(), x.end(), -300.0);
  for (const char* order : kOrders) {
    CAPTURE(std::string(order));
    const Enumeration found = enumerated(order, parse_formats("fp64"), x);
    CHECK(found.always_exact);
    REQUIRE(found.results.size() == 1);
    CHECK(std::bit_cast<std::uint64_t>(found.results.values[0].value) == std::bit_cast<std::uint64_t>(199500.0));
    CHECK(found.m == 1000);
    CHECK(found.peak_bytes == 0);
  }
  const Enumeration most = enumerated("shuffle | seq", parse_formats("fp32"), times(10'000, 1));
  CHECK(most.orders.str().size() == 35660);  // digits of 10000!
  CHECK(std::bit_cast<std::uint64_t>(most.results.values.at(0).value) == std::bit_cast<std::uint64_t>(1e4));
}

TEST_CASE("the one result of an exact sum is rounded to the result format") {
  const Enumeration found = enumerated("shuffle | seq", parse_formats("fp16:fp32:fp16"), {2048, 1, 2, 4});
  CHECK(found.always_exact);
  REQUIRE(found.results.size() == 1);
  CHECK(found.format == Format::fp16);
  CHECK(bits_of(Format::fp16, found.results.values[0].value) == round_to_bits(Format::fp16, 2055.0));
  CHECK(std::bit_cast<std::uint64_t>(found.results.values[0].value) == std::bit_cast<std::uint64_t>(2056.0));
}
