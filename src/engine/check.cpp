#include "orderlab/check.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "core/float_environment.hpp"
#include "engine/check_parts.hpp"
#include "metrics/goodness_of_fit.hpp"
#include "orderlab/format.hpp"

namespace orderlab {

namespace {

// The first result whose key is `key` or more.
std::vector<Weighted>::const_iterator first_from(const Enumeration& all, Format format, std::int64_t key) {
  const auto& results = all.results.values;
  return std::lower_bound(results.begin(), results.end(), key, [format](const Weighted& r, std::int64_t wanted) {
    return ordered_key(format, bits_of(format, r.value)) < wanted;
  });
}

// Steps to the nearest finite result.
std::optional<std::uint64_t> nearest(const Enumeration& all, Format format, const ValueVerdict& v) {
  std::optional<std::uint64_t> least;
  if (!std::isfinite(v.value)) return least;
  const auto& results = all.results.values;
  const auto above = first_from(all, format, v.read.low);
  const auto take = [&](const Weighted& r) {
    if (!std::isfinite(r.value)) return;
    const std::uint64_t distance = steps_to(v.read, bits_of(format, r.value), format);
    if (!least || distance < *least) least = distance;
  };
  if (above != results.end()) take(*above);
  if (above != results.begin()) take(*(above - 1));
  return least;
}

std::optional<JointVerdict> joint(const Enumeration& all, const std::vector<ValueVerdict>& values,
                                  const CheckOptions& options) {
  constexpr std::string_view kTest = "multinomial goodness of fit (G), simulated";
  if (any_impossible(values)) return JointVerdict{0, kTest};
  const ReadCells cell_of(values);
  std::map<std::int64_t, std::pair<std::uint64_t, double>> cells;  // given results, probability
  for (const ValueVerdict& v : values) cells[cell_of(v.read.low)].first += v.given;
  for (const Weighted& r : all.results.values)
    cells[cell_of(ordered_key(all.format, bits_of(all.format, r.value)))].second += r.weight;
  std::vector<std::uint64_t> counts;
  std::vector<double> probabilities;
  for (const auto& [key, cell] : cells) {
    counts.push_back(cell.first);
    probabilities.push_back(cell.second);
  }
  const auto p = multinomial_p(counts, probabilities, simulation(options, 1));
  return p ? std::optional(JointVerdict{*p, kTest}) : std::nullopt;
}

}  // namespace

std::uint64_t CheckResult::given() const {
  std::uint64_t count = 0;
  for (const ValueVerdict& v : values) count += v.given;
  return count;
}

double CheckResult::outliers_part() const { return part * orderlab::outliers_part(given(), frequencies_decide); }

double CheckResult::joint_p() const {
  const FloatEnvironment environment;
  if (!joint) return 1;
  return std::min(1.0, joint->p / part / (outliers ? 1 - kOutliersPart : 1));
}

double CheckResult::outliers_p() const {
  const FloatEnvironment environment;
  return outliers ? std::min(1.0, outliers->p / outliers_part()) : 1;
}

double CheckResult::p() const {
  const FloatEnvironment environment;
  return any_impossible(values) ? 0 : std::min(frequencies_decide ? joint_p() : 1, outliers_p());
}

Verdict CheckResult::verdict() const {
  const FloatEnvironment environment;
  Verdict worst = joint_fits() || !frequencies_decide ? Verdict::explained : Verdict::unlikely;
  for (const ValueVerdict& v : values) worst = std::max(worst, v.verdict);
  const bool decided = !cut_short || worst == Verdict::impossible || given() == 1;
  return decided ? worst : Verdict::none;
}

bool CheckResult::settled() const {
  const FloatEnvironment environment;
  if (verdict() == Verdict::unlikely || verdict() == Verdict::impossible) return true;
  return std::all_of(values.begin(), values.end(), [](const ValueVerdict& v) {
    return v.reason == Reason::reachable || v.reason == Reason::seen || v.reason == Reason::inside_range ||
           v.reason == Reason::inside_reach;
  });
}

CheckResult check(const Enumeration& all, const ExactValue& exact, Format format, std::span<const GivenResult> given,
                  const CheckOptions& options) {
  const FloatEnvironment environment;
  CheckResult result;
  result.confidence = options.confidence;
  const std::vector<GivenResult> sorted = ascending(given, format);
  result.values = unjudged(sorted, format, exact);
  const auto judge_read = [&](ValueVerdict& v) {
    bool reachable = false;
    v.probability = 0;
    for (auto r = first_from(all, format, v.read.low);
         r != all.results.values.end() && ordered_key(format, bits_of(format, r->value)) <= v.read.high; ++r) {
      reachable = true;
      *v.probability += r->weight;
    }
    v.distance_ulp = reachable ? 0 : nearest(all, format, v);
    if (reachable)
      judge(v, Verdict::explained, Reason::reachable);
    else
      judge(v, Verdict::impossible, Reason::unreachable);
  };
  for (std::size_t i = 0; i < sorted.size(); ++i) judge_readings(result.values[i], sorted[i], format, judge_read);
  take_joint(result, options, [&] { return joint(all, result.values, options); });
  return result;
}

}  // namespace orderlab
