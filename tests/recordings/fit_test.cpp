// Arrival models fitted to one half of the recorded V100 orders, judged on the other.
#include "orderlab/fit.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "arrival/recording.hpp"

using namespace orderlab;

TEST_CASE("slots fitted to half of the V100's orders is accepted on the other half; the cold row is named") {
  const auto recording = read_rows(ORDERLAB_SHARED_DATA "/v100_arrival_orders.csv.bz2");
  for (const HeldOut half : {HeldOut::even, HeldOut::odd}) {
    FitOptions options;
    options.held_out = half;
    const ArrivalFit fit = fit_arrivals(*recording, options);
    REQUIRE(fit.outliers.size() == 1);
    CHECK(fit.outliers[0].row == 0);
    REQUIRE(fit.models.size() == 2);
    const FittedModel& slots = fit.models[1];
    MESSAGE(slots.arrival, ": distance ", slots.fitted_distance, " to the rows fitted, ", slots.held_out_distance,
            " to those held out");
    for (std::size_t f = 0; f < kFeatures; ++f) {
      const FeatureMatch& match = slots.matches[f];
      MESSAGE(std::string(kFeatureNames[f]), ": recorded ", match.recorded, " (", match.low, " to ", match.high,
              "), fitted ", match.fitted);
      CHECK(match.accepted);
    }
    // Issue 5's windows, written out.
    CHECK(std::fabs(slots.matches[0].fitted - slots.matches[0].recorded) <= 0.01);
    CHECK(std::fabs(slots.matches[1].fitted - slots.matches[1].recorded) <= 0.01);
    for (const FittedParameter& parameter : slots.parameters) CHECK(parameter.error.has_value());
  }
}
