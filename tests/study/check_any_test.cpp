// Which orders explain a sum, as a program that uses the library asks it.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "orderlab/error.hpp"
#include "orderlab/evaluator.hpp"
#include "orderlab/order.hpp"
#include "orderlab/study/check.hpp"

using namespace orderlab;
using study::AnyVerdict;
using study::CheckAnyFinding;
using study::OrderCandidate;

namespace {

study::Input cancelling_input(std::uint64_t n, const std::string& formats) {
  return study::generated_input({.n = n, .distribution = "normal(0,1)", .formats = parse_formats(formats), .seed = 3});
}

double sum_by(const std::string& order, const study::Input& input, const Formats& formats, std::uint64_t sample = 0) {
  const auto evaluator = Evaluator::make(parse_order(order), input.terms.view(), formats, 1);
  return evaluator->evaluate(sample, *evaluator->make_scratch()).value;
}

double sum_by(const std::string& order, const study::Input& input, std::uint64_t sample = 0) {
  return sum_by(order, input, input.facts.formats, sample);
}

const OrderCandidate* candidate_of(const CheckAnyFinding& found, const std::string& text) {
  const auto at = std::find_if(found.candidates.begin(), found.candidates.end(), [&](const OrderCandidate& c) {
    return c.text == text || std::find(c.also.begin(), c.also.end(), text) != c.also.end();
  });
  return at == found.candidates.end() ? nullptr : &*at;
}

}  // namespace

TEST_CASE("the order that made a sum is found among all") {
  const study::Input input = cancelling_input(1000, "fp32");
  for (const std::string order : {"sequential", "numpy", "pairwise", "simd(16)", "simd(64)", "chunks(4) | seq",
                                  "seq(acc=kahan)", "sptr(32,4)", "cub_block(128)", "reverse | seq"}) {
    CAPTURE(order);
    const auto found = study::check_any(input, {.results = {sum_by(order, input)}});
    REQUIRE(found);
    CHECK(found->explained());
    const OrderCandidate* const candidate = candidate_of(*found, order);
    REQUIRE(candidate != nullptr);
    CHECK(candidate->verdict == Verdict::explained);
    CHECK(candidate->explained == 1);
    CHECK(candidate->distance_ulp == 0u);
    CHECK(candidate->gives == std::vector<std::size_t>{0});
    CHECK(found->verdict() <= AnyVerdict::consistent);
    if (candidate->text == order) CHECK(candidate->expression == parse_order(order).expression());
    CHECK(found->wider.empty());
  }
}

TEST_CASE("every sum of a candidate is that of its order") {
  const study::Input input = cancelling_input(300, "fp16:fp32:fp16");
  const auto found = study::check_any(input, {.results = {7, 7, 8}});
  REQUIRE(found);
  CHECK_FALSE(found->explained());
  CHECK(found->results == 3);
  CHECK(found->values.size() == 2);
  for (const OrderCandidate& c : found->candidates) {
    CAPTURE(c.text);
    CHECK(c.random == parse_order(c.text).random());
    CHECK(c.bits.has_value() != c.random);
    if (c.bits) CHECK(*c.bits == round_to_bits(Format::fp16, sum_by(c.text, input)));
  }
}

TEST_CASE("candidates are ranked: all results, some of them, the nearest") {
  const study::Input input = cancelling_input(2000, "fp32");
  const double one = sum_by("sequential", input);
  const double other = sum_by("simd(128)", input);
  REQUIRE(one != other);
  const auto found = study::check_any(input, {.results = {one, other, one}});
  REQUIRE(found);
  const auto kind = [&](const OrderCandidate& c) {
    return c.verdict == Verdict::explained ? 0 : c.explained > 0 ? 1 : c.random ? 3 : 2;
  };
  const auto& all = found->candidates;
  CHECK(std::is_sorted(all.begin(), all.end(), [&](auto& a, auto& b) { return kind(a) < kind(b); }));
  CHECK(candidate_of(*found, "sequential")->explained == 2);
  CHECK(candidate_of(*found, "simd(128)")->explained == 1);
  CHECK(candidate_of(*found, "sequential") < candidate_of(*found, "simd(128)"));
  REQUIRE(found->values.size() == 2);
  for (const study::AnyValue& value : found->values) {
    CHECK(value.fixed >= 1);
    CHECK(value.verdict == AnyVerdict::consistent);
  }
  std::uint64_t last = 0;
  std::size_t near = 0;
  for (const OrderCandidate& c : all) {
    if (kind(c) == 0) CHECK(c.random);  // two different results: no fixed order has both
    if (kind(c) == 1 && !c.random) CHECK(c.gives.size() == 1);
    if (kind(c) != 2) continue;
    CHECK(c.distance_ulp >= last);
    last = *c.distance_ulp;
    ++near;
  }
  CHECK(near == CheckAnyFinding::kMostNear);
}

