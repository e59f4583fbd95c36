#include "fit/simulations.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <stop_token>

#include "fit/recordings.hpp"

using namespace orderlab;

TEST_CASE("a fit is judged by other and more orders than it was fitted by") {
  Simulations simulations({}, 200, {1});
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
  Simulations simulations(options, 200, {7, 1});
  const ArrivalCall call = parse_arrival("jitter(9)");
  CHECK(!simulations.to_fit(call).empty());
  simulations.finish(0);
  CHECK(!simulations.to_fit(call).empty());
  CHECK(!simulations.to_judge(call).empty());
  CHECK(last == planned);
}

TEST_CASE("every call of fresh draws other orders, and finish starts them again") {
  const ArrivalCall call = parse_arrival("jitter(9)");
  Simulations simulations({}, 200, {3, 3});
  const auto first = simulations.fresh(call);
  const auto second = simulations.fresh(call);
  REQUIRE(first);
  REQUIRE(second);
  CHECK(*first != *second);
  Simulations again({}, 200, {3, 3});
  CHECK(again.fresh(call) == first);
  CHECK(again.fresh(call) == second);
  simulations.finish(0);
  CHECK(simulations.fresh(call) == first);
  std::stop_source stop;
  stop.request_stop();
  Simulations stopped({.stop = stop.get_token()}, 200, {1});
  CHECK(!stopped.fresh(call));
}
