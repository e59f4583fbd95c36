// What recorded and fitted arrival orders do to sums.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <optional>
#include <set>

#include "core/float_environment.hpp"
#include "engine/rounds.hpp"
#include "fit/bootstrap.hpp"
#include "metrics/goodness_of_fit.hpp"
#include "metrics/moments.hpp"
#include "orderlab/error.hpp"
#include "orderlab/evaluator.hpp"
#include "orderlab/fit.hpp"
#include "orderlab/order.hpp"
#include "orderlab/terms.hpp"

namespace orderlab {

namespace {

constexpr std::uint64_t kTermsPerBlock = 128;  // kPredictedOrder has 64 threads with 2 terms each
constexpr std::uint64_t kSimulations = 1999;   // no p-value is below 1/2000

struct Sums {
  std::vector<double> recorded;
  std::vector<double> fitted;
};

std::uint64_t distinct(const std::vector<double>& sums) {
  std::set<std::uint64_t> patterns;
  for (const double sum : sums) patterns.insert(std::bit_cast<std::uint64_t>(sum));
  return patterns.size();
}

// Error(input): what overflows has no standard deviation.
void require_finite(const std::vector<Sums>& inputs, const std::string& distribution) {
  for (const Sums& sums : inputs)
    for (const std::vector<double>* list : {&sums.recorded, &sums.fitted})
      for (const double sum : *list)
        if (!std::isfinite(sum))
          throw Error(ErrorKind::input,
                      fmt::format("{}: sums overflow; a prediction takes terms whose sums are finite", distribution));
}

// Both samples as counts of their distinct values, ascending.
std::vector<TwoSampleCount> tabulated(const Sums& sums) {
  std::vector<double> values = sums.recorded;
  values.insert(values.end(), sums.fitted.begin(), sums.fitted.end());
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  std::vector<TwoSampleCount> counts(values.size());
  const auto at = [&](double x) -> TwoSampleCount& {
    return counts[static_cast<std::size_t>(std::lower_bound(values.begin(), values.end(), x) - values.begin())];
  };
  for (const double x : sums.recorded) ++at(x).first;
  for (const double x : sums.fitted) ++at(x).second;
  return counts;
}

double largest_difference(std::span<const TwoSampleCount> counts, const Sums& sums) {
  double largest = 0;
  double first = 0;
  double second = 0;
  for (const TwoSampleCount& c : counts) {
    first += static_cast<double>(c.first) / static_cast<double>(sums.recorded.size());
    second += static_cast<double>(c.second) / static_cast<double>(sums.fitted.size());
    largest = std::max(largest, std::fabs(first - second));
  }
  return largest;
}

InputPrediction compared(const Sums& sums, std::uint64_t seed) {
  const std::vector<TwoSampleCount> counts = tabulated(sums);
  SimulationOptions simulation;
  simulation.seed = seed;
  simulation.simulations = kSimulations;
  return {.recorded_sd = std::sqrt(Moments(sums.recorded).variance()),
          .fitted_sd = std::sqrt(Moments(sums.fitted).variance()),
          .recorded_distinct = distinct(sums.recorded),
          .fitted_distinct = distinct(sums.fitted),
          .distance = largest_difference(counts, sums),
          .p = two_sample_p(counts, simulation).value_or(1)};
}

// How often each input, recorded row and drawn order counts in a ratio; all once where empty.
struct Weights {
  std::vector<double> inputs;
  std::vector<double> rows;
  std::vector<double> orders;
};

// Ratio of root mean square sds: inputs that vary more weigh more, as they are known better. Empty where no recorded
// sum varies.
std::optional<double> ratio_of(const std::vector<Sums>& inputs, const Weights& weights) {
  double recorded = 0;
  double fitted = 0;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const double weight = weights.inputs.empty() ? 1 : weights.inputs[i];
    if (!(weight > 0)) continue;
    recorded += weight * Moments(inputs[i].recorded, weights.rows).variance();
    fitted += weight * Moments(inputs[i].fitted, weights.orders).variance();
  }
  if (!(recorded > 0)) return std::nullopt;
  return std::sqrt(fitted / recorded);
}

// n things resampled repeat, which takes a fraction 1/n off their variance.
double resampled_sd(std::size_t n) { return std::sqrt(static_cast<double>(n - 1) / static_cast<double>(n)); }

void fill_ratio(Prediction& prediction, const std::vector<Sums>& inputs, std::uint64_t seed) {
  prediction.ratio = ratio_of(inputs, {});
  if (!prediction.ratio) return;
  const std::size_t rows = inputs.front().recorded.size();
  const std::size_t orders = inputs.front().fitted.size();
  const double unbiased = resampled_sd(rows) / resampled_sd(orders);
  std::vector<double> ratios;
  for (std::uint64_t b = 0; b < kReplicates; ++b) {
    const std::uint64_t first = replicates::kPrediction + 3 * b;
    const auto ratio =
        ratio_of(inputs, {bootstrap_weights(inputs.size(), seed, first), bootstrap_weights(rows, seed, first + 1),
                          bootstrap_weights(orders, seed, first + 2)});
    if (ratio) ratios.push_back(unbiased * *ratio);
  }
  if (ratios.empty()) return;
  const Interval interval = middle_95(std::move(ratios));
  prediction.low = interval.low;
  prediction.high = interval.high;
}

}  // namespace

std::uint64_t predicted_terms(std::size_t m) { return kTermsPerBlock * m; }

Prediction predict_sums(const Rows& recording, const ArrivalFit& fit, const FittedModel& model,
                        const PredictOptions& options) {
  const FloatEnvironment environment;
  const Order any_arrival = parse_order(kPredictedOrder);  // whose evaluator takes the recorded rows
  const Order order = parse_order(kPredictedOrder, model.arrival);
  const auto sum_input = [&](std::uint64_t input) {
    const Terms terms =
        generate_terms(options.distribution, predicted_terms(fit.length), Format::fp64, options.seed, input);
    Sums sums;
    {
      const auto evaluator = Evaluator::make(any_arrival, terms.view(), {}, options.seed);
      const auto scratch = evaluator->make_scratch();
      for (const std::size_t row : fit.rows)
        sums.recorded.push_back(evaluator->evaluate_arranged(recording.rows[row], *scratch).value);
    }
    const auto evaluator = Evaluator::make(order, terms.view(), {}, options.seed);
    const auto scratch = evaluator->make_scratch();
    for (std::uint64_t s = 0; s < options.samples && !options.stop.stop_requested(); ++s)
      sums.fitted.push_back(evaluator->evaluate(s, *scratch).value);
    return sums;
  };
  SampleOptions how;
  how.end = options.inputs;
  how.threads = options.threads;
  how.stop = options.stop;
  how.progress = options.progress;
  std::vector<Sums> inputs = list_in_rounds(how, sum_input);
  Prediction prediction;
  const auto cut = std::find_if(inputs.begin(), inputs.end(),
                                [&](const Sums& sums) { return sums.fitted.size() < options.samples; });
  inputs.erase(cut, inputs.end());  // those that a stop cut short, and all after them
  require_finite(inputs, options.distribution);
  prediction.partial = inputs.size() < options.inputs;
  for (const Sums& sums : inputs) prediction.inputs.push_back(compared(sums, options.seed));
  if (!inputs.empty()) fill_ratio(prediction, inputs, options.seed);
  return prediction;
}

}  // namespace orderlab
