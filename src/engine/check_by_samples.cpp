// Verdicts from samples: which results are outside their range, and whether chance explains how many are.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <unordered_map>

#include "core/text.hpp"
#include "engine/check_parts.hpp"
#include "metrics/exceedances.hpp"
#include "metrics/goodness_of_fit.hpp"
#include "orderlab/check.hpp"
#include "orderlab/error.hpp"
#include "orderlab/ulp.hpp"

namespace orderlab {

namespace {

/// Judges one value after the other by samples.
class SampleJudge {
 public:
  SampleJudge(const ResultCounts& samples, std::optional<double> bound, const ExactValue& exact,
              std::span<const GivenResult> given, const CheckOptions& options)
      : format_(samples.frame().format),
        samples_(samples.samples()),
        given_(total(given)),
        tail_(1 - options.confidence),
        cut_short_(options.cut_short),
        bound_(bound),
        exact_(exact) {
    if (!samples.binned()) {
      seen_.emplace();
      for (const Weighted& r : samples.results().values) {
        const std::uint64_t bits = bits_of(format_, r.value);
        (*seen_)[bits] = static_cast<std::uint64_t>(r.weight);
        if (std::isfinite(r.value)) range_ = {range_ ? range_->min : bits, bits};
      }
    } else if (const auto extremes = samples.extremes()) {
      range_ = {round_to_bits(format_, extremes->min), round_to_bits(format_, extremes->max)};
    }
    kinds_[0].sampled = samples.nans();
    kinds_[1].sampled = samples.infinities();
    kinds_[2].sampled = samples.minus_infinities();
    count_outliers(given);
    share_out();
  }

  Outliers outliers() const {
    double p = std::min(1.0, side_p(std::max(below_, above_)));
    std::uint64_t nonfinite = 0;
    for (const Kind& kind : kinds_) {
      if (kind.sampled > 0 || kind.given == 0) continue;
      nonfinite += kind.given;
      p = std::min(p, kind.p);
    }
    return {range_ ? below_ : 0, above_, nonfinite, p};  // without a finite sample both sides count the same results
  }

  /// As many on one side are unlikely.
  std::uint64_t noticed() const {
    return fewest_exceedances(given_, samples_, outliers_part(given_) * side_ * tail_).value_or(given_ + 1);
  }

  void operator()(ValueVerdict& v) const {
    if (seen_) {
      const auto found = seen_->find(v.bits);
      v.seen = found == seen_->end() ? 0 : found->second;
    } else if (!std::isfinite(v.value)) {
      v.seen = kind_of(v.value).sampled;
    }
    if (v.seen.value_or(0) > 0) return judge(v, Verdict::explained, Reason::seen);
    const double exact = exact_.to_double();
    if (!exact_.finite() && !std::isnan(v.value) &&
        (std::isfinite(v.value) || std::isnan(exact) || v.value * exact < 0))
      return judge(v, Verdict::impossible, Reason::terms_not_finite);
    if (!std::isfinite(v.value)) return judge_special(v);
    const bool below = is_below(v.bits);
    const bool above = is_above(v.bits);
    if (!below && !above) {
      v.distance_ulp = 0;
      return judge(v, Verdict::explained, Reason::inside_range);
    }
    if (range_) v.distance_ulp = ulp_distance(format_, v.bits, below ? range_->min : range_->max);
    // The difference is rounded once and the bound is a double, so a value inside the bound stays inside after
    // rounding.
    if (!bound_) return judge_beyond(v, Reason::not_bounded);
    if (std::fabs(exact_.difference(v.value)) > *bound_) return judge(v, Verdict::impossible, Reason::outside_bound);
    judge_beyond(v, std::isinf(*bound_) ? Reason::may_overflow : Reason::beyond_range);
  }

 private:
  /// NaN, inf or -inf. `p`: of all being given, of this kind or of a tested one with more, over the third it may take.
  struct Kind {
    std::uint64_t given = 0;
    std::uint64_t sampled = 0;
    double p = 1;
  };

