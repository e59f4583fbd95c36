#include "fit/simulations.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <stop_token>

#include "fit/recordings.hpp"

using namespace orderlab;

namespace {

constexpr std::size_t kOrders = 200;

}  // namespace

TEST_CASE("a fit is judged by other and more orders than it was fitted by") {
  const FitOptions options;
  FitProgress progress(options, {1});
  Simulations simulations(options, kOrders, 0, progress, 0);
  const ArrivalCall call = parse_arrival("jitter(9)");
  const std::vector<Features> fitting = simulations.to_fit(call);
  const std::vector<Features> judging = simulations.to_judge(call);
  CHECK(simulations.to_fit(call) == fitting);
  CHECK(judging.size() == 4 * fitting.size());
  for (const Features& unit : judging) CHECK(std::find(fitting.begin(), fitting.end(), unit) == fitting.end());
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
  FitProgress progress(options, {Simulations::planned(7, kOrders), Simulations::planned(1, kOrders)});
  Simulations first(options, kOrders, 0, progress, 0);
  const ArrivalCall call = parse_arrival("jitter(9)");
  CHECK(!first.to_fit(call).empty());
  progress.finish(0);
  Simulations second(options, kOrders, 0, progress, 1);
  CHECK(!second.to_fit(call).empty());
  CHECK(!second.to_judge(call).empty());
  CHECK(last == planned);
}

TEST_CASE("every call of fresh draws other orders, whatever was fitted before") {
  const ArrivalCall call = parse_arrival("jitter(9)");
  FitOptions options;
  FitProgress progress(options, {3, 3});
  Simulations simulations(options, kOrders, 0, progress, 0);
  const auto first = simulations.fresh(call);
  const auto second = simulations.fresh(call);
  REQUIRE(first);
  REQUIRE(second);
  CHECK(*first != *second);
  Simulations again(options, kOrders, 0, progress, 1);
  CHECK(again.fresh(call) == first);
  CHECK(again.fresh(call) == second);
  std::stop_source stop;
  stop.request_stop();
  options.stop = stop.get_token();
  Simulations stopped(options, kOrders, 0, progress, 0);
  CHECK(!stopped.fresh(call));
}
