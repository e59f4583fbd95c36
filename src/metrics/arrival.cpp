// How far the drawn arrival orders are from launch order and from each other.
#include "orderlab/arrival.hpp"

#include <algorithm>
#include <vector>

#include "orderlab/metrics.hpp"

namespace orderlab {

namespace {

// Enough draws for two decimals of tau at the block counts of real kernels, few enough not to be felt.
constexpr std::uint64_t kDraws = 16;
constexpr std::uint64_t kPositions = 2'000'000;

Field measure_arrival(const Measurement& m) {
  const std::size_t count = m.evaluator.random_count();
  if (count < 2 || m.samples_asked == 0) return {};
  const std::uint64_t draws = std::min({kDraws, m.samples_asked, std::max<std::uint64_t>(2, kPositions / count)});
  std::vector<std::vector<std::uint32_t>> orders;
  for (std::uint64_t i = 0; i < draws; ++i) {
    orders.push_back(m.evaluator.arrival(i));
    if (orders.back().empty()) return {};
  }
  double to_launch = 0;
  double between = 0;
  std::uint64_t pairs = 0;
  for (std::size_t i = 0; i < orders.size(); ++i) {
    to_launch += kendall_tau(orders[i]);
    if (i == 0) continue;
    between += kendall_tau(orders[i - 1], orders[i]);
    ++pairs;
  }
  Record record;
  record.set("partial_sums", Field(static_cast<std::uint64_t>(count)));
  record.set("draws", Field(draws));
  record.set("tau_to_launch", Field(to_launch / static_cast<double>(draws)));
  record.set("tau_between", pairs > 0 ? std::optional(between / static_cast<double>(pairs)) : std::nullopt);
  return std::vector<Record>{std::move(record)};
}

}  // namespace

extern const Metric kArrival;
const Metric kArrival{
    .name = "arrival",
    .unit = "Kendall tau",
    .summary =
        "arrival orders of the first samples against launch order and against the next sample's; null without any",
    .source = "[Shanmugavelu2024]",
    .measure = measure_arrival,
};

}  // namespace orderlab
