// Arrival models fitted to one half of the recorded V100 orders, judged on the other.
#include "orderlab/fit.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <string_view>

#include "arrival/recording.hpp"
#include "reference/hard_inputs.hpp"

using namespace orderlab;

namespace {

const FittedModel& model(const ArrivalFit& fit, std::string_view name) {
  for (const FittedModel& fitted : fit.models)
    if (fitted.call.model->name == name) return fitted;
  FAIL("no fit of ", std::string(name));
  return fit.models.front();
}

// Where thread blocks arrive: taus and displacements, written out here, so that a laxer acceptance cannot pass.
void check_places(const FittedModel& fitted) {
  for (std::size_t f = 0; f < 8; ++f) {
    const FeatureMatch& match = fitted.matches[f];
    CAPTURE(std::string(kFeatureList[f].name));
    const double off = std::fabs(match.fitted - match.recorded);
    if (kFeatureList[f].kind == FeatureKind::tau)
      CHECK(off <= 0.01);
    else
      CHECK((off <= 0.1 * std::fabs(match.recorded) || (match.low <= match.fitted && match.fitted <= match.high)));
  }
}

}  // namespace

TEST_CASE("batches is accepted on the V100's other half and no other model is; the cold row is named") {
  const auto recording = read_rows(ORDERLAB_SHARED_DATA "/v100_arrival_orders.csv.bz2");
  for (const HeldOut half : {HeldOut::even, HeldOut::odd}) {
    if (half == HeldOut::odd && testing::test_scale() <= 1) continue;  // a minute and a half for each
    FitOptions options;
    options.held_out = half;
    const ArrivalFit fit = fit_arrivals(*recording, options);
    REQUIRE(fit.outliers.size() == 1);
    CHECK(fit.outliers[0].row == 0);
    CHECK(fit.fitted_rows.size() + fit.held_out_rows.size() == 49);
    REQUIRE(fit.best() != nullptr);
    const FittedModel& best = *fit.best();
    CHECK(best.call.model->name == "batches");
    MESSAGE(best.arrival, ": distance ", best.fitted_distance, " to the rows fitted, ", best.held_out_distance,
            " to those held out");
    for (std::size_t f = 0; f < kFeatures; ++f) {
      const FeatureMatch& match = best.matches[f];
      MESSAGE(std::string(kFeatureList[f].name), ": recorded ", match.recorded, " (", match.low, " to ", match.high,
              "), fitted ", match.fitted);
    }
    CHECK(best.accepted());
    check_places(best);
    for (const FittedParameter& parameter : best.parameters) CHECK(parameter.error.has_value());

    const FittedModel& drift = model(fit, "drift");
    check_places(drift);
    CHECK(best.held_out_distance < 0.4 * drift.held_out_distance);
    for (std::size_t f = 8; f < kFeatures; ++f)  // launches that differ, and neighbours delayed together
      CHECK(drift.matches[f].accepted == (kFeatureList[f].name == "displacement_between"));
    for (const FittedModel& fitted : fit.models) CHECK((&fitted == &best || !fitted.accepted()));
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