  void judge_beyond(ValueVerdict& v, Reason reason) const {
    double p = 1;
    if (!std::isfinite(v.value)) p = kind_of(v.value).p;
    if (is_above(v.bits)) p = side_p(above_);
    if (is_below(v.bits)) p = std::min(p, side_p(below_));
    v.p = std::min(1.0, p / outliers_part(given_));
    judge(v, cut_short_ ? Verdict::none : *v.p < tail_ ? Verdict::unlikely : Verdict::explained, reason);
  }

  double p_of(std::uint64_t beyond) const { return exceedances_p(given_, samples_, beyond); }
  double side_p(std::uint64_t beyond) const { return p_of(beyond) / side_; }

  static std::size_t kind_index(double value) { return std::isnan(value) ? 0 : value > 0 ? 1 : 2; }
  const Kind& kind_of(double value) const { return kinds_[kind_index(value)]; }

  bool is_finite(std::uint64_t bits) const { return std::isfinite(value_of_bits(format_, bits)); }

  bool is_above(std::uint64_t bits) const {
    return is_finite(bits) && (!range_ || ordered_key(format_, bits) > ordered_key(format_, range_->max));
  }

  bool is_below(std::uint64_t bits) const {
    return is_finite(bits) && (!range_ || ordered_key(format_, bits) < ordered_key(format_, range_->min));
  }

  void count_outliers(std::span<const GivenResult> given) {
    for (const GivenResult& g : given) {
      const double value = value_of_bits(format_, g.bits);
      if (!std::isfinite(value)) kinds_[kind_index(value)].given += g.count;
      if (is_above(g.bits)) above_ += g.count;
      if (is_below(g.bits)) below_ += g.count;
    }
  }

  // The kinds with most results first: it is the least likely that all of theirs are given. Of what outliers may take
  // the sides leave them a third, and have what they do not need. Nothing here asks who is given.
  void share_out() {
    std::array<Kind*, 3> by_count{&kinds_[0], &kinds_[1], &kinds_[2]};
    const auto count = [](const Kind& kind) { return kind.given + kind.sampled; };
    std::stable_sort(by_count.begin(), by_count.end(), [&](Kind* a, Kind* b) { return count(*a) > count(*b); });
    double together = 0;
    for (Kind* kind : by_count) {
      if (count(*kind) == 0 || count(*kind) > given_) continue;
      const double p = together + p_of(count(*kind));
      kind->p = std::min(1.0, 3 * p);
      if (!(kind->p / outliers_part(given_) < tail_)) break;
      together = p;
    }
    side_ = (1 - together / (outliers_part(given_) * tail_)) / 2;
  }

  // inf or NaN that was not seen.
  void judge_special(ValueVerdict& v) const {
    if (!bound_) return judge_beyond(v, Reason::not_bounded);
    if (may_be_nonfinite(bound_, exact_, format_)) return judge_beyond(v, Reason::may_overflow);
    judge(v, Verdict::impossible, Reason::no_overflow);
  }

  Format format_;
  std::uint64_t samples_;
  std::uint64_t given_;
  double tail_;
  bool cut_short_;
  std::uint64_t below_ = 0;
  std::uint64_t above_ = 0;
  std::array<Kind, 3> kinds_;
  double side_ = 0.5;  // of what outliers may take, the part of either side
  std::optional<double> bound_;
  const ExactValue& exact_;
  std::optional<std::unordered_map<std::uint64_t, std::uint64_t>> seen_;  // empty: binned
  std::optional<ResultCounts::Range<std::uint64_t>> range_;               // of the finite samples
};

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
  for (const Weighted& r : samples.results().values)
    pooled[ordered_key(format, bits_of(format, r.value))].second = static_cast<std::uint64_t>(r.weight);
  std::vector<TwoSampleCount> counts;
  for (const auto& [key, count] : pooled) counts.push_back(count);
  const auto p = two_sample_p(counts, simulation(options, 1 - kOutliersPart));
  return p ? std::optional(JointVerdict{*p, kTest}) : std::nullopt;
}

// A shift changes the ECDF by at most the fraction of results in an interval of its length. The joint test rejects from
// the quantile of Kolmogorov's distribution on [Smirnov1948]; there the difference of both ECDFs has a standard
// deviation of at most half of sqrt(1/m + 1/N), 1.645 of which cover 95 %.
std::optional<double> noticed_shift(const ResultCounts& samples, std::uint64_t given, double confidence) {
  const auto m = static_cast<double>(given);
  const auto n = static_cast<double>(samples.samples());
  const double level = (1 - kOutliersPart) * (1 - confidence);
  const double part = (std::sqrt(-std::log(level / 2) / 2) + 1.645 / 2) * std::sqrt(1 / m + 1 / n);
  const std::vector<Weighted> results = samples.results().values;
  const double needed = std::ceil(part * n);
  const double ulp = std::ldexp(1.0, samples.frame().ulp_exponent);  // beyond the last one
  std::optional<double> least;
  double inside = 0;
  for (std::size_t first = 0, end = 0; first < results.size(); ++first) {
    while (end < results.size() && inside < needed) inside += results[end++].weight;
    if (inside < needed) break;
    const double length = results[end - 1].value - results[first].value + ulp;
    if (std::isfinite(length) && (!least || length < *least)) least = length;
    inside -= results[first].weight;
  }
  return least;
}

}  // namespace

