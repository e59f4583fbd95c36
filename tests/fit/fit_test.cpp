#include "orderlab/fit.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "fit/features.hpp"
#include "fit/recordings.hpp"
#include "orderlab/error.hpp"
#include "orderlab/order.hpp"

using namespace orderlab;
using orderlab::test::record;

namespace {

constexpr std::size_t kLength = 128;

const FittedModel& model(const ArrivalFit& fit, std::string_view name) {
  for (const FittedModel& fitted : fit.models)
    if (fitted.call.model->name == name) return fitted;
  FAIL("no fit of ", std::string(name));
  return fit.models.front();
}

bool accepts(const FittedModel& fitted, std::string_view feature) {
  for (const FeatureMatch& match : fitted.matches)
    if (kArrivalFeatures[match.feature].name == feature) return match.accepted;
  FAIL("no feature ", std::string(feature));
  return false;
}

/// Within 5 of its own standard errors, of which a normal number is out once in 1.7 million, and half a unit of the
/// fourth digit.
void check_near(const FittedParameter& parameter, double truth) {
  CAPTURE(std::string(parameter.name));
  CAPTURE(parameter.value);
  REQUIRE(parameter.error);
  CAPTURE(*parameter.error);
  CHECK(*parameter.error > 0);
  CHECK(std::fabs(parameter.value - truth) <= 5 * *parameter.error + 0.5e-3 * truth);
  CHECK(*parameter.low <= *parameter.high);
}

}  // namespace

TEST_CASE("a fit finds the jitter that a recording was drawn with") {
  const ArrivalFit fit = fit_arrivals(record("jitter(9)", kLength, 40), {});
  CHECK(fit.rows.size() == 40);
  CHECK(fit.folds == 5);
  CHECK(!fit.partial);
  const FittedModel& jitter = model(fit, "jitter");
  check_near(jitter.parameters[0], 9);
  CHECK(*jitter.parameters[0].error < 9 * 0.1);
  REQUIRE(fit.best() != nullptr);
  CHECK(fit.best() == &jitter);  // drift, which has jitter in it, is as near and has a parameter more
}

TEST_CASE("a fit finds the drift that a recording was drawn with, and rejects jitter and slots") {
  const ArrivalFit fit = fit_arrivals(record("drift(3,14)", kLength, 40), {});
  const FittedModel& drift = model(fit, "drift");
  check_near(drift.parameters[0], 3);
  check_near(drift.parameters[1], 14);
  CHECK(drift.accepted());
  CHECK(fit.best() == &drift);
  CHECK(!model(fit, "jitter").accepted());
  CHECK(!model(fit, "slots").accepted());
}

TEST_CASE("a fit finds the slots that a recording was drawn with, and its text pastes back to that model") {
  const ArrivalFit fit = fit_arrivals(record("slots(24,0.4,0.3)", kLength, 40), {});
  const FittedModel& slots = model(fit, "slots");
  check_near(slots.parameters[0], 24);
  check_near(slots.parameters[1], 0.4);
  check_near(slots.parameters[2], 0.3);
  CHECK(fit.best() == &slots);
  CHECK(slots.held_out_misfit < model(fit, "jitter").held_out_misfit);
  CHECK(to_string(parse_arrival(slots.arrival)) == slots.arrival);
  CHECK(parse_order("ao", slots.arrival).random());
}

TEST_CASE("a fit is the same for any number of threads") {
  const Rows recording = record("slots(8,0.4,0.3)", 48, 16);
  FitOptions alone;
  alone.threads = 1;
  const ArrivalFit fit = fit_arrivals(recording, alone);
  FitOptions other;
  other.threads = 3;
  const ArrivalFit again = fit_arrivals(recording, other);
  REQUIRE(again.models.size() == fit.models.size());
  for (std::size_t i = 0; i < fit.models.size(); ++i) {
    CHECK(again.models[i].arrival == fit.models[i].arrival);
    CHECK(again.models[i].held_out_misfit == fit.models[i].held_out_misfit);
    for (std::size_t p = 0; p < fit.models[i].parameters.size(); ++p)
      CHECK(again.models[i].parameters[p].low == fit.models[i].parameters[p].low);
    for (std::size_t f = 0; f < fit.models[i].matches.size(); ++f)
      CHECK(again.models[i].matches[f].high == fit.models[i].matches[f].high);
    CHECK(again.models[i].fold_misfits == fit.models[i].fold_misfits);
  }
}

