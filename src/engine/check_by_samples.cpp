// Verdicts from samples: which results are outside their range, and whether chance explains how many are.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/float_environment.hpp"
#include "core/infinity.hpp"
#include "core/text.hpp"
#include "engine/check_parts.hpp"
#include "metrics/exceedances.hpp"
#include "metrics/goodness_of_fit.hpp"
#include "orderlab/check.hpp"
#include "orderlab/error.hpp"
#include "orderlab/format.hpp"

namespace orderlab {

namespace {

constexpr std::uint64_t kEnoughForOne =
    20;  // samples per given result with which the joint test is about as good as with all

/// Judges one value after the other by samples.
class SampleJudge {
 public:
  SampleJudge(const ResultCounts& samples, std::optional<double> bound, const ExactValue& exact,
              const std::vector<GivenResult>& given, const CheckOptions& options)
      : format_(samples.frame().format),
        samples_(samples.samples()),
        given_(total(given)),
        outliers_part_(options.part * outliers_part(given_, options.frequencies_decide)),
        tail_(1 - options.confidence),
        planned_(std::max(samples.samples(), options.planned)),
        cut_short_(options.cut_short),
        bound_(bound),
        exact_(exact) {
    if (!samples.binned()) {
      seen_.emplace();
      for (const Weighted& r : samples.results().values)
        seen_->emplace_back(key_of(r.value), static_cast<std::uint64_t>(r.weight));
    }
    if (const auto extremes = samples.extremes()) range_ = KeyInterval{key_of(extremes->min), key_of(extremes->max)};
    reach_ = options.reached;
    if (reach_ && range_)
      reach_ = KeyInterval{std::min(range_->low, reach_->low), std::max(range_->high, reach_->high)};
    if (!reach_) reach_ = range_;
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
    return {reach_ ? below_ : 0, above_, nonfinite, p};  // without a finite sample both sides count the same results
  }

  /// The least number of results on one side that is unlikely, at the last look.
  std::uint64_t noticed() const {
    return fewest_exceedances(given_, planned_, outliers_part_ * side_ * tail_).value_or(given_ + 1);
  }

  void operator()(ValueVerdict& v) const {
    if (seen_)
      v.seen = seen_in(v.read);
    else if (!std::isfinite(v.value))
      v.seen = kind_of(v.value).sampled;
    if (v.seen.value_or(0) > 0) return judge(v, Verdict::explained, Reason::seen);
    const double exact = exact_.to_double();
    if (!exact_.finite() && !std::isnan(v.value) &&
        (std::isfinite(v.value) || std::isnan(exact) || v.value * exact < 0))
      return judge(v, Verdict::impossible, Reason::terms_not_finite);
    if (!std::isfinite(v.value)) return judge_special(v);
    if (reach_ && v.read.overlaps(*reach_)) {
      v.distance_ulp = 0;
      const bool sampled = range_ && v.read.overlaps(*range_);
      return judge(v, Verdict::explained, sampled ? Reason::inside_range : Reason::inside_reach);
    }
    if (reach_)
      v.distance_ulp = steps_to(v.read, bits_of_key(format_, is_below(v.read) ? reach_->low : reach_->high), format_);
    if (!bound_) return judge_beyond(v, Reason::not_bounded);
    // The difference is rounded once and the bound is a double, so a value inside the bound stays inside after
    // rounding.
    if (distance_from_exact(v.read) > *bound_) return judge(v, Verdict::impossible, Reason::outside_bound);
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
    if (std::isfinite(v.value))
      p = std::min(is_above(v.read) ? side_p(above_) : 1, is_below(v.read) ? side_p(below_) : 1);
    v.p = std::min(1.0, p / outliers_part_);
    judge(v, cut_short_ ? Verdict::none : *v.p < tail_ ? Verdict::unlikely : Verdict::explained, reason);
  }

  double p_of(std::uint64_t beyond) const { return exceedances_p(given_, samples_, beyond); }
  double side_p(std::uint64_t beyond) const { return p_of(beyond) / side_; }

  static std::size_t kind_index(double value) { return std::isnan(value) ? 0 : value > 0 ? 1 : 2; }
  const Kind& kind_of(double value) const { return kinds_[kind_index(value)]; }

  std::int64_t key_of(double x) const { return ordered_key(format_, bits_of(format_, x)); }

  std::uint64_t seen_in(const KeyInterval& read) const {
    auto at = std::lower_bound(seen_->begin(), seen_->end(), read.low,
                               [](const auto& one, std::int64_t key) { return one.first < key; });
    std::uint64_t count = 0;
    for (; at != seen_->end() && at->first <= read.high; ++at) count += at->second;
    return count;
  }

  // Without a finite sum to compare with, a finite result is on both sides.
  bool is_above(const KeyInterval& read) const { return !reach_ || read.low > reach_->high; }
  bool is_below(const KeyInterval& read) const { return !reach_ || read.high < reach_->low; }

  // The distance of the nearest of the numbers that are read.
  double distance_from_exact(const KeyInterval& read) const {
    const std::int64_t exact = ordered_key(format_, exact_.round_to(format_));
    double least = kInfinity;
    for (const std::int64_t key : {std::clamp(exact, read.low, read.high), read.low, read.high})
      least = std::min(least, std::fabs(exact_.difference(value_of_bits(format_, bits_of_key(format_, key)))));
    return least;
  }