TEST_CASE("results of a random order are explained by it, and by no fixed one") {
  const study::Input input = cancelling_input(1000, "fp32");
  study::CheckAnyRequest request;
  for (std::uint64_t sample = 0; sample < 40; ++sample) request.results.push_back(sum_by("warp", input, sample));
  const auto found = study::check_any(input, request);
  REQUIRE(found);
  CHECK(found->explained());
  for (const OrderCandidate& c : found->candidates)
    if (c.verdict == Verdict::explained) CHECK(c.random);
  const OrderCandidate* const warp = candidate_of(*found, "warp");
  REQUIRE(warp != nullptr);
  CHECK(warp->verdict == Verdict::explained);
  CHECK(warp->explained == 40);
  CHECK(warp->distinct > 1u);
  CHECK(warp->samples.has_value());
}

TEST_CASE("few orders are enumerated") {
  const study::Input input = cancelling_input(6, "fp32");
  const auto found = study::check_any(input, {.results = {sum_by("random", input, 5)}});
  REQUIRE(found);
  const OrderCandidate* const random = candidate_of(*found, "random");
  REQUIRE(random != nullptr);
  CHECK(random->orders == "720");
  CHECK_FALSE(random->samples);
}

TEST_CASE("partial sums in a wider format are tried where no order explains the results") {
  // The sum is the first term: the others, exact in fp16, are 10195 numbers and then their negatives in another order.
  std::vector<double> terms{0x3p-13};
  for (int i = 0; i < 5 * 2039; ++i) terms.push_back(i * 7919 % 2039 * 0x1p-13);
  for (int i = 0; i < 5 * 2039; ++i) terms.push_back(-(i * 611 % 2039) * 0x1p-13);
  const study::Input input = study::given_input(terms, parse_formats("fp16"));
  const Formats wide = parse_formats("fp16:fp32:fp16");
  const double sum = sum_by("simd(4)", input, wide);
  const auto found = study::check_any(input, {.results = {sum}});
  REQUIRE(found);
  REQUIRE(found->wider.size() == 1);
  CHECK(found->wider[0] == wide);
  CHECK(found->explained());
  const auto at = std::find_if(found->candidates.begin(), found->candidates.end(),
                               [&](const OrderCandidate& c) { return c.formats == wide && c.text == "simd(4)"; });
  CHECK(at != found->candidates.end());
  CHECK(found->candidates.front().formats == wide);  // a fixed order, before random ones
  CHECK(found->fixed_tried > 100);
}

TEST_CASE("terms that are added without rounding tell no orders apart") {
  const study::Input input = study::given_input(std::vector<double>(100, 3));
  const auto found = study::check_any(input, {.results = {300}});
  REQUIRE(found);
  CHECK(found->fixed_sums == 1);
  CHECK(found->exact() == 1);
  CHECK(found->one_result);
  CHECK(found->verdict() == AnyVerdict::explained);
  CHECK(static_cast<std::uint64_t>(std::count_if(found->candidates.begin(), found->candidates.end(),
                                                 [](const auto& c) { return !c.random; })) == found->fixed_tried);
  CHECK(found->candidates.front().text == "sequential");
}

TEST_CASE("results that are not finite, and those that the format does not hold") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  const study::Input finite = study::given_input({1, 2, 3}, parse_formats("fp32"));
  const auto none = study::check_any(finite, {.results = {nan, inf, 0.1}});
  REQUIRE(none);
  CHECK_FALSE(none->explained());
  CHECK(none->rounded == 1);
  CHECK(none->values.size() == 3);
  const auto far = study::check_any(finite, {.results = {nan, nan}});
  REQUIRE(far);
  for (const OrderCandidate& c : far->candidates) CHECK_FALSE(c.distance_ulp);
  const study::Input infinite = study::given_input({1, inf, 3});
  const auto all = study::check_any(infinite, {.results = {inf}});
  REQUIRE(all);
  CHECK(all->explained());
  CHECK(all->exact() == 1);
  const auto one = study::check_any(study::given_input({0.5}), {.results = {0.5}});
  REQUIRE(one);
  CHECK(one->explained());
  CHECK(one->fixed_tried == 1);
}