TEST_CASE("a fit finds batches, passes and the steady part that a recording was drawn with") {
  const ArrivalFit together = fit_arrivals(record("batches(12,12,16,0.6)", 160, 60), {});
  const FittedModel& batches = model(together, "batches");
  // Few lags of 160 thread blocks: size, share and near make up for each other.
  CHECK(std::fabs(batches.parameters[0].value - 12) < 4);
  CHECK(batches.parameters[3].value > 0.3);
  CHECK(to_string(parse_arrival(batches.arrival)) == batches.arrival);
  CHECK(batches.accepted());

  CHECK(!model(together, "drift").accepted());

  const ArrivalFit apart = fit_arrivals(record("passes(48,4,9)", kLength, 40), {});
  const FittedModel& passes = model(apart, "passes");
  REQUIRE(passes.parameters.size() == 3);
  CHECK(passes.parameters[0].name == "g");
  CHECK(passes.parameters[0].value == 48);
  CHECK(!passes.parameters[0].error);
  check_near(passes.parameters[1], 4);
  check_near(passes.parameters[2], 9);
  CHECK(passes.accepted());
  CHECK(to_string(parse_arrival(passes.arrival)) == passes.arrival);
  CHECK(passes.arrival.starts_with("passes(48,"));

  const ArrivalFit alike = fit_arrivals(record("steady(drift(6,9),0.5)", kLength, 40), {});
  const FittedModel& steady = model(alike, "steady");
  CHECK(to_string(parse_arrival(steady.arrival)) == steady.arrival);
  CHECK(steady.arrival.starts_with("steady(drift("));
  CHECK(steady.parameters[2].name == "rho");
  // One input of 128 units: its steady part varies by about sqrt(2 / 128) of its variance.
  CHECK(std::fabs(steady.parameters[2].value - 0.5) < 0.3);
  CHECK(steady.accepted());
  CHECK(!model(alike, "drift").accepted());
}

TEST_CASE("a row unlike the others is named and takes no part, and all others do") {
  Rows recording = record("jitter(9)", 64, 11);
  recording.rows[3] = record("jitter(40)", 64, 1).rows[0];
  const ArrivalFit fit = fit_arrivals(recording, {});
  REQUIRE(fit.outliers.size() == 1);
  CHECK(fit.outliers[0].row == 3);
  CHECK(fit.outliers[0].z < -5);
  CHECK(fit.outliers[0].tau == kendall_tau(recording.rows[3]));
  CHECK(fit.rows == std::vector<std::size_t>{0, 1, 2, 4, 5, 6, 7, 8, 9, 10});
}

TEST_CASE("orders that never vary are launch order, though models that hardly vary are accepted too") {
  const ArrivalFit fit = fit_arrivals(record("launch", 40, 8), {});
  CHECK(fit.outliers.empty());
  CHECK(fit.models.size() == 7);
  REQUIRE(fit.best() != nullptr);
  CHECK(fit.best()->arrival == "launch");
  CHECK(fit.best()->accepted());
  CHECK(!model(fit, "uniform").accepted());
  for (const char* name : {"jitter", "drift", "batches", "steady", "slots"}) {
    const FittedModel& fitted = model(fit, name);
    CAPTURE(fitted.arrival);
    CHECK(fitted.accepted());
    CHECK(fitted.matches[0].recorded == 1);
    CHECK(std::isfinite(fitted.held_out_misfit));
    for (const FittedParameter& parameter : fitted.parameters) CHECK(!parameter.error);  // nothing determines them
  }
}

