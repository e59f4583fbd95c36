#include "fit/recorded_rows.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "fit/recordings.hpp"

using namespace orderlab;
using orderlab::test::record;
using orderlab::test::rows_of;

TEST_CASE("folds are successive runs, each run is in one, and none has a single run") {
  const Rows recording = record("jitter(9)", 100, 13);
  const RecordedRows rows = recorded_rows(rows_of(recording), {});
  REQUIRE(rows.folds.size() == 5);
  std::size_t begin = 0;
  for (const Fold& fold : rows.folds) {
    CHECK(fold.runs >= 2);
    std::vector<const ArrivalOrder*> held_out;
    std::vector<const ArrivalOrder*> others;
    for (std::size_t i = 0; i < 13; ++i)
      (i >= begin && i < begin + fold.runs ? held_out : others).push_back(&recording.rows[i]);
    begin += fold.runs;
    const auto same = [&](const Features& found, const std::vector<const ArrivalOrder*>& orders) {
      const Features expected = values_of(arrival_features(orders));
      // Weighted sums have the terms of the others, times 0, between theirs: nothing changes but signs of 0. A run and
      // the next one are compared in the order of all, so tau_between has other pairs at the ends of a fold.
      for (std::size_t f = 0; f < kArrivalFeatureCount; ++f)
        if (f != feature_named("tau_between")) CHECK(found[f] == expected[f]);
    };
    same(fold.held_out, held_out);
    same(fold.others, others);
  }
  CHECK(begin == 13);
  CHECK(recorded_rows(rows_of(record("jitter(9)", 100, 9)), {}).folds.size() == 4);
  CHECK(recorded_rows(rows_of(recording), {.folds = 3}).folds.size() == 3);
}

TEST_CASE("scales are standard errors, but never nothing") {
  const Rows recording = record("jitter(9)", 100, 12);
  const RecordedRows rows = recorded_rows(rows_of(recording), {});
  CHECK(rows.vary);
  CHECK(rows.scales[0] == rows.recorded.errors[0]);
  const RecordedRows still = recorded_rows(rows_of(record("launch", 100, 12)), {});
  CHECK(!still.vary);
  CHECK(still.scales[0] == 0.01 * 0.01);
  for (const double scale : still.scales) CHECK(scale > 0);
}

TEST_CASE("the misfit to a fold is in standard errors of as many runs as it has") {
  const Rows recording = record("jitter(9)", 100, 20);
  const RecordedRows rows = recorded_rows(rows_of(recording), {});
  Features off = rows.folds[0].held_out;
  for (std::size_t f = 0; f < kArrivalFeatureCount; ++f) off[f] += 6 * rows.scales[f];
  CHECK(std::fabs(rows.misfit_to(rows.folds[0], off) - 6 / std::sqrt(20 / 4.0)) <= 1e-12);
  CHECK(rows.misfit_to(rows.folds[0], rows.folds[0].held_out) == 0);
}
