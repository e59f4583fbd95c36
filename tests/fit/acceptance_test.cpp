#include "fit/acceptance.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "fit/bootstrap.hpp"
#include "fit/recordings.hpp"

using namespace orderlab;
using orderlab::test::record;
using orderlab::test::rows_of;

namespace {

constexpr std::size_t kLaunched = 60;

/// A model with the features of `rows`, that has no parameters, so its residuals are all that recordings vary by.
FoundModel with_features_of(const RecordedRows& rows) {
  FoundModel found;
  found.features = rows.mean;
  for (const Features& replicate : rows.replicates) found.resampled.push_back(difference(replicate, rows.mean));
  found.simulated = {Features{}};
  for (const Fold& fold : rows.folds) found.fold_features.push_back(fold.others);
  return found;
}

FittedModel judged_model(std::size_t parameters, const std::vector<double>& misfits, bool accepted) {
  FittedModel model;
  model.parameters.resize(parameters);
  model.fold_misfits = misfits;
  double squares = 0;
  for (const double misfit : misfits) squares += misfit * misfit / static_cast<double>(misfits.size());
  model.held_out_misfit = std::sqrt(squares);
  model.matches.push_back({.accepted = accepted});
  return model;
}

}  // namespace

TEST_CASE("a tau within what the runs leave open is accepted, and one outside is not") {
  Rows recording = record("jitter(4)", kLaunched, 12);
  for (std::size_t i = 0; i < 12; i += 2) std::reverse(recording.rows[i].begin(), recording.rows[i].end());
  const RecordedRows rows = recorded_rows(rows_of(recording), {});  // tau to launch about 0.9 and -0.9
  const auto judged = [&](double tau) {
    FoundModel found = with_features_of(rows);
    found.features[0] = tau;
    judge(found, rows);
    CHECK(found.model.matches[0].feature == 0);
    return found.model.matches[0];
  };
  const FeatureMatch near_mean = judged(rows.mean[0] + 0.2);
  CHECK(near_mean.accepted);
  CHECK(near_mean.low < rows.mean[0] - 0.2);
  CHECK(near_mean.high > rows.mean[0] + 0.2);
  CHECK(!judged(near_mean.high + 0.02).accepted);
}

TEST_CASE("what recordings of the model itself vary by widens the interval of what is accepted") {
  const RecordedRows rows = recorded_rows(rows_of(record("jitter(4)", kLaunched, 12)), {});
  FoundModel sure = with_features_of(rows);
  judge(sure, rows);
  FoundModel unsure = with_features_of(rows);
  unsure.simulated = {Features{}, Features{}};
  unsure.simulated[0][0] = 0.1;
  unsure.simulated[1][0] = -0.1;
  judge(unsure, rows);
  const FeatureMatch& narrow = sure.model.matches[0];
  const FeatureMatch& wide = unsure.model.matches[0];
  CHECK(wide.high - wide.low >= 0.2);
  CHECK(narrow.high - narrow.low < 0.2);
}

TEST_CASE("the interval of all features together is wider than that of one") {
  const RecordedRows rows = recorded_rows(rows_of(record("jitter(4)", kLaunched, 12)), {});
  FoundModel found = with_features_of(rows);
  judge(found, rows);
  const double width = (found.model.matches[0].high - found.model.matches[0].low) / 2;
  CHECK(width > 1.1 * student_quantile(12, 0.025) * rows.scales[0]);
}

TEST_CASE("the misfit of the recording itself is 0, and that of each fold is the fold's from the others") {
  const RecordedRows rows = recorded_rows(rows_of(record("jitter(4)", kLaunched, 12)), {});
  FoundModel found = with_features_of(rows);
  judge(found, rows);
  CHECK(found.model.misfit == 0);
  REQUIRE(found.model.fold_misfits.size() == 5);
  CHECK(found.model.fold_misfits[2] == rows.misfit_to(rows.folds[2], rows.folds[2].others));
  CHECK(found.model.held_out_misfit > 0);
  CHECK(found.model.accepted());
}

TEST_CASE("of models that the runs cannot tell apart, the one with the fewest parameters is chosen") {
  const std::vector<double> nearest{1, 1, 1, 1, 1};
  const std::vector<double> unsure{1.4, 0.9, 1.3, 0.8, 1.2};  // nearer in two folds of five
  const std::vector<double> sure{1.2, 1.21, 1.2, 1.19, 1.2};
  ArrivalFit fit;
  fit.models = {judged_model(2, nearest, true), judged_model(1, unsure, true), judged_model(0, sure, true),
                judged_model(0, {0.5, 0.5, 0.5, 0.5, 0.5}, false)};
  mark_as_near(fit.models);
  CHECK(fit.models[0].as_near);
  CHECK(fit.models[1].as_near);
  CHECK(!fit.models[2].as_near);
  CHECK(!fit.models[3].as_near);  // not accepted, as others are
  CHECK(fit.best() == &fit.models[1]);
  for (FittedModel& model : fit.models) model.matches[0].accepted = false;
  mark_as_near(fit.models);
  CHECK(fit.models[3].as_near);
  CHECK(fit.best() == &fit.models[3]);
}

TEST_CASE("what is accepted is 0.01 of a tau, a tenth of a displacement or of a deviation, 0.05 of a correlation") {
  CHECK(feature_tolerance(FeatureKind::tau, 0.9) == 0.01);
  CHECK(feature_tolerance(FeatureKind::displacement, -100) == 0.1 * 100);
  CHECK(feature_tolerance(FeatureKind::displacement, 5) == 1);
  CHECK(feature_tolerance(FeatureKind::tau_sd, 0.02) == 0.1 * 0.02);
  CHECK(feature_tolerance(FeatureKind::tau_sd, 0) == 0.001);
  CHECK(feature_tolerance(FeatureKind::correlation, 0.3) == 0.05);
  CHECK(feature_tolerance(FeatureKind::share, 0.1) == 0.02);
}
