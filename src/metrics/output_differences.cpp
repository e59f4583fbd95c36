// Samples are compared block by block: several at once, so that what they are compared with is read once. A block that
// equals launch order and baseline is passed over.
#include "orderlab/output_differences.hpp"

#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <type_traits>
#include <utility>

#include "core/arithmetic_guard.hpp"
#include "core/float_environment.hpp"
#include "metrics/output_blocks.hpp"
#include "operation/exact_rows.hpp"

namespace orderlab {

namespace {

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

/// Adds the quotients of `count` outputs of two samples, each in turn: the chains of additions do not wait for each
/// other.
void add_quotients(OutputDifferences& a, const BlockQuotients& of_a, OutputDifferences& b, const BlockQuotients& of_b,
                   std::size_t count) {
  double paper_a = a.vermv_paper, code_a = a.vermv_code, robust_a = a.vermv_robust;
  double paper_b = b.vermv_paper, code_b = b.vermv_code, robust_b = b.vermv_robust;
  for (std::size_t i = 0; i < count; ++i) {
    paper_a += of_a.paper[i];
    code_a += of_a.code[i];
    robust_a += of_a.robust[i];
    paper_b += of_b.paper[i];
    code_b += of_b.code[i];
    robust_b += of_b.robust[i];
  }
  a.vermv_paper = paper_a, a.vermv_code = code_a, a.vermv_robust = robust_a;
  b.vermv_paper = paper_b, b.vermv_code = code_b, b.vermv_robust = robust_b;
}

/// The quotients of samples of one block, which wait until they are those of two.
class WaitingQuotients {
 public:
  explicit WaitingQuotients(std::size_t count) : count_(count) {}

  BlockQuotients& next() { return quotients_[waiting_]; }

  /// next() has been set, for this sample.
  void add(OutputDifferences& sum) {
    sums_[waiting_++] = &sum;
    if (waiting_ == 2) flush();
  }

  void flush() {
    OutputDifferences none;
    if (waiting_ == 1) add_quotients(*sums_[0], quotients_[0], none, quotients_[0], count_);
    if (waiting_ == 2) add_quotients(*sums_[0], quotients_[0], *sums_[1], quotients_[1], count_);
    waiting_ = 0;
  }