TEST_CASE("products are added by fused orders too") {
  Terms terms(Format::fp32, 500);
  Terms factors(Format::fp32, 500);
  for (std::size_t i = 0; i < 500; ++i) {
    terms.set(i, 1.0 / static_cast<double>(i + 1));
    factors.set(i, i % 2 == 0 ? 1.1 : -0.7);
  }
  terms.multiply_by(std::move(factors));
  const study::Input input = study::given_input(std::move(terms));
  const auto found = study::check_any(input, {.results = {sum_by("strided(8,acc=fma) | halving(8)", input)}});
  REQUIRE(found);
  CHECK(candidate_of(*found, "strided(8,acc=fma) | halving(8)") != nullptr);
  CHECK(candidate_of(*found, "strided(8,acc=fma) | halving(8)")->verdict == Verdict::explained);
}

TEST_CASE("a sum of products by a matrix unit that keeps 13 bits is not called impossible, and the unit is named") {
  Terms terms(Format::e4m3, 2);
  Terms factors(Format::e4m3, 2);
  terms.set(0, 16);
  factors.set(0, 16);
  terms.set(1, 0.125);
  factors.set(1, 0.0625);  // 2^-7 beside 2^8: exact in fp32, and below 2^(8 - 13)
  terms.multiply_by(std::move(factors));
  study::Input input = study::given_input(std::move(terms));
  input.facts.formats = parse_formats("e4m3:fp32");
  const auto found = study::check_any(input, {.results = {256}});
  REQUIRE(found);
  CHECK(!found->explained());
  CHECK(found->values[0].verdict != AnyVerdict::impossible);
  const auto names = [&](const std::string& order) {
    return std::any_of(found->narrower.begin(), found->narrower.end(),
                       [&](const OrderCandidate& c) { return c.expression == order; });
  };
  CHECK(names("fused(h100_e4m3_wgmma)"));
  CHECK(!names("fused(b200_e4m3_tcgen05)"));
}

TEST_CASE("units that align or flush subnormal factors are not called impossible") {
  const auto asked = [](const char* formats, std::initializer_list<std::pair<double, double>> products,
                        const char* order) {
    const Formats all = parse_formats(formats);
    Terms terms(all.terms, products.size());
    Terms factors(all.terms, products.size());
    std::size_t i = 0;
    for (const auto& [x, y] : products) {
      terms.set(i, x);
      factors.set(i++, y);
    }
    terms.multiply_by(std::move(factors));
    study::Input input = study::given_input(std::move(terms));
    input.facts.formats = all;
    const double sum = sum_by(order, input);
    CAPTURE(order);
    CHECK(sum != input.facts.exact.to_double());  // else nothing was lost
    const auto found = study::check_any(input, {.results = {sum}});
    REQUIRE(found);
    CHECK(found->values[0].verdict != AnyVerdict::impossible);
  };
  asked("e4m3:fp32", {{0x1p-9, 256}, {0x1p-6, 0x1p-6}}, "fused(ada_e4m3)");
  asked("fp16:fp32", {{0x1p-24, 0x1p15}, {0x1p-12, 0x1p-13}}, "fused(v100_fp16)");
  asked("fp16:fp32", {{0x1p-17, 1}, {1, 1}}, "fused(mi250_fp16)");
  asked("bf16:fp32", {{0x1p-130, 0x1p127}, {1, 1}, {0.5, 0.25}}, "fused(amx_bf16)");
}

TEST_CASE("a request that cannot be answered is refused before any work") {
  const study::Input input = study::given_input({1, 2, 3});
  CHECK_THROWS_AS(study::check_any(input, {}), Error);
  CHECK_THROWS_AS(study::check_any(input, {.results = {6}, .samples = 10}), Error);
  CHECK_THROWS_AS(study::check_any(input, {.results = {6}, .confidence = 1}), Error);
}

TEST_CASE("one that is stopped gives what was found until then") {
  const study::Input input = cancelling_input(1000, "fp32");
  std::stop_source source;
  study::Watch watch;
  watch.stop = source.get_token();
  std::string stage;
  watch.begins = [&](const std::string& name) { stage = name; };
  watch.advances = [&](const study::Progress& progress) {
    if (stage == "orders" && progress.done >= 20) source.request_stop();
  };
  const auto part = study::check_any(input, {.results = {sum_by("sequential", input)}}, watch);
  REQUIRE(part);
  CHECK(part->partial);
  CHECK(part->fixed_tried >= 5);  // some of them the same tree
  CHECK(part->fixed_tried < 200);
  CHECK(part->verdict() == AnyVerdict::consistent);
  CHECK(part->candidates.front().text == "sequential");
  CHECK_FALSE(study::check_any(input, {.results = {1}}, watch));  // stopped before the first
}

