// Arrival models fitted to the recorded V100 orders.
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

const FittedParameter& parameter(const FittedModel& fitted, std::string_view name) {
  for (const FittedParameter& found : fitted.parameters)
    if (found.name == name) return found;
  FAIL("no parameter ", std::string(name));
  return fitted.parameters.front();
}

}  // namespace

TEST_CASE("sm_queues is the nearest to runs of the V100 held out, half as far as all others; the cold row is named") {
  const auto recording = read_rows(ORDERLAB_SHARED_DATA "/v100_arrival_orders.csv.bz2");
  const ArrivalFit fit = fit_arrivals(*recording, {});
  REQUIRE(fit.outliers.size() == 1);
  CHECK(fit.outliers[0].row == 0);
  CHECK(fit.rows.size() == 49);
  REQUIRE(fit.best() != nullptr);
  const FittedModel& best = *fit.best();
  CHECK(best.call.model->name == "sm_queues");
  MESSAGE(best.arrival, ": misfit ", best.misfit, ", held out ", best.held_out_misfit, ", floor ", fit.floor);
  for (const FeatureMatch& match : best.matches)
    MESSAGE(std::string(kArrivalFeatures[match.feature].name), ": recorded ", match.recorded, " (", match.low, " to ",
            match.high, "), fitted ", match.fitted);
  for (const FittedModel& fitted : fit.models) {
    MESSAGE(fitted.arrival, ": misfit ", fitted.misfit, ", held out ", fitted.held_out_misfit);
    if (&fitted != &best) CHECK(fitted.held_out_misfit > 2 * best.held_out_misfit);
  }
}

TEST_CASE("both halves of the V100's runs give sm_queues the same parameters, within their intervals") {
  if (testing::test_scale() <= 1) return;  // a minute for each half
  const auto recording = read_rows(ORDERLAB_SHARED_DATA "/v100_arrival_orders.csv.bz2");
  Rows first = *recording;
  Rows second = *recording;
  first.rows.erase(first.rows.begin() + 25, first.rows.end());
  second.rows.erase(second.rows.begin(), second.rows.begin() + 25);
  const FittedModel one = model(fit_arrivals(first, {}), "sm_queues");
  const FittedModel other = model(fit_arrivals(second, {}), "sm_queues");
  for (const char* name : {"resident", "bias", "burst", "delay", "length"}) {
    CAPTURE(name);
    const FittedParameter& a = parameter(one, name);
    const FittedParameter& b = parameter(other, name);
    REQUIRE(a.low);
    REQUIRE(b.low);
    MESSAGE(name, ": ", a.value, " +- ", *a.error, " and ", b.value, " +- ", *b.error);
    CHECK(*a.low <= *b.high);
    CHECK(*b.low <= *a.high);
  }
}

TEST_CASE("drift fitted to half of the V100's orders spreads sums as the other half does") {
  const auto recording = read_rows(ORDERLAB_SHARED_DATA "/v100_arrival_orders.csv.bz2");
  ArrivalFit fit;
  fit.length = recording->rows.front().size();
  for (std::size_t row = 2; row < recording->rows.size(); row += 2) fit.rows.push_back(row);
  FittedModel model;
  model.arrival = "drift(102,410.5)";  // of the rows 1, 3, 5, ...
  const Prediction prediction = predict_sums(*recording, fit, model, {});
  REQUIRE(prediction.inputs.size() == 20);
  REQUIRE(prediction.ratio);
  MESSAGE("ratio of sds ", *prediction.ratio, ", ", prediction.low, " to ", prediction.high);
  CHECK(prediction.low <= 1);
  CHECK(1 <= prediction.high);
}