  void count_outliers(const std::vector<GivenResult>& given) {
    for (const GivenResult& g : given) {
      const double value = value_of_bits(format_, g.bits);
      if (!std::isfinite(value)) {
        kinds_[kind_index(value)].given += g.count;
        continue;
      }
      if (is_above(g.read_widely(format_))) above_ += g.count;
      if (is_below(g.read_widely(format_))) below_ += g.count;
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
      if (!(kind->p / outliers_part_ < tail_)) break;
      together = p;
    }
    side_ = (1 - together / (outliers_part_ * tail_)) / 2;
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
  double outliers_part_;
  double tail_;
  std::uint64_t planned_;
  bool cut_short_;
  std::uint64_t below_ = 0;
  std::uint64_t above_ = 0;
  std::array<Kind, 3> kinds_;
  double side_ = 0.5;  // either side's part of what outliers may take
  std::optional<double> bound_;
  const ExactValue& exact_;
  std::optional<std::vector<std::pair<std::int64_t, std::uint64_t>>> seen_;  // ascending; empty: binned
  std::optional<KeyInterval> range_;                                         // range of the finite samples
  std::optional<KeyInterval> reach_;                                         // with other orders that count as they do
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
  const ReadCells cell_of(values);
  for (const ValueVerdict& v : values) pooled[cell_of(v.read.low)].first += v.given;
  for (const Weighted& r : samples.results().values)
    pooled[cell_of(ordered_key(format, bits_of(format, r.value)))].second += static_cast<std::uint64_t>(r.weight);
  std::vector<TwoSampleCount> counts;
  for (const auto& [key, count] : pooled) counts.push_back(count);
  const auto p = two_sample_p(counts, simulation(options, options.part * (1 - kOutliersPart)));
  return p ? std::optional(JointVerdict{*p, kTest}) : std::nullopt;
}

// A shift changes the ECDF by at most the fraction of results in an interval of its length. The joint test rejects from
// the quantile of Kolmogorov's distribution on [Smirnov1948]; there the difference of both ECDFs has a standard
// deviation of at most half of sqrt(1/m + 1/N), 1.645 of which cover 95 %.
std::optional<double> noticed_shift(const ResultCounts& samples, std::uint64_t given, const CheckOptions& options) {
  const auto m = static_cast<double>(given);
  const auto n = static_cast<double>(samples.samples());
  const double level = options.part * (1 - kOutliersPart) * (1 - options.confidence);
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
  const FloatEnvironment environment;
  if (!bound || !exact.finite() || std::isinf(*bound)) return true;
  return std::isinf(value_of_bits(format, round_to_bits(format, std::fabs(exact.to_double()) + *bound)));
}

std::uint64_t check_samples(double confidence, std::uint64_t given, std::uint64_t terms, bool nonfinite) {
  const FloatEnvironment environment;
  if (!(confidence > 0 && confidence < 1))
    throw Error(ErrorKind::usage, "confidence " + shortest(confidence) + ": must lie between 0 and 1, such as 0.999");
  constexpr std::uint64_t kFewest = 1 << 16;
  constexpr std::uint64_t kMost = 1 << 20;
  constexpr std::uint64_t kAdditions = std::uint64_t{1} << 32;
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
  const FloatEnvironment environment;
  if (given == 1) return check_samples(confidence, 1, 1, nonfinite);
  const double part = (1 - confidence) * kOutliersPart / (nonfinite ? 3 : 2);
  std::uint64_t too_few = 0;
  std::uint64_t enough = check_samples(confidence, given, 1, nonfinite);
  while (enough - too_few > 1) {
    const std::uint64_t middle = too_few + (enough - too_few) / 2;
    (fewest_exceedances(given, middle, part) ? enough : too_few) = middle;
  }
  return enough;
}

std::vector<std::uint64_t> check_looks(std::uint64_t samples, double confidence, std::uint64_t given,
                                       std::uint64_t terms, bool nonfinite) {
  const FloatEnvironment environment;
  const std::uint64_t first = std::max(check_samples(confidence, 1, terms, nonfinite), kEnoughForOne * given);
  const double additions = static_cast<double>(samples) * static_cast<double>(terms);
  if (additions <= kLookTwice || first > samples / 2) return {samples};
  return {first, samples};
}

CheckResult check(const ResultCounts& samples, std::optional<double> bound, const ExactValue& exact,
                  std::span<const GivenResult> given, const CheckOptions& options) {
  const FloatEnvironment environment;
  const Format format = samples.frame().format;
  CheckResult result;
  result.confidence = options.confidence;
  const std::vector<GivenResult> sorted = ascending(given, format);
  result.values = unjudged(sorted, format, exact);
  const SampleJudge judge_read(samples, bound, exact, sorted, options);
  for (std::size_t i = 0; i < sorted.size(); ++i) judge_readings(result.values[i], sorted[i], format, judge_read);
  result.outliers = judge_read.outliers();
  take_joint(result, options, [&] { return joint(samples, result.values, options); });
  result.misses = Sensitivity{judge_read.noticed(), std::nullopt};
  if (result.joint && options.frequencies_decide) result.misses->shift = noticed_shift(samples, total(given), options);
  return result;
}

}  // namespace orderlab
