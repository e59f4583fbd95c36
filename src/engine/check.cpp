#include "orderlab/check.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "engine/check_parts.hpp"
#include "metrics/goodness_of_fit.hpp"
#include "orderlab/ulp.hpp"

namespace orderlab {

namespace {

// Floats between `bits` and the nearest finite result.
std::optional<std::uint64_t> nearest(const Enumeration& all, Format format, std::uint64_t bits) {
  std::optional<std::uint64_t> least;
  if (!std::isfinite(value_of_bits(format, bits))) return least;
  for (const Weighted& r : all.results.values) {
    if (!std::isfinite(r.value)) continue;
    const std::uint64_t distance = ulp_distance(format, bits, bits_of(format, r.value));
    if (!least || distance < *least) least = distance;
  }
  return least;
}

std::optional<JointVerdict> joint(const Enumeration& all, const std::vector<ValueVerdict>& values,
                                  const CheckOptions& options) {
  constexpr std::string_view kTest = "multinomial goodness of fit (G), simulated";
  if (any_impossible(values)) return JointVerdict{0, kTest};
  std::unordered_map<std::uint64_t, std::uint64_t> given;
  for (const ValueVerdict& v : values) given[v.bits] = v.given;
  std::vector<std::uint64_t> counts;
  std::vector<double> probabilities;
  for (const Weighted& r : all.results.values) {
    counts.push_back(given[bits_of(all.format, r.value)]);
    probabilities.push_back(r.weight);
  }
  const auto p = multinomial_p(counts, probabilities, simulation(options, 1));
  return p ? std::optional(JointVerdict{*p, kTest}) : std::nullopt;
}

}  // namespace

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::explained:
      return "explained";
    case Verdict::none:
      return "none";
    case Verdict::unlikely:
      return "unlikely";
    default:
      return "impossible";
  }
}

std::string_view name_of(Reason reason) {
  static constexpr std::string_view kNames[] = {
      "reachable",    "seen",        "inside_range",  "beyond_range", "not_bounded",
      "may_overflow", "unreachable", "outside_bound", "no_overflow",  "terms_not_finite"};
  return kNames[static_cast<std::size_t>(reason)];
}

std::uint64_t CheckResult::given() const {
  std::uint64_t count = 0;
  for (const ValueVerdict& v : values) count += v.given;
  return count;
}

double CheckResult::joint_p() const {
  if (!joint) return 1;
  return std::min(1.0, joint->p / (outliers ? 1 - kOutliersPart : 1));
}

double CheckResult::outliers_p() const { return outliers ? std::min(1.0, outliers->p / outliers_part(given())) : 1; }

double CheckResult::p() const { return any_impossible(values) ? 0 : std::min(joint_p(), outliers_p()); }

Verdict CheckResult::verdict() const {
  Verdict worst = joint_fits() ? Verdict::explained : Verdict::unlikely;
  for (const ValueVerdict& v : values) worst = std::max(worst, v.verdict);
  const bool decided = !cut_short || worst == Verdict::impossible || given() == 1;
  return decided ? worst : Verdict::none;
}

CheckResult check(const Enumeration& all, const ExactValue& exact, Format format, std::span<const GivenResult> given,
                  const CheckOptions& options) {
  CheckResult result;
  result.confidence = options.confidence;
  result.values = unjudged(given, format, exact);
  for (ValueVerdict& v : result.values) {
    const Weighted* found = all.find(v.bits);
    v.probability = found == nullptr ? 0 : found->weight;
    v.distance_ulp = found == nullptr ? nearest(all, format, v.bits) : 0;
    if (found == nullptr)
      judge(v, Verdict::impossible, Reason::unreachable);
    else
      judge(v, Verdict::explained, Reason::reachable);
  }
  take_joint(result, options, [&] { return joint(all, result.values, options); });
  return result;
}

}  // namespace orderlab
