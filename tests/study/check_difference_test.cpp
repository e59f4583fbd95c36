#include "orderlab/study/check_difference.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "orderlab/bounds.hpp"
#include "orderlab/error.hpp"
#include "orderlab/evaluator.hpp"

using namespace orderlab;

namespace {

constexpr Formats kSingle{Format::fp32, Format::fp32, Format::fp32};

study::Input some_input(std::uint64_t n = 200) {
  return study::generated_input({.n = n, .distribution = "normal(0,1)", .formats = kSingle});
}

study::DifferenceRequest request_of(const char* order, const char* other, std::vector<double> differences) {
  study::DifferenceRequest request{parse_order(order), {parse_order(other)}};
  for (const double d : differences) request.differences.emplace_back(d);
  return request;
}

}  // namespace

TEST_CASE("a difference is judged by pairs of samples, one of each order") {
  const study::Input input = some_input();
  study::DifferenceRequest request = request_of("random", "warp", {0});
  request.samples = 20'000;
  const auto judged = Evaluator::make(request.order, input.terms.view(), kSingle, request.seed);
  const auto other = Evaluator::make(request.other.order, input.terms.view(), kSingle, seed_of_other(request.seed));
  std::vector<double> apart;
  for (std::uint64_t i = 0; i < *request.samples; ++i)
    apart.push_back(std::fabs(judged->evaluate(kFirstCheckSample + i, *judged->make_scratch()).value -
                              other->evaluate(kFirstCheckSample + i, *other->make_scratch()).value));
  std::sort(apart.begin(), apart.end());
  // Just above a quotient of the largest ones, so that rounding the difference to fp32 does not matter.
  const double middle = apart[apart.size() / 2];
  const double largest = apart.back();
  request.differences = {{middle, middle, middle}, {-largest, largest, largest}, {2 * largest, largest, 3 * largest}};
  const auto finding = study::check_difference(input, request);
  REQUIRE(finding);
  CHECK(finding->samples == apart.size());
  CHECK(*finding->largest == largest);  // NOLINT: the same computation
  const auto at_least = [&](double d) {
    return static_cast<std::uint64_t>(std::count_if(apart.begin(), apart.end(), [&](double x) { return x >= d; }));
  };
  CHECK(finding->differences[0].as_large >= at_least(middle));
  CHECK(finding->differences[0].as_large <= at_least(middle * (1 - 0x1p-23)));
  CHECK(finding->differences[1].as_large == at_least(largest));
  for (const study::DifferenceVerdict& d : finding->differences) CHECK(d.verdict == Verdict::explained);
  CHECK(finding->differences[2].as_large == finding->differences[1].as_large);  // its digits leave the largest open
  CHECK(finding->verdict() == Verdict::explained);
  CHECK(finding->p == 1);
}

TEST_CASE("larger differences are unlikely, and impossible beyond both bounds") {
  const study::Input input = some_input(2000);
  const auto of = [&](double difference) {
    return *study::check_difference(input, request_of("warp", "pairwise(8)", {difference}));
  };
  const study::DifferenceFinding small = of(0);
  CHECK(small.verdict() == Verdict::explained);
  REQUIRE(small.bound);
  const auto bound = [&](const char* order) {
    return *every_order_bound(*Evaluator::make(parse_order(order), input.terms.view(), kSingle, 1), input.facts.exact);
  };
  CHECK(*small.bound >= bound("warp") + bound("pairwise(8)"));
  const study::DifferenceFinding far = of(*small.bound * 0.9);
  CHECK(far.verdict() == Verdict::unlikely);
  CHECK(far.differences[0].reason == study::DifferenceReason::beyond_range);
  CHECK(far.reach.has_value());  // other arrivals were tried
  CHECK(*far.reach >= *far.largest);
  CHECK(far.p < 0.001);
  const study::DifferenceFinding impossible = of(*small.bound * 1.001);
  CHECK(impossible.verdict() == Verdict::impossible);
  CHECK(impossible.differences[0].reason == study::DifferenceReason::outside_bound);
}

