#include "fit/simulations.hpp"

#include <doctest/doctest.h>

#include <stop_token>

#include "fit/recordings.hpp"

using namespace orderlab;

namespace {

constexpr std::size_t kOrders = 200;
constexpr std::uint64_t kRuns = 10;

}  // namespace

TEST_CASE("a fit is judged by other orders than it was fitted by") {
  const FitOptions options;
  FitProgress progress(options, {1});
  Simulations simulations(options, kOrders, kRuns, 0, progress, 0);
  const ArrivalCall call = parse_arrival("jitter(9)");
  const auto fitting = simulations.to_fit(call);
  const auto judging = simulations.to_judge(call);
  REQUIRE(fitting);
  REQUIRE(judging);
  CHECK(simulations.to_fit(call) == fitting);
  CHECK(simulations.to_judge(call) == judging);
  CHECK(*judging != *fitting);
}

TEST_CASE("progress never passes what was planned, and jumps where a model is done") {
  FitOptions options;
  std::uint64_t last = 0;
  std::uint64_t planned = 0;
  options.progress = [&](std::uint64_t done, std::uint64_t total) {
    CHECK(done > last);
    CHECK(done <= total);
    last = done;
    planned = total;
  };
  FitProgress progress(options, {Simulations::planned(7, kOrders, kRuns), Simulations::planned(1, kOrders, kRuns)});
  Simulations first(options, kOrders, kRuns, 0, progress, 0);
  const ArrivalCall call = parse_arrival("jitter(9)");
  CHECK(first.to_fit(call));
  progress.finish(0);
  Simulations second(options, kOrders, kRuns, 0, progress, 1);
  CHECK(second.to_fit(call));
  CHECK(second.to_judge(call));
  CHECK(last == planned);
}

TEST_CASE("every call of fresh draws other orders, whatever was fitted before") {
  const ArrivalCall call = parse_arrival("jitter(9)");
  FitOptions options;
  FitProgress progress(options, {3, 3});
  Simulations simulations(options, kOrders, kRuns, 0, progress, 0);
  const auto first = simulations.fresh(call);
  const auto second = simulations.fresh(call);
  REQUIRE(first);
  REQUIRE(second);
  CHECK(*first != *second);
  Simulations again(options, kOrders, kRuns, 0, progress, 1);
  CHECK(again.to_fit(call));
  CHECK(again.fresh(call) == first);
  CHECK(again.fresh(call) == second);
  std::stop_source stop;
  stop.request_stop();
  options.stop = stop.get_token();
  Simulations stopped(options, kOrders, kRuns, 0, progress, 0);
  CHECK(!stopped.fresh(call));
}