TEST_CASE("among orders that agree the simplest comes first") {
  const study::Input input = study::given_input(std::vector<double>(64, 3));  // every order gives 192
  const auto found = study::check_any(input, {.results = {192}});
  REQUIRE(found);
  const auto& all = found->candidates;
  const auto place = [&](const std::string& text) { return candidate_of(*found, text) - all.data(); };
  CHECK(all.front().text == "sequential");
  CHECK(place("pairwise") < place("simd(16)"));
  CHECK(place("simd(16)") < place("strided(3) | seq"));
  CHECK(place("numpy") < place("reverse | seq"));
}

TEST_CASE("only orders of the device that is asked for are tried") {
  const study::Input input = cancelling_input(500, "fp32");
  for (const OrderDevice device : {OrderDevice::cpu, OrderDevice::gpu}) {
    study::CheckAnyRequest request{.results = {sum_by("sequential", input)}};
    request.device = device;
    const auto found = study::check_any(input, request);
    REQUIRE(found);
    CHECK(candidate_of(*found, "sequential") != nullptr);
    for (const OrderCandidate& c : found->candidates) CHECK(among(device_of_order(parse_order(c.text).name()), device));
    CHECK((candidate_of(*found, "openmp") != nullptr) == (device == OrderDevice::cpu));
    CHECK((candidate_of(*found, "warp") != nullptr) == (device == OrderDevice::gpu));
  }
}

TEST_CASE("orders that give a sum as some would by chance are consistent with it") {
  const study::Input input = cancelling_input(2003, "fp32");
  const auto found = study::check_any(input, {.results = {sum_by("simd(16)", input)}});
  REQUIRE(found);
  const study::AnyValue& value = found->values.front();
  CHECK(value.verdict == AnyVerdict::consistent);
  CHECK(value.fixed >= 1);
  CHECK(*value.by_chance > 1);
  CHECK(*value.by_chance < static_cast<double>(found->fixed_tried) / 4);
  CHECK(*value.chance > study::kHardlyByChance);
}

TEST_CASE("a sum far from those of other orders is explained by the order that gives it") {
  // fp32 stops growing at 2^24 where ones are added in turn, and nowhere else.
  std::vector<double> terms((1 << 17) + 1, 1.0);
  terms[0] = 0x1p24;
  const study::Input input = study::given_input(terms, parse_formats("fp32"));
  const auto found = study::check_any(input, {.results = {0x1p24}});
  REQUIRE(found);
  CHECK(found->candidates.front().text == "sequential");
  CHECK(found->verdict() == AnyVerdict::explained);
}

TEST_CASE("what no order of the terms gives is impossible") {
  const study::Input whole = study::given_input({1, 2, 3});
  CHECK(study::check_any(whole, {.results = {10}})->verdict() == AnyVerdict::impossible);
  CHECK(study::check_any(whole, {.results = {6}})->verdict() == AnyVerdict::explained);
  const study::Input input = cancelling_input(1000, "fp32");
  CHECK(study::check_any(input, {.results = {1e30}})->verdict() == AnyVerdict::impossible);
}

namespace {

study::Input ten_of(const char* distribution) {
  return study::generated_input({.n = 10, .distribution = distribution, .formats = parse_formats("fp32")});
}

constexpr std::uint64_t kThree = 0x40400000;

// 3.0000, which is 3 in every bit or what prints so.
GivenResult printed_three() {
  const auto printed = read_printed("3.0000", Format::fp32);
  return {.bits = kThree, .digits = printed->digits, .printed = printed->numbers};
}

}  // namespace

TEST_CASE("results of equal bits are judged by their readings") {
  const study::Input input = ten_of("constant(0.3)");
  const auto alone = study::check_any(input, {.given = {{kThree}}});
  const auto both = study::check_any(input, {.given = {{kThree}, printed_three()}});
  REQUIRE(alone);
  REQUIRE(both);
  REQUIRE(both->values.size() == 2);
  CHECK(both->exact() == 2);
  const std::size_t exact = both->values[0].given.digits == 0 ? 0 : 1;
  CHECK(both->values[exact].random == alone->values[0].random);
  CHECK(both->values[exact].fixed == alone->values[0].fixed);
  CHECK(both->values[1 - exact].random > both->values[exact].random);
  std::uint64_t random = 0;
  for (const OrderCandidate& c : both->candidates) {
    CHECK(std::adjacent_find(c.gives.begin(), c.gives.end(), std::greater_equal<>()) == c.gives.end());
    if (c.random && std::find(c.gives.begin(), c.gives.end(), exact) != c.gives.end()) ++random;
  }
  CHECK(random == both->values[exact].random);
}

