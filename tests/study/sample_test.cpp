// Questions about samples, as a program that uses the library asks them.
#include "orderlab/study/sample.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "orderlab/error.hpp"
#include "orderlab/study/enumerate.hpp"

using namespace orderlab;

namespace {

const std::vector<double> kOwnNumbers{1e16, 3.14, -1e16, 2.72, 0.58};

}  // namespace

TEST_CASE("the sampled sums of own numbers are sums that some order gives") {
  const study::Input input = study::given_input(kOwnNumbers);
  CHECK(input.facts.n == 5);
  CHECK(input.facts.distribution.empty());
  const auto all = study::enumerate(input, {.order = parse_order("random")});
  REQUIRE(all);
  const study::SampleFinding found = study::sample(input, {.orders = {parse_order("random")}, .samples = 2000});
  REQUIRE(found.orders.size() == 1);
  CHECK(!found.partial);
  CHECK(found.orders[0].counts.samples() == 2000);
  CHECK(found.orders[0].counts.distinct() == all->order.enumeration.results.size());  // 120 orders, 2000 draws
  CHECK(found.orders[0].counts.extremes()->min == all->order.enumeration.results.values.front().value);
}

TEST_CASE("parts of a range, sampled apart, are the whole") {
  const study::Input input = study::generated_input({.n = 3000, .formats = parse_formats("fp32"), .seed = 7});
  study::SampleRequest request{.orders = {parse_order("warp")}, .samples = 300};
  ResultCounts merged = [&] {
    request.range = {0, 100};
    return study::sample(input, request).orders[0].counts;
  }();
  request.range = {100, 300};
  merged.merge(study::sample(input, request).orders[0].counts);
  request.range.reset();
  const ResultCounts whole = study::sample(input, request).orders[0].counts;
  CHECK(merged.samples() == whole.samples());
  CHECK(merged.distinct() == whole.distinct());
  CHECK(merged.sum().value().to_double() == whole.sum().value().to_double());
}

TEST_CASE("a fixed order has one sum, in any format of the terms") {
  const study::Input input = study::given_input({0.1, 0.2, -0.3}, parse_formats("fp32:fp64:fp64"));
  CHECK(input.facts.inexact_conversions == 3);
  const study::SumFinding found = study::sum(input, {.order = parse_order("sequential")});
  const double expected = static_cast<double>(0.1F) + static_cast<double>(0.2F) + static_cast<double>(-0.3F);
  CHECK(found.value() == expected);
  CHECK(found.bits() == bits_of(expected));
}

TEST_CASE("products are the caller's terms with their factors") {
  Terms terms(Format::fp64, 2);
  Terms factors(Format::fp64, 2);
  for (const std::size_t i : {0U, 1U}) {
    terms.set(i, 3);
    factors.set(i, static_cast<double>(i) + 1);
  }
  terms.multiply_by(std::move(factors));
  const study::Input input = study::given_input(std::move(terms));
  CHECK(input.facts.products);
  CHECK(study::sum(input, {.order = parse_order("sequential")}).value() == 9);
}

TEST_CASE("a stop in the middle leaves the samples that were done, which are those of a shorter run") {
  const study::Input input = study::generated_input({.n = 5000});
  std::stop_source source;
  study::Watch watch{.stop = source.get_token()};
  watch.advances = [&](const study::Progress& progress) {
    CHECK(progress.done <= progress.total);
    source.request_stop();
  };
  study::SampleRequest request{.orders = {parse_order("random"), parse_order("seq")}, .samples = 1'000'000};
  const study::SampleFinding part = study::sample(input, request, watch);
  CHECK(part.partial);
  CHECK(part.asked.size() == 2);
  REQUIRE(part.orders.size() == 1);
  const std::uint64_t done = part.orders[0].counts.samples();
  CHECK(done < 1'000'000);
  request.samples = done;
  const study::SampleFinding whole = study::sample(input, request);
  CHECK(!whole.partial);
  CHECK(whole.orders[0].counts.distinct() == part.orders[0].counts.distinct());
  CHECK(whole.orders[0].counts.extremes()->max == part.orders[0].counts.extremes()->max);
}

TEST_CASE("a stop before the first sample leaves no order") {
  std::stop_source source;
  source.request_stop();
  const study::Watch watch{.stop = source.get_token()};
  const study::Input input = study::given_input(kOwnNumbers);
  CHECK(study::sample(input, {.orders = {parse_order("random")}}, watch).orders.empty());
  CHECK(study::sum(input, {.order = parse_order("seq")}, watch).orders.empty());
  CHECK(!study::enumerate(input, {.order = parse_order("random")}, watch));
}

TEST_CASE("stages begin and end in turn") {
  std::vector<std::string> seen;
  study::Watch watch;
  watch.begins = [&](const std::string& stage) { seen.push_back(stage); };
  watch.ends = [&] { seen.push_back("end"); };
  study::sample(study::given_input(kOwnNumbers), {.orders = {parse_order("random"), parse_order("seq")}}, watch);
  CHECK(seen == std::vector<std::string>{"order 1 of 2", "end", "order 2 of 2", "end"});
}

TEST_CASE("a fixed order has the baseline that it has when it is named as one, where it is summed again") {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  for (const char* formats : {"fp64", "fp32", "fp16", "bf16:fp32", "fp64:fp64:fp32", "e4m3"})
    for (const std::vector<double>& numbers : {kOwnNumbers, {-0.0, -0.0}, {3e38, 3e38, 3e38, -3e38}, {kInf, -kInf, 1}})
      for (const char* text : {"seq", "pairwise", "halving(2) | arrive(launch) | seq", "strided(2) | seq"}) {
        const study::Input input = study::given_input(numbers, parse_formats(formats));
        CAPTURE(formats);
        CAPTURE(numbers);
        CAPTURE(text);
        const Order order = parse_order(text);
        const study::SumFinding alone = study::sum(input, {.order = order});
        const study::SampleFinding named = study::sample(input, {.orders = {order}, .samples = 1, .baseline = order});
        const VsSummary& own = alone.orders[0].metrics.of<VsSummary>();
        const VsSummary& again = named.orders[0].metrics.of<VsSummary>();
        CHECK(own.baseline == again.baseline);
        CHECK(own.baseline_bits == again.baseline_bits);
        CHECK(own.offset == again.offset);
        CHECK(own.spread == again.spread);
        CHECK(own.max_abs == again.max_abs);
      }
}
