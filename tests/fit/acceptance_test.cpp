#include "fit/acceptance.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "fit/features.hpp"

using namespace orderlab;

TEST_CASE("a fitted tau inside the interval of few and unlike rows is accepted, and one outside is not") {
  ArrivalOrder launch(40);
  std::iota(launch.begin(), launch.end(), 0U);
  ArrivalOrder reversed(launch.rbegin(), launch.rend());
  const std::vector<const ArrivalOrder*> rows{&launch, &reversed, &launch, &reversed};  // tau to launch 1 and -1
  const RecordedFeatures held_out(rows, {});
  Features fitted = held_out.mean();
  const auto judged = [&](double tau) {
    fitted[0] = tau;
    FittedModel model;
    judge(model, held_out, std::vector<Features>{fitted}, 1);
    return model.matches[0];
  };
  const FeatureMatch near_mean = judged(0.2);
  CHECK(near_mean.low < -0.2);
  CHECK(near_mean.high > 0.2);
  CHECK(near_mean.accepted);
  CHECK(!judged(near_mean.high + 0.02).accepted);
}
