// How often `check --order any` says that an order explains a sum that another one made; and that it lists the right
// one where that is among those tried.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "orderlab/evaluator.hpp"
#include "orderlab/order.hpp"
#include "orderlab/study/check.hpp"
#include "probe/hypotheses.hpp"

using namespace orderlab;
using study::AnyVerdict;

namespace {

constexpr std::array<const char*, 7> kDistributions{"normal(0,1)",      "uniform(0,1)", "lognormal(0,2)",
                                                    "exponential(1)",   "cancel(1e4)",  "uniform(-1,1)",
                                                    "logspread(-20,20)"};

study::Input random_input(std::mt19937_64& draw, const char* format) {
  const double uniform = static_cast<double>(draw() >> 11) * 0x1p-53;
  const auto n = static_cast<std::uint64_t>(std::exp(5 + 5 * uniform));
  return study::generated_input({.n = n,
                                 .distribution = kDistributions[draw() % kDistributions.size()],
                                 .formats = parse_formats(format),
                                 .seed = draw() % 1000000});
}

/// What t threads with `lanes` accumulators each add, unrolled: in no list.
template <class T>
T sum_of_threads(const study::Input& input, std::size_t threads, std::size_t lanes, bool pairwise_lanes) {
  const TermView terms = input.terms.view();
  T sum = 0;
  for (std::size_t t = 0; t < threads; ++t) {
    const std::size_t begin = terms.n * t / threads;
    const std::size_t end = terms.n * (t + 1) / threads;
    std::vector<T> lane(lanes, T(0));
    std::size_t i = begin;
    for (; i + lanes <= end; i += lanes)
      for (std::size_t l = 0; l < lanes; ++l) lane[l] += static_cast<T>(terms.left(i + l));
    T part = 0;
    if (pairwise_lanes) {
      for (std::size_t o = lanes / 2; o > 0; o /= 2)
        for (std::size_t l = 0; l < o; ++l) lane[l] += lane[l + o];
      part = lane[0];
    } else {
      for (const T one : lane) part += one;
    }
    for (; i < end; ++i) part += static_cast<T>(terms.left(i));
    sum += part;
  }
  return sum;
}

std::optional<study::CheckAnyFinding> found_for(const study::Input& input, double sum, OrderDevice device) {
  study::CheckAnyRequest request{.results = {sum}, .confidence = 0.9, .samples = 200};
  request.device = device;
  return study::check_any(input, request);
}

}  // namespace

TEST_CASE("a sum by an order that is not in the list is hardly ever said to be explained") {
  std::mt19937_64 draw(38);
  constexpr std::array<std::size_t, 8> kThreads{2, 3, 4, 5, 6, 7, 9, 12};
  constexpr std::array<std::size_t, 5> kLanes{4, 8, 16, 32, 64};
  constexpr int kTrials = 200;
  std::array<int, 5> verdicts{};
  for (int trial = 0; trial < kTrials; ++trial) {
    const bool wide = trial % 2 == 1;
    const study::Input input = random_input(draw, wide ? "fp64" : "fp32");
    const std::size_t threads = kThreads[draw() % kThreads.size()];
    const std::size_t lanes = kLanes[draw() % kLanes.size()];
    const bool tree = draw() % 2 == 0;
    const double sum = wide ? sum_of_threads<double>(input, threads, lanes, tree)
                            : static_cast<double>(sum_of_threads<float>(input, threads, lanes, tree));
    const auto found = found_for(input, sum, trial % 4 < 2 ? OrderDevice::any : OrderDevice::cpu);
    REQUIRE(found);
    const study::AnyValue& value = found->values.front();
    ++verdicts[static_cast<std::size_t>(value.verdict)];
    if (value.verdict == AnyVerdict::explained)
      MESSAGE("explained: " << found->candidates.front().text << " for " << input.facts.n << " "
                            << input.facts.distribution << ", " << threads << " threads, " << lanes << " lanes; chance "
                            << *value.chance);
    CHECK(value.verdict != AnyVerdict::impossible);
  }
  MESSAGE("outside: explained " << verdicts[0] << ", consistent " << verdicts[1] << ", not explained " << verdicts[3]);
  CHECK(verdicts[0] <= kTrials / 20);  // kHardlyByChance
}

TEST_CASE("a sum by an order of the list lists that order") {
  std::mt19937_64 draw(39);
  constexpr int kTrials = 200;
  std::array<int, 5> verdicts{};
  for (int trial = 0; trial < kTrials; ++trial) {
    const study::Input input = random_input(draw, trial % 2 == 1 ? "fp64" : "fp32");
    const std::vector<KnownOrder> known = known_orders(input.facts.n, false, input.facts.formats.accumulate);
    const KnownOrder& order = known[draw() % known.size()];
    const auto evaluator = Evaluator::make(order.order, input.terms.view(), input.facts.formats, 1);
    const double sum = evaluator->evaluate(0, *evaluator->make_scratch()).value;
    const auto found = found_for(input, sum, OrderDevice::any);
    REQUIRE(found);
    const auto& all = found->candidates;
    ++verdicts[static_cast<std::size_t>(found->verdict())];
    CAPTURE(order.text);
    CHECK(found->verdict() <= AnyVerdict::consistent);
    CHECK(found->candidates.front().distance_ulp == 0u);
    CHECK(std::any_of(all.begin(), all.end(), [&](const study::OrderCandidate& c) {
      const bool named = c.text == order.text || std::find(c.also.begin(), c.also.end(), order.text) != c.also.end();
      return c.distance_ulp == 0u && (named || order.idles);
    }));
  }
  MESSAGE("inside: explained " << verdicts[0] << ", consistent " << verdicts[1]);
}