bool may_be_nonfinite(std::optional<double> bound, const ExactValue& exact, Format format) {
  if (!bound || !exact.finite() || std::isinf(*bound)) return true;
  return std::isinf(value_of_bits(format, round_to_bits(format, std::fabs(exact.to_double()) + *bound)));
}

std::uint64_t check_samples(double confidence, std::uint64_t given, std::uint64_t terms, bool nonfinite) {
  if (!(confidence > 0 && confidence < 1))
    throw Error(ErrorKind::usage, "confidence " + shortest(confidence) + ": must lie between 0 and 1, such as 0.999");
  constexpr std::uint64_t kFewest = 1 << 16;
  constexpr std::uint64_t kMost = 1 << 20;
  constexpr std::uint64_t kAdditions = std::uint64_t{1} << 32;
  constexpr std::uint64_t kEnoughForOne = 20;
  const double tail = 1 - confidence;
  const double parts = nonfinite ? 3 : 2;
  const auto most = static_cast<double>(RandomStream::kSampleLimit - kFirstCheckSample) / 2;
  if (parts / tail > most || static_cast<double>(given) > most / kEnoughForOne)
    throw Error(ErrorKind::unsupported, "confidence " + shortest(confidence) + " for " + std::to_string(given) +
                                            " results: needs more than 2^46 samples; ask for less confidence");
  const std::uint64_t for_one_alone = tails(parts, confidence);
  if (given == 1) return for_one_alone;
  const std::uint64_t enough =
      std::max({std::clamp(kAdditions / terms, kFewest, kMost), kEnoughForOne * given, for_one_alone});
  const double for_one_beyond = static_cast<double>(given) / (kOutliersPart / parts);
  return for_one_beyond / tail > static_cast<double>(enough) ? enough : tails(for_one_beyond, confidence);
}

std::uint64_t fewest_check_samples(double confidence, std::uint64_t given, bool nonfinite) {
  if (given == 1) return check_samples(confidence, 1, 1, nonfinite);
  const double part = (1 - confidence) * outliers_part(given) / (nonfinite ? 3 : 2);
  std::uint64_t too_few = 0;
  std::uint64_t enough = check_samples(confidence, given, 1, nonfinite);
  while (enough - too_few > 1) {
    const std::uint64_t middle = too_few + (enough - too_few) / 2;
    (fewest_exceedances(given, middle, part) ? enough : too_few) = middle;
  }
  return enough;
}

CheckResult check(const ResultCounts& samples, std::optional<double> bound, const ExactValue& exact,
                  std::span<const GivenResult> given, const CheckOptions& options) {
  const Format format = samples.frame().format;
  CheckResult result;
  result.confidence = options.confidence;
  result.values = unjudged(given, format, exact);
  const SampleJudge judge_value(samples, bound, exact, given, options);
  for (ValueVerdict& v : result.values) judge_value(v);
  result.outliers = judge_value.outliers();
  take_joint(result, options, [&] { return joint(samples, result.values, options); });
  result.misses = Sensitivity{judge_value.noticed(), std::nullopt};
  if (result.joint) result.misses->shift = noticed_shift(samples, total(given), options.confidence);
  return result;
}

}  // namespace orderlab