TEST_CASE("two fixed orders have one difference") {
  const study::Input input = some_input(1000);
  const auto sum = [&](const char* order) {
    const auto evaluator = Evaluator::make(parse_order(order), input.terms.view(), kSingle, 1);
    return evaluator->evaluate(0, *evaluator->make_scratch()).value;
  };
  const double apart = std::fabs(sum("seq") - sum("pairwise(8)"));
  REQUIRE(apart > 0);
  const auto of = [&](double difference) {
    return study::check_difference(input, request_of("seq", "pairwise(8)", {difference}))->differences[0];
  };
  CHECK(of(apart).verdict == Verdict::explained);
  CHECK(of(-apart).verdict == Verdict::explained);
  for (const double another : {0.0, apart * 0.999, apart * 1.001}) {
    CHECK(of(another).verdict == Verdict::impossible);
    CHECK(of(another).reason == study::DifferenceReason::one_pair);
  }
}

TEST_CASE("legitimate differences are seldom flagged") {
  // 300 checks of 3 differences each, of other samples than those that judge: at confidence 0.9 the expected number of
  // flagged ones is at most 30; more than 51 have a probability below 1e-4 (binomial).
  const study::Input input = some_input(64);
  const auto judged = Evaluator::make(parse_order("random"), input.terms.view(), kSingle, 77);
  const auto other = Evaluator::make(parse_order("random"), input.terms.view(), kSingle, 78);
  int flagged = 0;
  for (std::uint64_t k = 0; k < 300; ++k) {
    study::DifferenceRequest request = request_of("random", "random", {});
    for (std::uint64_t i = 3 * k; i < 3 * k + 3; ++i) {
      const double d =
          judged->evaluate(i, *judged->make_scratch()).value - other->evaluate(i, *other->make_scratch()).value;
      request.differences.emplace_back(d);
    }
    request.confidence = 0.9;
    request.seed = k + 1;
    request.samples = 100;
    request.arrivals_known = true;
    flagged += study::check_difference(input, request)->verdict() == Verdict::explained ? 0 : 1;
  }
  CHECK(flagged <= 51);
  CHECK(flagged > 0);  // differences beyond all samples are flagged sometimes
}

TEST_CASE("machines may flush subnormal numbers of fp32, so what that can change is explained") {
  const study::Input tiny = study::given_input({5e-39, 3e-39, 2e-39, 1e-45}, kSingle);
  for (const char* order : {"seq", "shuffle | seq"})
    for (const double difference : {0.0, 1e-38})
      CHECK(study::check_difference(tiny, request_of(order, "pairwise", {difference}))->verdict() ==
            Verdict::explained);
  CHECK(study::check_difference(tiny, request_of("seq", "pairwise", {1e-36}))->verdict() == Verdict::impossible);
  CHECK_THROWS_AS(study::check_difference(tiny, request_of("round(bf16) | in(bf16) | seq", "seq", {0})), Error);
  const study::Input large = study::given_input({1.0, 2.0}, kSingle);
  CHECK(study::check_difference(large, request_of("seq", "pairwise", {1e-38}))->verdict() == Verdict::impossible);
}

TEST_CASE("where every pair has inf or NaN, no difference is explained") {
  const Formats half{Format::fp16, Format::fp16, Format::fp16};
  const study::Input huge = study::given_input(std::vector<double>(40, 6e4), half);
  const auto fixed = study::check_difference(huge, request_of("seq", "pairwise", {1}));
  CHECK(fixed->verdict() == Verdict::impossible);
  CHECK(fixed->differences[0].reason == study::DifferenceReason::not_finite);
  const auto random = study::check_difference(huge, request_of("arrive | seq", "pairwise", {0}));
  CHECK(random->verdict() == Verdict::unlikely);
  CHECK(random->p < 0.001);
}

TEST_CASE("what cannot be judged is refused") {
  const study::Input input = some_input();
  CHECK_THROWS_AS(study::check_difference(input, request_of("seq", "warp", {})), Error);
  CHECK_THROWS_AS(study::check_difference(input, request_of("seq", "warp", {std::nan("")})), Error);
  study::DifferenceRequest outside = request_of("seq", "warp", {});
  outside.differences.emplace_back(1.0, 2.0, 3.0);  // not in its own range
  CHECK_THROWS_AS(study::check_difference(input, outside), Error);
  study::DifferenceRequest few = request_of("seq", "warp", {1});
  few.samples = 10;
  CHECK_THROWS_AS(study::check_difference(input, few), Error);
}
