// Most outputs of a sample equal those in launch order, so a sample is looked at where it differs.
#include "orderlab/output_differences.hpp"

#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <type_traits>

#include "core/arithmetic_guard.hpp"
#include "core/float_environment.hpp"
#include "operation/exact_rows.hpp"

namespace orderlab {

namespace {

constexpr double kCodeOffset = 1e-8;  // as in the published code
constexpr std::size_t kWorstKept = 64;

template <class R>
bool same_bits_of(R a, R b) {
  using Bits = std::conditional_t<sizeof(R) == 8, std::uint64_t,
                                  std::conditional_t<sizeof(R) == 4, std::uint32_t, std::uint16_t>>;
  return std::bit_cast<Bits>(a) == std::bit_cast<Bits>(b);
}

/// Adds one output, a of the baseline and b of the sample, of which bits differ.
void add_difference(OutputDifferences& sum, const ExactRows& exact, std::size_t r, double a, double b) {
  ++sum.bits;
  sum.first = std::min<std::uint64_t>(sum.first, r);
  if (a == b) return;
  ++sum.values;
  if (!std::isfinite(a) || !std::isfinite(b)) {
    ++sum.nonfinite;
    sum.largest_difference = std::numeric_limits<double>::infinity();
    return;
  }
  const double difference = std::fabs(a - b);
  sum.vermv_paper += difference / std::fabs(a);
  sum.vermv_code += difference / std::fabs(a + kCodeOffset);
  sum.vermv_robust += difference / exact.magnitude[r];
  sum.largest_difference = std::max(sum.largest_difference, difference / exact.ulp[r]);
}

void make_means(OutputDifferences& sum, std::size_t outputs) {
  const auto n = static_cast<double>(outputs);
  sum.vermv_paper /= n;
  sum.vermv_code /= n;
  sum.vermv_robust /= n;
}

}  // namespace

OutputTally::OutputTally(const OutputSums& sums)
    : different(sums.varying().size()),
      least(sums.varying().size(), std::numeric_limits<double>::infinity()),
      greatest(sums.varying().size(), -std::numeric_limits<double>::infinity()) {}

void OutputTally::merge(const OutputTally& other) {
  const FloatEnvironment environment;
  for (std::size_t i = 0; i < different.size(); ++i) {
    different[i] += other.different[i];
    least[i] = std::min(least[i], other.least[i]);
    greatest[i] = std::max(greatest[i], other.greatest[i]);
  }
}

OutputComparison::OutputComparison(const OutputSums& sums, const Terms& baseline, const ExactRows& exact)
    : sums_(sums), baseline_(baseline), exact_(exact) {
  const FloatEnvironment environment;
  with_type_of(sums.result_format(), [&](auto* type) { measure_launch<std::remove_pointer_t<decltype(type)>>(); });
}

template <class R>
void OutputComparison::measure_launch() {
  const R* const launch = static_cast<const R*>(sums_.launch().view().x);
  const R* const base = static_cast<const R*>(baseline_.view().x);
  const auto varying = sums_.varying();
  std::vector<double> errors(varying.size());
  offset_.first = fixed_.first = baseline_.size();
  std::size_t next = 0;
  for (std::size_t r = 0; r < baseline_.size(); ++r) {
    const bool varies = next < varying.size() && varying[next] == r;
    const auto result = static_cast<double>(launch[r]);
    const double error = ulp_error(exact_, r, result);
    if (varies) errors[next++] = error;
    if (!same_bits_of(launch[r], base[r])) add_difference(offset_, exact_, r, static_cast<double>(base[r]), result);
    offset_.largest_error = std::max(offset_.largest_error, error);
    if (varies) continue;
    if (!same_bits_of(launch[r], base[r])) add_difference(fixed_, exact_, r, static_cast<double>(base[r]), result);
    fixed_.largest_error = std::max(fixed_.largest_error, error);
  }
  make_means(offset_, baseline_.size());
  worst_.resize(varying.size());
  std::iota(worst_.begin(), worst_.end(), 0U);
  const std::size_t kept = std::min(kWorstKept, worst_.size());
  std::partial_sort(
      worst_.begin(), worst_.begin() + static_cast<std::ptrdiff_t>(kept), worst_.end(),
      [&](std::uint32_t a, std::uint32_t b) { return errors[a] > errors[b] || (errors[a] == errors[b] && a < b); });
  worst_.resize(kept);
}

OutputDifferences OutputComparison::compare(std::span<const std::byte> results, OutputTally& tally,
                                            std::span<const std::byte> against) const {
  const FloatEnvironment environment;
  return with_type_of(sums_.result_format(), [&](auto* type) {
    using R = std::remove_pointer_t<decltype(type)>;
    return compare_as(reinterpret_cast<const R*>(results.data()), reinterpret_cast<const R*>(against.data()), tally);
  });
}

// The largest error of the outputs that equal those in launch order is that of the first such one of worst_, which has
// them by error, unless none of it does.
template <class R>
double OutputComparison::largest_error_of(const R* results) const {
  const auto varying = sums_.varying();
  const R* const launch = static_cast<const R*>(sums_.launch().view().x);
  for (const std::uint32_t i : worst_)
    if (same_bits_of(results[i], launch[varying[i]]))
      return ulp_error(exact_, varying[i], static_cast<double>(results[i]));
  double largest = 0;
  for (std::size_t i = 0; i < varying.size(); ++i)
    largest = std::max(largest, ulp_error(exact_, varying[i], static_cast<double>(results[i])));
  return largest;
}

template <class R>
OutputDifferences OutputComparison::compare_as(const R* results, const R* against, OutputTally& tally) const {
  const auto varying = sums_.varying();
  const R* const launch = static_cast<const R*>(sums_.launch().view().x);
  const R* const base = static_cast<const R*>(baseline_.view().x);
  OutputDifferences sum =
      against == nullptr ? fixed_ : OutputDifferences{.first = baseline_.size(), .largest_error = fixed_.largest_error};
  sum.largest_error = std::max(sum.largest_error, largest_error_of(results));
  for (std::size_t i = 0; i < varying.size(); ++i) {
    const std::size_t r = varying[i];
    const R result = results[i];
    const R compared = against == nullptr ? base[r] : against[i];
    const bool moved = !same_bits_of(result, launch[r]);
    const bool differs = !same_bits_of(result, compared);
    if (!moved && !differs) continue;
    const auto b = static_cast<double>(result);
    if (moved) {
      ++sum.from_launch;
      tally.least[i] = std::min(tally.least[i], b);
      tally.greatest[i] = std::max(tally.greatest[i], b);
      sum.largest_error = std::max(sum.largest_error, ulp_error(exact_, r, b));
    }
    if (differs) {
      ++tally.different[i];
      add_difference(sum, exact_, r, static_cast<double>(compared), b);
    }
  }
  make_means(sum, baseline_.size());
  const XXH128_hash_t hash = XXH3_128bits(results, varying.size() * sizeof(R));
  sum.hash = {hash.low64, hash.high64};
  return sum;
}

}  // namespace orderlab
