// How far the drawn arrival orders are from launch order and from each other.
#include "orderlab/arrival.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "core/arithmetic_guard.hpp"
#include "core/float_environment.hpp"
#include "describe/kinds.hpp"
#include "metrics/metric_fields.hpp"
#include "orderlab/metrics.hpp"

namespace orderlab::described {

namespace {

namespace k = kinds;

constexpr std::string_view kOneDraw = "for a single draw";
constexpr Kind kTau{Holds::number, R"({"type": "number", "minimum": -1, "maximum": 1})",
                    R"({"type": ["number", "null"], "minimum": -1, "maximum": 1})"};
constexpr Kind kStandardError{Holds::number, R"({"type": "number", "minimum": 0})",
                              R"({"type": ["number", "null"], "minimum": 0})"};
constexpr Field kArrivalFields[] = {
    value<&ArrivalTaus::partial_sums>("partial_sums", k::kCount, "Number of partial sums that arrive"),
    value<&ArrivalTaus::draws>("draws", k::kCount, "Number of arrival orders that were looked at"),
    value<&ArrivalTaus::tau_to_launch>("tau_to_launch", kTau, "Mean Kendall tau to launch order, from -1 to 1"),
    value<&ArrivalTaus::tau_to_launch_standard_error>("tau_to_launch_standard_error", kStandardError,
                                                      "Its standard error", {.null = kOneDraw}),
    value<&ArrivalTaus::tau_between>("tau_between", kTau, "Mean Kendall tau between two draws, from -1 to 1",
                                     {.null = kOneDraw}),
    value<&ArrivalTaus::tau_between_standard_error>("tau_between_standard_error", kStandardError, "Its standard error",
                                                    {.null = "for fewer than four draws"}),
};
constexpr TableOf<ArrivalTaus> kArrivalTable{
    {.key = "arrival_taus",
     .title = "Arrival",
     .help = "How far drawn arrival orders are from launch order and from each other.",
     .fields = kArrivalFields,
     .shared = true}};
constexpr Field kArrivalField = metric("arrival", kArrivalTable, {.null = "where nothing arrives"});

}  // namespace

}  // namespace orderlab::described

namespace orderlab {

namespace {

struct MeanOfTaus {
  std::optional<double> mean;
  std::optional<double> standard_error;
};

MeanOfTaus mean_of(const std::vector<double>& taus) {
  MeanOfTaus result;
  if (taus.empty()) return result;
  const auto count = static_cast<double>(taus.size());
  double sum = 0;
  for (const double tau : taus) sum += tau;
  result.mean = sum / count;
  if (taus.size() < 2) return result;
  double squares = 0;
  for (const double tau : taus) squares += (tau - *result.mean) * (tau - *result.mean);
  result.standard_error = std::sqrt(squares / (count - 1) / count);
  return result;
}

std::optional<ArrivalTaus> measure_arrival(const Measurement& m) {
  const std::size_t count = m.evaluator.random_count();
  if (count < 2 || m.samples_asked == 0) return {};
  const std::uint64_t draws = std::min(m.samples_asked, arrival_draws(count));
  std::vector<double> to_launch;
  std::vector<double> between;  // pairs have no draw in common, so that they are independent
  std::vector<std::uint32_t> last;
  for (std::uint64_t i = 0; i < draws; ++i) {
    std::vector<std::uint32_t> order = m.evaluator.arrival(i);
    if (order.empty()) return {};
    to_launch.push_back(kendall_tau(order));
    if (i % 2 == 1) between.push_back(kendall_tau(last, order));
    last = std::move(order);
  }
  const MeanOfTaus launch = mean_of(to_launch);
  const MeanOfTaus pairs = mean_of(between);
  return ArrivalTaus{count, draws, *launch.mean, launch.standard_error, pairs.mean, pairs.standard_error};
}

}  // namespace

std::uint64_t arrival_draws(std::size_t partial_sums) {
  const FloatEnvironment environment;
  constexpr std::uint64_t kFewest = 4;  // two pairs, so that there is a standard error
  constexpr std::uint64_t kUsual = 16;
  constexpr std::uint64_t kMost = 1000;
  constexpr std::uint64_t kCheap = std::uint64_t{1} << 19;   // positions that are not felt
  constexpr std::uint64_t kCostly = std::uint64_t{1} << 21;  // and that are
  const std::uint64_t count = std::max<std::uint64_t>(partial_sums, 1);
  return std::clamp(std::clamp(kUsual, kCheap / count, kCostly / count), kFewest, kMost);
}

extern const Metric kArrival;
const Metric kArrival{
    .name = described::kArrivalField.name,
    .unit = "Kendall tau",
    .summary =
        "arrival orders of the first samples against launch order, and of disjoint pairs of them against each other, "
        "with "
        "standard errors; null without any",
    .source = "[Shanmugavelu2024]",
    .functions = kMeasuredBy<measure_arrival>,
    .of_samples = &described::kArrivalField,
    .of_all_orders = nullptr,
};

}  // namespace orderlab
