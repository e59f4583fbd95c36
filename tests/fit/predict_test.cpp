#include <doctest/doctest.h>

#include <cmath>

#include "fit/recordings.hpp"
#include "orderlab/error.hpp"
#include "orderlab/evaluator.hpp"
#include "orderlab/fit.hpp"
#include "orderlab/terms.hpp"

using namespace orderlab;
using orderlab::test::record;

namespace {

constexpr std::size_t kPredictLength = 128;

/// A "fit" that is known: `arrival`, to every row.
struct Known {
  Rows recording;
  ArrivalFit fit;
  FittedModel model;

  Known(const std::string& recorded, const std::string& arrival) : recording(record(recorded, kPredictLength, 40)) {
    fit.length = kPredictLength;
    for (std::size_t i = 0; i < recording.rows.size(); ++i) fit.rows.push_back(i);
    model.call = parse_arrival(arrival);
    model.arrival = arrival;
  }
};

}  // namespace

TEST_CASE("the model that a recording was drawn from predicts its sums, and the uniform one overstates their spread") {
  const Known right("jitter(4)", "jitter(4)");
  const Prediction same = predict_sums(right.recording, right.fit, right.model, {});
  REQUIRE(same.inputs.size() == 20);
  REQUIRE(same.ratio);
  MESSAGE("ratio of sds ", *same.ratio, ", ", same.low, " to ", same.high);
  // 20 inputs of 40 rows: a variance of 39 degrees of freedom has relative variance 2/39, or more for sums so coarse
  // that few values occur; the mean of 20 inputs that share rows but not terms a twentieth; 5 sd of its root.
  CHECK(std::fabs(*same.ratio - 1) <= 5 * std::sqrt(2.0 / 39 / 20));
  CHECK(same.low < *same.ratio);
  CHECK(*same.ratio < same.high);
  const Known wrong("jitter(4)", "uniform");
  const Prediction wide = predict_sums(wrong.recording, wrong.fit, wrong.model, {});
  REQUIRE(wide.ratio);
  CHECK(wide.low > same.high);
  double least = 1;
  for (const InputPrediction& input : wide.inputs) least = std::min(least, input.p);
  CHECK(least <= 0.01);
}

TEST_CASE("launch order predicts one sum for each input") {
  const Known known("jitter(4)", "launch");
  const Prediction prediction = predict_sums(known.recording, known.fit, known.model, {.inputs = 3, .samples = 20});
  REQUIRE(prediction.inputs.size() == 3);
  for (const InputPrediction& input : prediction.inputs) {
    CHECK(input.fitted_sd == 0);
    CHECK(input.fitted_distinct == 1);
    CHECK(input.recorded_distinct > 1);
  }
  CHECK(prediction.ratio == 0);
}

TEST_CASE("a prediction sums in the recorded orders") {
  const Known known("jitter(4)", "jitter(4)");
  const Prediction prediction = predict_sums(known.recording, known.fit, known.model, {.inputs = 2, .samples = 50});
  for (std::uint64_t input = 0; input < 2; ++input) {
    const Terms terms = generate_terms("uniform(0,10)", predicted_terms(kPredictLength), Format::fp64, 1, input);
    double sum = 0;
    double squares = 0;
    double first = 0;
    for (std::size_t row = 0; row < known.recording.rows.size(); ++row) {
      const auto evaluator = Evaluator::make(parse_order("spa(64,2)"), terms.view(), {}, 9);
      const double value = evaluator->evaluate_arranged(known.recording.rows[row], *evaluator->make_scratch()).value;
      if (row == 0) first = value;
      sum += value - first;
      squares += (value - first) * (value - first);
    }
    const double variance = (squares - sum * sum / 40) / 39;
    // The textbook formula loses at most a few units of 2^-53 of `squares`, far below 1e-9 of the variance here.
    CHECK(std::fabs(prediction.inputs[input].recorded_sd - std::sqrt(variance)) <= 1e-9 * std::sqrt(variance));
    CHECK(prediction.inputs[input].recorded_distinct >= 2);
  }
}

TEST_CASE("a prediction of sums that overflow is refused, and one of sums that never vary has no ratio") {
  const Known known("jitter(4)", "jitter(4)");
  PredictOptions options{.distribution = "constant(1e308)", .inputs = 2, .samples = 3};
  CHECK_THROWS_WITH_AS(predict_sums(known.recording, known.fit, known.model, options),
                       "constant(1e308): sums overflow; a prediction takes terms whose sums are finite", Error);
  options.distribution = "constant(1)";
  const Prediction prediction = predict_sums(known.recording, known.fit, known.model, options);
  CHECK(!prediction.ratio);
  CHECK(prediction.inputs[0].recorded_distinct == 1);
  CHECK(prediction.inputs[0].p == 1);
}

TEST_CASE("predictions are the same for any number of threads; a stopped one has fewer inputs") {
  const Known known("jitter(4)", "slots(20,0.3)");
  PredictOptions options{.inputs = 5, .samples = 60, .threads = 1};
  const Prediction one = predict_sums(known.recording, known.fit, known.model, options);
  options.threads = 2;
  const Prediction two = predict_sums(known.recording, known.fit, known.model, options);
  CHECK(one.ratio == two.ratio);
  CHECK(one.low == two.low);
  CHECK(one.high == two.high);
  for (std::size_t i = 0; i < 5; ++i) CHECK(one.inputs[i].p == two.inputs[i].p);
  std::stop_source source;
  source.request_stop();
  options.stop = source.get_token();
  const Prediction stopped = predict_sums(known.recording, known.fit, known.model, options);
  CHECK(stopped.partial);
  CHECK(stopped.inputs.empty());
  CHECK(!stopped.ratio);
}
