#include "fit/features.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "fit/recordings.hpp"
#include "orderlab/order.hpp"

using namespace orderlab;
using orderlab::test::record;
using orderlab::test::rows_of;

TEST_CASE("the passes of a grid are read off orders that keep them apart") {
  const auto length = [](const std::string& arrival, std::size_t m) {
    const Rows recording = record(arrival, m, 10);
    return pass_length(rows_of(recording));
  };
  CHECK(length("passes(96,30,30)", 500) == 96);
  CHECK(length("passes(96,30,2)", 500) == 96);
  CHECK(length("passes(96,0,30)", 500) == 96);
  CHECK(length("passes(500,30,30)", 500) == 500);
  CHECK(length("jitter(30)", 500) == 500);
  CHECK(length("launch", 500) == 500);  // nothing tells passes from single thread blocks
}

TEST_CASE("all runs of a simulated recording have one steady part, and other recordings have another") {
  const ArrivalCall call = parse_arrival("steady(jitter(9),1)");
  const auto one = simulate_recording(call, 60, {}, 1, 0, 3, {});
  const auto other = simulate_recording(call, 60, {}, 1, 3, 3, {});
  REQUIRE(one);
  REQUIRE(other);
  CHECK((*one)[feature_named("tau_between")] == 1);
  CHECK((*other)[feature_named("tau_between")] == 1);
  CHECK((*one)[feature_named("tau_to_launch")] != (*other)[feature_named("tau_to_launch")]);
}

TEST_CASE("a simulated recording is the same for any number of threads, and has the features of its runs") {
  const ArrivalCall call = parse_arrival("slots(12,0.3,0.5)");
  const auto one = simulate_recording(call, 200, {}, 5, 0, 12, {.threads = 1});
  const auto two = simulate_recording(call, 200, {}, 5, 0, 12, {.threads = 2});
  CHECK(one == two);
  CHECK(one != simulate_recording(call, 200, {}, 6, 0, 12, {.threads = 1}));
  Rows recording;
  for (std::uint64_t i = 0; i < 12; ++i) {
    recording.rows.emplace_back(200);
    call.model->draw(*call.arguments, RandomStream(5, streams::kFit, i), recording.rows.back());
  }
  CHECK(*one == values_of(arrival_features(rows_of(recording))));
}

TEST_CASE("a distance is the root mean square of the chosen differences in units of their scales") {
  Features scales{};
  scales.fill(2);
  Features one{};
  Features other{};
  other[3] = 8;
  FeatureSet chosen;
  chosen[3] = chosen[4] = chosen[5] = chosen[6] = true;
  CHECK(feature_distance(one, other, scales, chosen) == 2);  // sqrt(4^2 / 4)
  chosen[3] = false;
  CHECK(feature_distance(one, other, scales, chosen) == 0);
  CHECK(feature_distance(one, other, scales, {}) == 0);
}
