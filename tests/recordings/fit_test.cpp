// Arrival models fitted to one half of the recorded V100 orders, judged on the other.
#include "orderlab/fit.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "arrival/recording.hpp"

using namespace orderlab;

TEST_CASE(
    "drift reproduces the taus and displacements of the V100's other half, not tau_sd or neighbours; the cold row is "
    "named") {
  const auto recording = read_rows(ORDERLAB_SHARED_DATA "/v100_arrival_orders.csv.bz2");
  for (const HeldOut half : {HeldOut::even, HeldOut::odd}) {
    FitOptions options;
    options.held_out = half;
    const ArrivalFit fit = fit_arrivals(*recording, options);
    REQUIRE(fit.outliers.size() == 1);
    CHECK(fit.outliers[0].row == 0);
    CHECK(fit.fitted_rows.size() + fit.held_out_rows.size() == 49);
    REQUIRE(fit.best() != nullptr);
    const FittedModel& best = *fit.best();
    CHECK(best.call.model->name == "drift");
    MESSAGE(best.arrival, ": distance ", best.fitted_distance, " to the rows fitted, ", best.held_out_distance,
            " to those held out");
    for (std::size_t f = 0; f < kFeatures; ++f) {
      const FeatureMatch& match = best.matches[f];
      MESSAGE(std::string(kFeatureList[f].name), ": recorded ", match.recorded, " (", match.low, " to ", match.high,
              "), fitted ", match.fitted);
      // Written out here, so that a laxer acceptance cannot pass.
      const double off = std::fabs(match.fitted - match.recorded);
      if (f >= kFittedFeatures)  // no model has launches that differ so much, and neighbours delayed together
        CHECK(!match.accepted);
      else if (kFeatureList[f].kind == FeatureKind::tau)
        CHECK(off <= 0.01);
      else
        CHECK((off <= 0.1 * std::fabs(match.recorded) || (match.low <= match.fitted && match.fitted <= match.high)));
    }
    for (const FittedParameter& parameter : best.parameters) CHECK(parameter.error.has_value());
    for (const FittedModel& model : fit.models) CHECK(!model.accepted());
  }
}

TEST_CASE("drift fitted to half of the V100's orders spreads sums as the other half does") {
  const auto recording = read_rows(ORDERLAB_SHARED_DATA "/v100_arrival_orders.csv.bz2");
  ArrivalFit fit;
  fit.length = recording->rows.front().size();
  for (std::size_t row = 2; row < recording->rows.size(); row += 2) fit.held_out_rows.push_back(row);
  FittedModel model;
  model.arrival = "drift(102,410.5)";  // of the rows 1, 3, 5, ...
  const Prediction prediction = predict_sums(*recording, fit, model, {});
  REQUIRE(prediction.inputs.size() == 20);
  REQUIRE(prediction.ratio);
  MESSAGE("ratio of sds ", *prediction.ratio, ", ", prediction.low, " to ", prediction.high);
  CHECK(prediction.low <= 1);
  CHECK(1 <= prediction.high);
}
