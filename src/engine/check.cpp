#include "orderlab/check.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <unordered_map>

#include "core/infinity.hpp"
#include "core/text.hpp"
#include "metrics/goodness_of_fit.hpp"
#include "orderlab/error.hpp"
#include "orderlab/ulp.hpp"

namespace orderlab {

namespace {

// Joint tests that would be called at the threshold expect this many simulations at or beyond it, so that the
// simulation does not decide.
constexpr double kSimulationsInTail = 10;

// ceil(x / (1 - confidence)) of the decimal that was meant: confidence is up to 2^-54 off it, which would turn
// 2 / (1 - 0.9) into 20.000000000000004 and then into 21.
std::uint64_t tails(double x, double confidence) {
  const double tail = 1 - confidence;
  return static_cast<std::uint64_t>(std::ceil(x / tail * (1 - 0x1p-53 / tail)));
}

SimulationOptions simulation(const CheckOptions& options) {
  const std::uint64_t simulations = std::max<std::uint64_t>(10000, tails(kSimulationsInTail, options.confidence)) - 1;
  return {options.seed, simulations, options.stop, options.progress};
}

std::uint64_t total(std::span<const GivenResult> given) {
  std::uint64_t sum = 0;
  for (const GivenResult& g : given) sum += g.count;
  return sum;
}

// All that is said of a value before it is judged.
std::vector<ValueVerdict> unjudged(std::span<const GivenResult> given, Format format, const ExactValue& exact) {
  std::vector<ValueVerdict> values;
  for (const GivenResult& g : given) {
    ValueVerdict v;
    v.bits = g.bits;
    v.value = value_of_bits(format, g.bits);
    v.given = g.count;
    if (std::isfinite(v.value) && exact.finite())
      v.error_ulp = std::ldexp(exact.difference(v.value), -exact.ulp_exponent(format));
    values.push_back(v);
  }
  std::sort(values.begin(), values.end(), [format](const ValueVerdict& a, const ValueVerdict& b) {
    return ordered_key(format, a.bits) < ordered_key(format, b.bits);
  });
  return values;
}

void judge(ValueVerdict& v, Verdict verdict, Reason reason) {
  v.verdict = verdict;
  v.reason = reason;
  if (verdict == Verdict::impossible) v.p = 0;
}

bool any_impossible(const std::vector<ValueVerdict>& values) {
  return std::any_of(values.begin(), values.end(),
                     [](const ValueVerdict& v) { return v.verdict == Verdict::impossible; });
}

/// Judges one value by samples.
class SampleJudge {
 public:
  SampleJudge(const ResultCounts& samples, std::optional<double> bound, const ExactValue& exact)
      : format_(samples.frame().format),
        p_(2 / (static_cast<double>(samples.samples()) + 1)),
        bound_(bound),
        exact_(exact) {
    if (samples.binned()) {
      add_range(samples);
      return;
    }
    seen_.emplace();
    for (const ResultCounts::Result& r : samples.results()) {
      (*seen_)[r.bits] = r.count;
      if (!std::isnan(r.value)) extend(r.bits);
    }
  }

  void operator()(ValueVerdict& v) const {
    if (seen_) {
      const auto found = seen_->find(v.bits);
      v.seen = found == seen_->end() ? 0 : found->second;
      if (*v.seen > 0) return judge(v, Verdict::explained, Reason::seen);
    }
    const double exact = exact_.to_double();
    if (!exact_.finite() && !std::isnan(v.value) &&
        (std::isfinite(v.value) || std::isnan(exact) || v.value * exact < 0))
      return judge(v, Verdict::impossible, Reason::terms_not_finite);
    if (!std::isfinite(v.value)) return judge_special(v);
    if (range_) {
      const std::int64_t key = ordered_key(format_, v.bits);
      const bool below = key < ordered_key(format_, range_->min);
      const bool above = key > ordered_key(format_, range_->max);
      const std::uint64_t end = below ? range_->min : range_->max;
      if (std::isfinite(value_of_bits(format_, end)))
        v.distance_ulp = below || above ? ulp_distance(format_, v.bits, end) : 0;
      if (!below && !above) return judge(v, Verdict::explained, Reason::inside_range);
    }
    // The difference is rounded once and the bound is a double, so whatever lies inside does so after rounding, too.
    if (!bound_) return judge_unlikely(v, Reason::not_bounded);
    if (std::fabs(exact_.difference(v.value)) > *bound_) return judge(v, Verdict::impossible, Reason::outside_bound);
    judge_unlikely(v, std::isinf(*bound_) ? Reason::may_overflow : Reason::beyond_range);
  }

 private:
  void judge_unlikely(ValueVerdict& v, Reason reason) const {
    v.p = p_;
    judge(v, Verdict::unlikely, reason);
  }

  // inf or NaN that was not seen.
  void judge_special(ValueVerdict& v) const {
    if (!bound_) return judge_unlikely(v, Reason::not_bounded);
    const bool overflow =
        !exact_.finite() || std::isinf(*bound_) ||
        std::isinf(value_of_bits(format_, round_to_bits(format_, std::fabs(exact_.to_double()) + *bound_)));
    if (overflow) return judge_unlikely(v, Reason::may_overflow);
    judge(v, Verdict::impossible, Reason::no_overflow);
  }