 private:
  std::array<BlockQuotients, 2> quotients_;
  std::array<OutputDifferences*, 2> sums_{};
  std::size_t waiting_ = 0;
  std::size_t count_;
};

/// The same numbers as doubles, at `to` where they are not.
template <class R>
const double* as_doubles(const R* numbers, std::size_t count, BlockNumbers& to) {
  if constexpr (std::is_same_v<R, double>) return numbers;
  if constexpr (std::is_same_v<R, float>)
    widen(numbers, to.data(), count);
  else
    for (std::size_t i = 0; i < count; ++i) to[i] = static_cast<double>(numbers[i]);
  return to.data();
}

/// Copies the numbers of these outputs.
template <class N, class Numbers>
void copy_outputs(const Numbers& from, std::span<const std::uint32_t> outputs, N* to) {
  if (outputs.back() - outputs.front() + 1 == outputs.size())
    std::copy_n(&from[outputs.front()], outputs.size(), to);
  else
    for (std::size_t i = 0; i < outputs.size(); ++i) to[i] = from[outputs[i]];
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
  launch_errors_.resize((varying.size() + kBlockOutputs - 1) / kBlockOutputs);
  offset_.first = fixed_.first = baseline_.size();
  std::size_t next = 0;
  DifferenceSum offset(offset_, exact_);
  DifferenceSum fixed(fixed_, exact_);
  for (std::size_t r = 0; r < baseline_.size(); ++r) {
    const bool varies = next < varying.size() && varying[next] == r;
    const auto result = static_cast<double>(launch[r]);
    const double error = ulp_error(exact_, r, result);
    if (varies) {
      double& largest = launch_errors_[next++ / kBlockOutputs];
      largest = std::max(largest, error);
      inverts_ = inverts_ && inverts(exact_.ulp[r]);
    }
    if (!same_bits_of(launch[r], base[r])) offset.add(r, static_cast<double>(base[r]), result);
    offset_.largest_error = std::max(offset_.largest_error, error);
    if (varies) continue;
    if (!same_bits_of(launch[r], base[r])) fixed.add(r, static_cast<double>(base[r]), result);
    fixed_.largest_error = std::max(fixed_.largest_error, error);
  }
  offset.divide();
  fixed.divide();
  make_means(offset_, baseline_.size());
}

OutputDifferences OutputComparison::compare(std::span<const std::byte> results, OutputTally& tally,
                                            std::span<const std::byte> against) const {
  const ComparedSample sample{results, against};
  OutputDifferences found;
  compare({&sample, 1}, tally, {&found, 1});
  return found;
}

void OutputComparison::compare(std::span<const ComparedSample> samples, OutputTally& tally,
                               std::span<OutputDifferences> found) const {
  const FloatEnvironment environment;
  with_type_of(sums_.result_format(),
               [&](auto* type) { compare_as<std::remove_pointer_t<decltype(type)>>(samples, tally, found); });
}

template <class R>
void OutputComparison::compare_as(std::span<const ComparedSample> samples, OutputTally& tally,
                                  std::span<OutputDifferences> found) const {
  const auto varying = sums_.varying();
  for (std::size_t s = 0; s < samples.size(); ++s)
    found[s] = samples[s].against.empty()
                   ? fixed_
                   : OutputDifferences{.first = baseline_.size(), .largest_error = fixed_.largest_error};
  OutputBlock block;
  block.inverts = inverts_;
  for (std::size_t begin = 0; begin < varying.size(); begin += kBlockOutputs) {
    block.place = begin;
    block.count = std::min(kBlockOutputs, varying.size() - begin);
    compare_samples<R>(block, samples, tally, found);
  }
  for (std::size_t s = 0; s < samples.size(); ++s) {
    make_means(found[s], baseline_.size());
    const XXH128_hash_t hash = XXH3_128bits(samples[s].results.data(), varying.size() * sizeof(R));
    found[s].hash = {hash.low64, hash.high64};
  }
}

/// One block of all samples.
template <class R>
void OutputComparison::compare_samples(OutputBlock& block, std::span<const ComparedSample> samples, OutputTally& tally,
                                       std::span<OutputDifferences> found) const {
  const auto outputs = sums_.varying().subspan(block.place, block.count);
  const std::size_t bytes = block.count * sizeof(R);
  std::array<R, kBlockOutputs> launch;
  std::array<R, kBlockOutputs> baseline;
  copy_outputs(static_cast<const R*>(sums_.launch().view().x), outputs, launch.data());
  copy_outputs(static_cast<const R*>(baseline_.view().x), outputs, baseline.data());
  const R* in_block = nullptr;  // what block.base has; null: the block has nothing yet
  BlockNumbers doubles;
  WaitingQuotients quotients(block.count);
  for (std::size_t s = 0; s < samples.size(); ++s) {
    OutputDifferences& sum = found[s];
    const R* const results = reinterpret_cast<const R*>(samples[s].results.data()) + block.place;
    const R* const base = samples[s].against.empty()
                              ? baseline.data()
                              : reinterpret_cast<const R*>(samples[s].against.data()) + block.place;
    if (std::memcmp(results, launch.data(), bytes) == 0 && std::memcmp(results, base, bytes) == 0) {
      sum.largest_error = std::max(sum.largest_error, launch_errors_[block.place / kBlockOutputs]);
      continue;
    }
    if (in_block == nullptr) {
      std::copy_n(as_doubles(launch.data(), block.count, doubles), block.count, block.launch.data());
      copy_outputs(exact_.high, outputs, block.high.data());
      copy_outputs(exact_.low, outputs, block.low.data());
      copy_outputs(exact_.ulp, outputs, block.ulp.data());
      copy_outputs(exact_.magnitude, outputs, block.magnitude.data());
    }
    if (in_block != base) std::copy_n(as_doubles(base, block.count, doubles), block.count, block.base.data());
    in_block = base;
    const std::uint64_t before = sum.bits;
    compare_block(block, as_doubles(results, block.count, doubles), tally, sum, quotients.next());
    if (sum.bits != before && sum.first > outputs.front()) {
      std::size_t i = 0;
      while (same_bits_of(results[i], base[i])) ++i;
      sum.first = std::min<std::uint64_t>(sum.first, outputs[i]);
    }
    quotients.add(sum);
  }
  quotients.flush();
}

}  // namespace orderlab
