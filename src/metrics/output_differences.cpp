// Most outputs of a sample equal those in launch order, so a sample is looked at where it differs.
#include "orderlab/output_differences.hpp"

#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <type_traits>
#include <utility>

#include "core/arithmetic_guard.hpp"
#include "core/float_environment.hpp"
#include "operation/exact_rows.hpp"

namespace orderlab {

namespace {

constexpr double kCodeOffset = 1e-8;      // as in the published code
constexpr std::size_t kWorstKept = 4096;  // neighbours often move together

template <class R>
bool same_bits_of(R a, R b) {
  using Bits = std::conditional_t<sizeof(R) == 8, std::uint64_t,
                                  std::conditional_t<sizeof(R) == 4, std::uint32_t, std::uint16_t>>;
  return std::bit_cast<Bits>(a) == std::bit_cast<Bits>(b);
}

/// Raises `largest` to x / ulp, or leaves it. It divides only where it may have to: rounding is monotone, so that a
/// rounded quotient above `largest` means that x is at least the rounded product.
inline void raise(double& largest, double x, double ulp) {
  if (x >= largest * ulp) largest = std::max(largest, x / ulp);
}

/// Raises `largest` to ulp_error(exact, r, value), or leaves it; see raise().
inline void raise_error(double& largest, const ExactRows& exact, std::size_t r, double value) {
  const double error = std::fabs((value - exact.high[r]) - exact.low[r]);  // inf or NaN where not all is finite
  if (!(error < largest * exact.ulp[r])) largest = std::max(largest, ulp_error(exact, r, value));
}

/// Adds up differences of outputs. Divisions wait until there are some, and are then done side by side.
class DifferenceSum {
 public:
  DifferenceSum(OutputDifferences& sum, const ExactRows& exact) : sum_(sum), exact_(exact) {
    for (auto* divisors : {&paper_, &code_, &robust_}) divisors->fill(1);
    differences_.fill(0);
  }

  /// One output, a of the baseline and b of the sample, of which bits differ.
  void add(std::size_t r, double a, double b) {
    ++sum_.bits;
    sum_.first = std::min<std::uint64_t>(sum_.first, r);
    if (a == b) return;
    ++sum_.values;
    const double difference = std::fabs(a - b);  // finite only where both are
    if (!std::isfinite(difference) && (!std::isfinite(a) || !std::isfinite(b))) {
      ++sum_.nonfinite;
      sum_.largest_difference = std::numeric_limits<double>::infinity();
      return;
    }
    raise(sum_.largest_difference, difference, exact_.ulp[r]);
    differences_[waiting_] = difference;
    paper_[waiting_] = std::fabs(a);
    code_[waiting_] = std::fabs(a + kCodeOffset);
    robust_[waiting_] = exact_.magnitude[r];
    if (++waiting_ == kAtOnce) divide();
  }

  /// Adds the quotients of the differences that wait. Must be the last call.
  void divide() {
    for (std::size_t k = 0; k < kAtOnce; ++k) paper_[k] = differences_[k] / paper_[k];
    for (std::size_t k = 0; k < kAtOnce; ++k) code_[k] = differences_[k] / code_[k];
    for (std::size_t k = 0; k < kAtOnce; ++k) robust_[k] = differences_[k] / robust_[k];
    double paper = sum_.vermv_paper;
    double code = sum_.vermv_code;
    double robust = sum_.vermv_robust;
    for (std::size_t k = 0; k < waiting_; ++k) {
      paper += paper_[k];
      code += code_[k];
      robust += robust_[k];
    }
    sum_.vermv_paper = paper;
    sum_.vermv_code = code;
    sum_.vermv_robust = robust;
    waiting_ = 0;
  }

 private:
  static constexpr std::size_t kAtOnce = 64;
  using Some = std::array<double, kAtOnce>;

  OutputDifferences& sum_;
  const ExactRows& exact_;
  std::size_t waiting_ = 0;
  Some differences_;
  Some paper_;
  Some code_;
  Some robust_;
};

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

void OutputTally::absorb(OutputTally& other) {
  const FloatEnvironment environment;
  constexpr double kNone = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < different.size(); ++i) {
    different[i] += std::exchange(other.different[i], 0U);
    least[i] = std::min(least[i], std::exchange(other.least[i], kNone));
    greatest[i] = std::max(greatest[i], std::exchange(other.greatest[i], -kNone));
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
  DifferenceSum offset(offset_, exact_);
  DifferenceSum fixed(fixed_, exact_);
  for (std::size_t r = 0; r < baseline_.size(); ++r) {
    const bool varies = next < varying.size() && varying[next] == r;
    const auto result = static_cast<double>(launch[r]);
    const double error = ulp_error(exact_, r, result);
    if (varies) errors[next++] = error;
    if (!same_bits_of(launch[r], base[r])) offset.add(r, static_cast<double>(base[r]), result);
    offset_.largest_error = std::max(offset_.largest_error, error);
    if (varies) continue;
    if (!same_bits_of(launch[r], base[r])) fixed.add(r, static_cast<double>(base[r]), result);
    fixed_.largest_error = std::max(fixed_.largest_error, error);
  }
  offset.divide();
  fixed.divide();
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
    raise_error(largest, exact_, varying[i], static_cast<double>(results[i]));
  return largest;
}

template <class R>
OutputDifferences OutputComparison::compare_as(const R* results, const R* against, OutputTally& tally) const {
  const auto varying = sums_.varying();
  const R* const launch = static_cast<const R*>(sums_.launch().view().x);
  const R* const base = static_cast<const R*>(baseline_.view().x);
  OutputDifferences sum =
      against == nullptr ? fixed_ : OutputDifferences{.first = baseline_.size(), .largest_error = fixed_.largest_error};
  double largest_error = std::max(sum.largest_error, largest_error_of(results));
  DifferenceSum differences(sum, exact_);
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
      if (b < tally.least[i]) tally.least[i] = b;  // seldom, so that most of the memory is read alone
      if (b > tally.greatest[i]) tally.greatest[i] = b;
      raise_error(largest_error, exact_, r, b);
    }
    if (differs) {
      ++tally.different[i];
      differences.add(r, static_cast<double>(compared), b);
    }
  }
  differences.divide();
  sum.largest_error = largest_error;
  make_means(sum, baseline_.size());
  const XXH128_hash_t hash = XXH3_128bits(results, varying.size() * sizeof(R));
  sum.hash = {hash.low64, hash.high64};
  return sum;
}

}  // namespace orderlab