  // inf is a result like any other: what lies between it and the greatest finite sample is inside the range.
  void add_range(const ResultCounts& samples) {
    if (samples.minus_infinities() > 0) extend(round_to_bits(format_, -kInfinity));
    if (const auto extremes = samples.extremes()) {
      extend(round_to_bits(format_, extremes->min));
      extend(round_to_bits(format_, extremes->max));
    }
    if (samples.infinities() > 0) extend(round_to_bits(format_, kInfinity));
  }

  // Called in ascending order.
  void extend(std::uint64_t bits) {
    if (!range_) range_ = {bits, bits};
    range_->max = bits;
  }

  Format format_;
  double p_;
  std::optional<double> bound_;
  const ExactValue& exact_;
  std::optional<std::unordered_map<std::uint64_t, std::uint64_t>> seen_;  // empty: binned
  std::optional<ResultCounts::Range<std::uint64_t>> range_;
};

// Floats between `bits` and the nearest finite result.
std::optional<std::uint64_t> nearest(const Enumeration& all, Format format, std::uint64_t bits) {
  std::optional<std::uint64_t> least;
  if (!std::isfinite(value_of_bits(format, bits))) return least;
  for (const ReachableResult& r : all.results) {
    if (!std::isfinite(r.value)) continue;
    const std::uint64_t distance = ulp_distance(format, bits, r.bits);
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
  for (const ReachableResult& r : all.results) {
    counts.push_back(given[r.bits]);
    probabilities.push_back(r.probability);
  }
  const auto p = multinomial_p(counts, probabilities, simulation(options));
  return p ? std::optional(JointVerdict{*p, kTest}) : std::nullopt;
}

std::optional<JointVerdict> joint(const ResultCounts& samples, const std::vector<ValueVerdict>& values,
                                  const CheckOptions& options) {
  constexpr std::string_view kTest = "permutation of given and sampled results (Kolmogorov-Smirnov)";
  if (any_impossible(values)) return JointVerdict{0, kTest};
  if (samples.binned()) return std::nullopt;
  std::map<std::int64_t, TwoSampleCount> pooled;
  const Format format = samples.frame().format;
  std::uint64_t size = samples.samples();
  for (const ValueVerdict& v : values) size += v.given;
  if (size > kMostPooledResults) return std::nullopt;
  for (const ValueVerdict& v : values) pooled[ordered_key(format, v.bits)].first = v.given;
  for (const ResultCounts::Result& r : samples.results()) pooled[ordered_key(format, r.bits)].second = r.count;
  std::vector<TwoSampleCount> counts;
  for (const auto& [key, count] : pooled) counts.push_back(count);
  const auto p = two_sample_p(counts, simulation(options));
  return p ? std::optional(JointVerdict{*p, kTest}) : std::nullopt;
}

}  // namespace

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::explained:
      return "explained";
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

Verdict CheckResult::verdict() const {
  Verdict worst = joint_fits() ? Verdict::explained : Verdict::unlikely;
  for (const ValueVerdict& v : values) worst = std::max(worst, v.verdict);
  return worst;
}

std::uint64_t check_samples(double confidence, std::uint64_t distinct) {
  if (!(confidence > 0 && confidence < 1))
    throw Error(ErrorKind::usage, "confidence " + shortest(confidence) + ": must lie between 0 and 1, such as 0.999");
  const double needed = 2 / (1 - confidence);
  if (needed * static_cast<double>(distinct) > static_cast<double>(RandomStream::kSampleLimit - kFirstCheckSample) / 2)
    throw Error(ErrorKind::unsupported, "confidence " + shortest(confidence) + " for " + std::to_string(distinct) +
                                            " distinct values: needs more than 2^46 samples; ask for less confidence");
  return tails(2, confidence) * distinct;
}

CheckResult check(const Enumeration& all, const ExactValue& exact, Format format, std::span<const GivenResult> given,
                  const CheckOptions& options) {
  CheckResult result{options.confidence, unjudged(given, format, exact), std::nullopt};
  for (ValueVerdict& v : result.values) {
    const ReachableResult* found = all.find(v.bits);
    v.probability = found == nullptr ? 0 : found->probability;
    v.distance_ulp = found == nullptr ? nearest(all, format, v.bits) : 0;
    if (found == nullptr)
      judge(v, Verdict::impossible, Reason::unreachable);
    else
      judge(v, Verdict::explained, Reason::reachable);
  }
  if (total(given) > 1) result.joint = joint(all, result.values, options);
  return result;
}

CheckResult check(const ResultCounts& samples, std::optional<double> bound, const ExactValue& exact,
                  std::span<const GivenResult> given, const CheckOptions& options) {
  const Format format = samples.frame().format;
  CheckResult result{options.confidence, unjudged(given, format, exact), std::nullopt};
  const SampleJudge judge_value(samples, bound, exact);
  for (ValueVerdict& v : result.values) judge_value(v);
  if (total(given) > 1) result.joint = joint(samples, result.values, options);
  return result;
}

}  // namespace orderlab
