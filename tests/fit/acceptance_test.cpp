#include "fit/acceptance.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "fit/errors.hpp"
#include "fit/recordings.hpp"

using namespace orderlab;
using orderlab::test::record;

namespace {

constexpr std::size_t kLaunched = 40;

FoundModel without_parameters() {
  FoundModel found;
  found.moved.resize(kReplicates);
  return found;
}

FittedModel judged_model(std::size_t parameters, double distance, bool accepted) {
  FittedModel model;
  model.parameters.resize(parameters);
  model.held_out_distance = distance;
  model.matches.push_back({.accepted = accepted});
  return model;
}

}  // namespace

TEST_CASE("a fitted tau inside the interval of few and unlike rows is accepted, and one outside is not") {
  ArrivalOrder launch(kLaunched);
  std::iota(launch.begin(), launch.end(), 0U);
  ArrivalOrder reversed(launch.rbegin(), launch.rend());
  const std::vector<const ArrivalOrder*> rows{&launch, &reversed, &launch, &reversed};  // tau to launch 1 and -1
  const ResampledRows held_out = resample(RecordedFeatures(rows, {}), 1, replicates::kJudging);
  Features fitted = held_out.mean;
  const auto judged = [&](double tau) {
    fitted[0] = tau;
    FoundModel found = without_parameters();
    judge(found, held_out, std::vector<Features>{fitted}, kLaunched, 1);
    CHECK(found.model.matches.size() == feature_count(kLaunched));
    return found.model.matches[0];
  };
  const FeatureMatch near_mean = judged(0.2);
  CHECK(near_mean.low < -0.2);
  CHECK(near_mean.high > 0.2);
  CHECK(near_mean.accepted);
  CHECK(!judged(near_mean.high + 0.02).accepted);
}

TEST_CASE("errors of the fit widen the interval of what is accepted") {
  const Rows recording = record("jitter(4)", kLaunched, 12);
  std::vector<const ArrivalOrder*> rows;
  for (const ArrivalOrder& row : recording.rows) rows.push_back(&row);
  const ResampledRows held_out = resample(RecordedFeatures(rows, {}), 1, replicates::kJudging);
  const std::vector<Features> units = simulate_units(parse_arrival("jitter(4)"), kLaunched, 1, 0, 50, {});
  FoundModel sure = without_parameters();
  judge(sure, held_out, units, kLaunched, 1);
  FoundModel unsure = without_parameters();
  for (std::size_t b = 0; b < kReplicates; ++b) unsure.moved[b][0] = b % 2 == 0 ? 0.1 : -0.1;
  judge(unsure, held_out, units, kLaunched, 1);
  CHECK(unsure.model.matches[0].high - unsure.model.matches[0].low >
        sure.model.matches[0].high - sure.model.matches[0].low + 0.2);
}

TEST_CASE("of models that the rows cannot tell apart, the one with the fewest parameters is chosen") {
  const std::vector<double> near(100, 1.0);
  std::vector<double> unsure;  // a standard error of 0.1 around 1.1
  std::vector<double> sure;    // of 0.01 around 1.2
  for (int b = 0; b < 100; ++b) {
    unsure.push_back(b % 2 == 0 ? 1.0 : 1.2);
    sure.push_back(b % 2 == 0 ? 1.19 : 1.21);
  }
  constexpr std::size_t kRows = 20;
  ArrivalFit fit;
  fit.models = {judged_model(2, 1.0, true), judged_model(1, 1.1, true), judged_model(0, 1.2, true),
                judged_model(0, 0.5, false)};
  mark_as_near(fit.models, std::vector<std::vector<double>>{near, unsure, sure, near}, kRows);
  CHECK(fit.models[0].as_near);
  CHECK(fit.models[1].as_near);
  CHECK(!fit.models[2].as_near);
  CHECK(!fit.models[3].as_near);  // not accepted, as others are
  CHECK(fit.best() == &fit.models[1]);
  for (FittedModel& model : fit.models) model.matches[0].accepted = false;
  mark_as_near(fit.models, std::vector<std::vector<double>>{near, unsure, sure, std::vector<double>(100, 0.5)}, kRows);
  CHECK(fit.models[3].as_near);
  CHECK(fit.best() == &fit.models[3]);
}

TEST_CASE("the interval of a model is wider than that of one feature, and wider for few rows") {
  // 2.776 is Student's 97.5 % quantile with 4 degrees of freedom, to its four digits; 4 of 5 is the variance's share.
  CHECK(std::fabs(half_width_factor(5, 0.025) - std::sqrt(5 / 4.0) * 2.776) <= 0.001);
  CHECK(half_width_factor(1000, 0.025) < 1.97);
  const Rows recording = record("jitter(4)", kLaunched, 12);
  std::vector<const ArrivalOrder*> rows;
  for (const ArrivalOrder& row : recording.rows) rows.push_back(&row);
  const ResampledRows held_out = resample(RecordedFeatures(rows, {}), 1, replicates::kJudging);
  FoundModel found = without_parameters();
  judge(found, held_out, std::vector<Features>{held_out.mean}, kLaunched, 1);
  const double error = std::sqrt(held_out.scales[0] * held_out.scales[0] - 0.01 * 0.01);
  const double width = (found.model.matches[0].high - found.model.matches[0].low) / 2;
  CHECK(width > 1.1 * half_width_factor(12, 0.025) * error);
}
