// What verdicts from all orders and verdicts from samples have in common.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "metrics/goodness_of_fit.hpp"
#include "orderlab/check.hpp"
#include "orderlab/format.hpp"

namespace orderlab {

// A joint test whose p-value is at the threshold expects this many simulated values at least as extreme, so that
// simulation noise does not decide.
inline constexpr double kSimulationsInTail = 10;

// ceil(x / (1 - confidence)) of the decimal that was meant: confidence is up to 2^-54 off it, which would turn
// 2 / (1 - 0.9) into 20.000000000000004 and then into 21.
inline std::uint64_t tails(double x, double confidence) {
  const double tail = 1 - confidence;
  return static_cast<std::uint64_t>(std::ceil(x / tail * (1 - 0x1p-53 / tail)));
}

// `part`: of 1 - confidence, what the test has.
inline SimulationOptions simulation(const CheckOptions& options, double part) {
  const std::uint64_t simulations =
      std::max<std::uint64_t>(10000, tails(kSimulationsInTail / part, options.confidence)) - 1;
  return {options.seed, simulations, options.stop, options.progress};
}

inline std::uint64_t total(std::span<const GivenResult> given) {
  std::uint64_t sum = 0;
  for (const GivenResult& g : given) sum += g.count;
  return sum;
}

// The fields of a verdict that are known before judging.
inline std::vector<ValueVerdict> unjudged(std::span<const GivenResult> given, Format format, const ExactValue& exact) {
  std::vector<ValueVerdict> values;
  for (const GivenResult& g : given) {
    ValueVerdict v;
    v.bits = g.bits;
    v.value = value_of_bits(format, g.bits);
    v.given = g.count;
    v.read = g.read_exactly(format);
    v.digits_given = g.digits;
    if (std::isfinite(v.value) && exact.finite())
      v.error_ulp = std::ldexp(exact.difference(v.value), -exact.ulp_exponent(format));
    values.push_back(v);
  }
  return values;
}

// Reads a result exactly; where that does not explain it, by its digits.
template <class Judge>
void judge_readings(ValueVerdict& v, const GivenResult& given, Format format, const Judge& judge_read) {
  judge_read(v);
  if (v.verdict == Verdict::explained || !given.printed) return;
  v.digits = given.digits;
  v.read = given.read_widely(format);
  judge_read(v);
}

// Steps from the numbers that are read to a reachable one.
inline std::uint64_t steps_to(const KeyInterval& read, std::uint64_t reachable, Format format) {
  const std::int64_t key = ordered_key(format, reachable);
  return ulp_distance(format, reachable, bits_of_key(format, std::clamp(key, read.low, read.high)));
}

inline std::vector<GivenResult> ascending(std::span<const GivenResult> given, Format format) {
  std::vector<GivenResult> all(given.begin(), given.end());
  std::stable_sort(all.begin(), all.end(), [format](const GivenResult& a, const GivenResult& b) {
    return ordered_key(format, a.bits) < ordered_key(format, b.bits);
  });
  return all;
}

// Disjoint intervals that hold what the results were read as; those that overlap are one, as nothing tells which of
// their numbers was printed.
class ReadCells {
 public:
  explicit ReadCells(const std::vector<ValueVerdict>& values) {
    for (const ValueVerdict& v : values) cells_.push_back(v.read);
    std::sort(cells_.begin(), cells_.end(), [](const auto& a, const auto& b) { return a.low < b.low; });
    std::size_t last = 0;
    for (const KeyInterval& cell : cells_)
      if (cell.low <= cells_[last].high)
        cells_[last].high = std::max(cells_[last].high, cell.high);
      else
        cells_[++last] = cell;
    if (!cells_.empty()) cells_.resize(last + 1);
  }

  // The first number of the cell that holds the key; else the key.
  std::int64_t operator()(std::int64_t key) const {
    const auto after =
        std::upper_bound(cells_.begin(), cells_.end(), key, [](std::int64_t k, const auto& c) { return k < c.low; });
    return after != cells_.begin() && (after - 1)->holds(key) ? (after - 1)->low : key;
  }

 private:
  std::vector<KeyInterval> cells_;
};

inline void judge(ValueVerdict& v, Verdict verdict, Reason reason) {
  v.verdict = verdict;
  v.reason = reason;
  if (verdict == Verdict::impossible) v.p = 0;
}

inline bool any_impossible(const std::vector<ValueVerdict>& values) {
  return std::any_of(values.begin(), values.end(),
                     [](const ValueVerdict& v) { return v.verdict == Verdict::impossible; });
}

// The joint test of several results: not with some of its samples, and it can be stopped.
template <class Test>
void take_joint(CheckResult& result, const CheckOptions& options, Test test) {
  result.cut_short = options.cut_short;
  result.frequencies_decide = options.frequencies_decide;
  result.part = options.part;
  if (result.given() < 2 || (options.cut_short && !any_impossible(result.values))) return;
  result.joint = test();
  if (!result.joint && options.stop.stop_requested()) result.cut_short = true;
}

// The fraction of 1 - confidence for the test of results outside all samples.
inline double outliers_part(std::uint64_t given, bool frequencies_decide) {
  return given > 1 && frequencies_decide ? kOutliersPart : 1;
}

}  // namespace orderlab
