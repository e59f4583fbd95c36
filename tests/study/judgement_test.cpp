// Check, tolerance and worst, as a program that uses the library asks them.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "orderlab/evaluator.hpp"
#include "orderlab/study/check.hpp"
#include "orderlab/study/tolerance.hpp"
#include "orderlab/study/worst.hpp"

using namespace orderlab;

TEST_CASE("results are judged by all orders where these are few") {
  const study::Input input = study::given_input(std::vector<double>(10, 0.1));
  const auto found = study::check(input, {.order = parse_order("random"), .results = {0.9999999999999999, 1, 1}});
  REQUIRE(found);
  CHECK(found->all);
  CHECK(found->result.given() == 3);
  REQUIRE(found->result.values.size() == 2);
  CHECK(found->result.values[0].verdict == Verdict::explained);
  CHECK(found->result.values[1].verdict == Verdict::impossible);  // every order of equal terms is one order
}

TEST_CASE("results that the format does not hold are rounded to it and counted") {
  const study::Input input = study::given_input({1, 2, 3}, parse_formats("fp32"));
  const auto found = study::check(
      input, {.order = parse_order("random"), .results = {0.1, 6, std::numeric_limits<double>::quiet_NaN()}});
  REQUIRE(found);
  CHECK(found->rounded == 1);
  CHECK(found->result.verdict() == Verdict::impossible);
}

TEST_CASE("what will be drawn is announced before it is drawn") {
  std::vector<std::string> seen;
  study::Watch watch;
  watch.begins = [&](const std::string& stage) { seen.push_back(stage); };
  watch.announces = [&](const std::string& line) { seen.push_back(line); };
  const study::Input input = study::generated_input({.n = 200});
  study::check(input, {.order = parse_order("random"), .results = {1000}, .confidence = 0.9}, watch);
  REQUIRE(seen.size() == 5);
  CHECK(seen[0] == "lattice of the terms");
  CHECK(seen[1].starts_with("drawing "));
  CHECK(seen[1].ends_with(" samples to judge at confidence 0.9"));
  CHECK(seen[2] == "sampling");
  CHECK(seen[3] == "other arrivals");
  CHECK(seen[4] == "joint test");
  seen.clear();
  study::tolerance(input, {.order = parse_order("random"), .coverage = 0.9, .confidence = 0.9, .new_inputs = true},
                   watch);
  REQUIRE(seen.size() == 2);
  CHECK(seen[0].find(" inputs, a sample each: coverage 0.9 with confidence 0.9; the ") != std::string::npos);
}

TEST_CASE("where all orders need more memory than is allowed, samples judge, and the watch hears why") {
  std::vector<std::string> notes;
  study::Watch watch;
  watch.notes = [&](const std::string& line) { notes.push_back(line); };
  const study::Input input = study::generated_input({.n = 12});
  const study::ToleranceRequest request{
      .order = parse_order("random"), .coverage = 0.9, .confidence = 0.9, .memory_bytes = 1000};
  const study::ToleranceFinding found = study::tolerance(input, request, watch);
  CHECK(found.method == study::ToleranceMethod::sampled);
  REQUIRE(notes.size() == 1);
  CHECK(notes[0].starts_with("sampled, as the orders could not be enumerated: "));
  const auto judged = study::check(
      input, {.order = parse_order("random"), .results = {60}, .confidence = 0.9, .memory_bytes = 1000}, watch);
  REQUIRE(judged);
  CHECK(judged->notes == notes);
}

TEST_CASE("a tolerance of all orders is as wide as the worst order needs") {
  const study::Input input = study::generated_input({.n = 8, .formats = parse_formats("fp32")});
  const Order random = parse_order("random");
  const study::ToleranceFinding limit = study::tolerance(input, {.order = random, .coverage = 0.999999});
  CHECK(limit.method == study::ToleranceMethod::enumerated);
  CHECK(has_limit(limit));
  CHECK(stated_confidence(limit) == 1);
  const auto found = study::worst(input, {.order = random});
  REQUIRE(found);
  CHECK(found->exact);
  const double error = std::fabs(*worst_error(found->input, farthest(*found).value));
  CHECK(error > 0);
  CHECK(error <= limit.limit.absolute);
  CHECK(times_as_far(*found));
}

TEST_CASE("a tolerance that is stopped early says how many draws were done and has no rank") {
  std::stop_source source;
  study::Watch watch{.stop = source.get_token()};
  watch.begins = [&](const std::string&) { source.request_stop(); };
  const study::Input input = study::generated_input({.n = 1000});
  const study::ToleranceFinding found =
      study::tolerance(input, {.order = parse_order("random"), .new_inputs = true}, watch);
  CHECK(found.partial);
  CHECK(found.rank == 0);
  CHECK(found.draws < needed_samples(0.999, 0.95));
  CHECK(!study::check(input, {.order = parse_order("random"), .results = {1}}, watch));
  CHECK(!study::worst(input, {.order = parse_order("random")}, watch));
}

TEST_CASE("a check that is stopped has no verdict but those that more samples cannot change") {
  const study::Input input = study::generated_input({.n = 20000, .distribution = "normal(0,1)"});
  const auto stopped = [&](std::vector<double> results) {
    std::stop_source source;
    study::Watch watch{.stop = source.get_token()};
    watch.advances = [&](const study::Progress&) { source.request_stop(); };
    const auto found = study::check(
        input, {.order = parse_order("random"), .results = std::move(results), .samples = 1'000'000}, watch);
    REQUIRE(found);
    CHECK(found->partial);
    CHECK(found->samples->samples() < 1'000'000);
    return *found;
  };
  const auto evaluator = Evaluator::make(parse_order("random"), input.terms.view(), input.facts.formats, 1);
  const double inside = evaluator->evaluate(kFirstCheckSample, *evaluator->make_scratch()).value;  // the first drawn
  const double exact = input.facts.exact.to_double();
  const double beyond = exact + *stopped({0}).bound / 2;
  CHECK(stopped({inside}).result.verdict() == Verdict::explained);
  CHECK(stopped({beyond}).result.verdict() == Verdict::none);
  CHECK(stopped({exact + 1000}).result.verdict() == Verdict::impossible);
  CHECK(stopped({inside, inside}).result.verdict() == Verdict::none);
  CHECK(stopped({inside, exact + 1000}).result.verdict() == Verdict::impossible);
}