TEST_CASE("orders that know nothing of launch order are uniform ones") {
  const ArrivalFit fit = fit_arrivals(record("uniform", 64, 20), {});
  REQUIRE(fit.best() != nullptr);
  CHECK(fit.best()->arrival == "uniform");
  CHECK(fit.best()->accepted());
  CHECK(fit.best()->parameters.empty());
}

TEST_CASE("launches that differ from each other as no model's do, and neighbours that move together, are noticed") {
  // Half of the launches are three times as disordered, and blocks come in groups of four that change places together.
  Rows recording = record("jitter(4)", 64, 24);
  const Rows wide = record("jitter(12)", 64, 24, 78);
  for (std::size_t i = 0; i < 24; ++i) {
    const ArrivalOrder groups = i % 4 < 2 ? recording.rows[i] : wide.rows[i];
    recording.rows[i].clear();
    for (const std::uint32_t group : groups)
      for (std::uint32_t j = 0; j < 4; ++j) recording.rows[i].push_back(4 * group + j);
  }
  const ArrivalFit fit = fit_arrivals(recording, {});
  REQUIRE(fit.best() != nullptr);
  CHECK(!fit.best()->accepted());
  CHECK(fit.best() == &model(fit, "batches"));  // which alone has neighbours that move together
  CHECK(!accepts(model(fit, "drift"), "neighbours_1"));
  CHECK(!accepts(model(fit, "drift"), "tau_sd"));
}

TEST_CASE("recordings that cannot be fitted are refused") {
  const auto refused = [](Rows recording, const char* message) {
    CHECK_THROWS_WITH_AS(fit_arrivals(recording, {}), message, Error);
  };
  refused(record("jitter(9)", 64, 7), "orders.csv: 7 rows, 0 of them outliers; a fit takes 8 others or more");
  refused(record("jitter(2)", 39, 9),
          "orders.csv: row 1: 39 numbers in a row; a fit takes arrival orders of 40 or more");
  Rows uneven = record("jitter(9)", 64, 9);
  uneven.rows[4].pop_back();
  refused(
      uneven,
      "orders.csv: row 5: 63 numbers in a row, 64 in the first: every row must be an arrival order of the same partial "
      "sums");
  refused({"orders.csv", "", {}}, "orders.csv: no recorded arrival order in it");
  Rows twice = record("launch", 64, 9);
  twice.rows[2][7] = 8;
  refused(twice, "orders.csv: row 3: 8 occurs twice; a row must have each of 0 to 63 once");
}

TEST_CASE("a stopped fit is partial") {
  std::stop_source source;
  FitOptions options;
  options.threads = 1;  // with two, another model's last call may come after the stop
  options.stop = source.get_token();
  int calls = 0;
  options.progress = [&](std::uint64_t done, std::uint64_t total) {
    CHECK(done < total);
    if (++calls == 5) source.request_stop();
  };
  const ArrivalFit fit = fit_arrivals(record("jitter(9)", 64, 9), options);
  CHECK(fit.partial);
  CHECK(fit.models.empty());  // a model takes more than 40 simulated recordings
  CHECK(calls == 5);
}

TEST_CASE("sm_queues is fitted where each multiprocessor gets four thread blocks, with the number that is known") {
  FitOptions options;
  options.wave = {.sms = 8, .resident = 6};
  const ArrivalFit fit = fit_arrivals(record("sm_queues(8,6,40,0.3,2,25,8,0.5)", 400, 16), options);
  const FittedModel& queues = model(fit, "sm_queues");
  REQUIRE(queues.parameters.size() == 8);
  CHECK(queues.parameters[0].name == "sms");
  CHECK(queues.parameters[0].value == 8);
  CHECK(!queues.parameters[0].error);
  check_near(queues.parameters[2], 40);
  check_near(queues.parameters[3], 0.3);
  CHECK(queues.arrival.starts_with("sm_queues(8,"));
  CHECK(queues.accepted());
  CHECK(fit.best() == &queues);
  options.wave.sms = 101;
  for (const FittedModel& fitted : fit_arrivals(record("jitter(9)", 400, 8), options).models)
    CHECK(fitted.call.model->name != "sm_queues");
}