TEST_CASE("orders of all formats that were tried count, whatever they give") {
  const study::Input input = ten_of("constant(0.3)");
  const auto asked = study::check_any(input, {.given = {{kThree}}});
  const auto all = study::check_any(input, {.results = {1e30}, .given = {{kThree}, printed_three()}});
  REQUIRE(asked);
  REQUIRE(all);
  CHECK(asked->values[0].tried == asked->fixed_tried);
  CHECK(all->wider.size() == 1);
  for (const study::AnyValue& value : all->values) {
    CHECK(value.tried > all->fixed_tried);
    CHECK(value.tried == all->values[0].tried);
    CHECK(*value.by_chance <= static_cast<double>(value.tried));
  }
}

TEST_CASE("terms that no seed changes are known") {
  const auto one = [](const char* distribution) {
    return study::check_any(ten_of(distribution), {.results = {3}})->one_input;
  };
  CHECK(one("constant(0.3)"));
  CHECK_FALSE(one("uniform(0,1)"));
  CHECK_FALSE(study::check_any(study::given_input({1, 2}), {.results = {3}})->one_input);
}

TEST_CASE("of terms that are not finite only what is not finite may be a result") {
  const double inf = std::numeric_limits<double>::infinity();
  const study::Input input = study::given_input({1, inf, 3}, parse_formats("fp32"));
  CHECK(study::check_any(input, {.results = {4}})->verdict() == AnyVerdict::impossible);
  CHECK(study::check_any(input, {.results = {-inf}})->verdict() == AnyVerdict::impossible);
}

TEST_CASE("accumulators that are narrower than claimed are named for results that no order gives") {
  const auto ones = [](std::uint64_t n, const char* formats, double result) {
    const study::Input input =
        study::generated_input({.n = n, .distribution = "constant(1)", .formats = parse_formats(formats)});
    return study::check_any(input, {.results = {result}});
  };
  const auto bf16 = ones(1000, "bf16:fp32:bf16", 256);
  REQUIRE(bf16);
  CHECK(bf16->verdict() == AnyVerdict::impossible);
  REQUIRE_FALSE(bf16->narrower.empty());
  CHECK(bf16->narrower.front().text == "sequential");
  CHECK(bf16->narrower.front().formats == parse_formats("bf16"));
  CHECK(bf16->values.front().narrower >= bf16->narrower.size());
  CHECK(*bf16->values.front().narrower_chance < 0.5);
  const auto fp16 = ones(5000, "fp16:fp32:fp32", 2048);
  REQUIRE(fp16);
  CHECK(fp16->narrower.front().text == "sequential");
  CHECK(fp16->narrower.front().formats == parse_formats("fp16:fp16:fp32"));
}

TEST_CASE("orders that round partial sums are named for results that no order gives") {
  const study::Input input = study::generated_input(
      {.n = 14336, .distribution = "uniform(-1,1)", .formats = parse_formats("bf16:fp32"), .seed = 5});
  for (const std::string order :
       {"chunks(6) | round(bf16) | in(bf16) | seq", "chunks(8) | round(fp16) | seq",
        "chunks(64) | in(fp32,store=bf16) | seq(from=zero)", "seq(2400) | round(bf16) | in(bf16) | seq"}) {
    CAPTURE(order);
    const auto found = study::check_any(input, {.results = {sum_by(order, input)}});
    REQUIRE(found);
    const bool other = found->values[0].fixed + found->values[0].wider + found->values[0].random > 0;
    CHECK((other || found->values[0].narrower > 0));
    for (const OrderCandidate& c : found->narrower)
      CHECK(*c.bits == round_to_bits(Format::fp32, sum_by(c.text, input, c.formats)));
  }
}

TEST_CASE("narrower accumulators are not tried where an order gives the result") {
  const study::Input input = cancelling_input(300, "bf16:fp32:fp32");
  const auto found = study::check_any(input, {.results = {sum_by("pairwise", input)}});
  REQUIRE(found);
  CHECK(found->narrower_tried == 0);
  CHECK(found->narrower.empty());
  CHECK_FALSE(found->values[0].narrower_chance);
}
