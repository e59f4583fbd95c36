// What samples of an operation with many outputs differ in: from a baseline, from launch order, from the exact results.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "orderlab/output_sums.hpp"

namespace orderlab {

struct ExactRows;

/// One sample of all D outputs. Means are over all D outputs; those that are not finite in the sample or the baseline
/// are left out of them.
struct OutputDifferences {
  std::uint64_t bits = 0;         ///< outputs with other bits than the baseline; NaN has one
  std::uint64_t values = 0;       ///< with another value: +0 equals -0
  std::uint64_t from_launch = 0;  ///< with other bits than in launch order
  std::uint64_t first = 0;        ///< number of the first of `bits`; D where there is none
  std::uint64_t nonfinite = 0;    ///< those of `values` with inf or NaN on either side
  double vermv_paper = 0;         ///< mean of |a - b| / |a|, a of the baseline; infinite where a is 0 and b is not
  double vermv_code = 0;          ///< mean of |a - b| / |a + 1e-8|, as the code of [Shanmugavelu2024] has it
  double vermv_robust = 0;        ///< mean of |a - b| / sum|x| of the output
  double largest_difference = 0;  ///< maximum of |a - b|, in ulps of the exact result
  double largest_error = 0;       ///< maximum of |b - exact|, in ulps of the exact result
  std::array<std::uint64_t, 2> hash{};  ///< XXH3-128 of the varying outputs: equal for equal samples
};

/// What single outputs did in many samples: kOutputBytes for each varying one. Merges exactly, in any order.
struct OutputTally {
  static constexpr std::size_t kOutputBytes = sizeof(std::uint32_t) + 2 * sizeof(double);

  explicit OutputTally(const OutputSums& sums);

  /// Adds what another counted of the same outputs, and sets its counts to 0. Its least and greatest results stay, so
  /// it may only be absorbed into this tally again.
  void absorb(OutputTally& other);

  std::vector<std::uint32_t> different;  ///< samples with other bits than the baseline
  std::vector<double> least;             ///< least of the results that differ from launch order, NaN left out
  std::vector<double> greatest;
};

/// One sample, or a part of it, and the other one that it is compared with; none: with the baseline.
struct ComparedSample {
  std::span<const std::byte> results;
  std::span<const std::byte> against = {};
};

/// The fixed results that samples are compared with. Immutable.
class OutputComparison {
 public:
  /// `baseline` has all outputs in the result format. What it refers to must outlive it.
  OutputComparison(const OutputSums& sums, const Terms& baseline, const ExactRows& exact);

  /// Compares a sample with the baseline, or with `against`, another sample; counts its outputs in the tally.
  OutputDifferences compare(std::span<const std::byte> results, OutputTally& tally,
                            std::span<const std::byte> against = {}) const;

  /// All outputs in launch order, compared with the baseline: what is not order.
  const OutputDifferences& offset() const { return offset_; }

  const OutputSums& sums() const { return sums_; }
  const Terms& baseline() const { return baseline_; }
  const ExactRows& exact() const { return exact_; }

 private:
  friend class SampleComparison;
  template <class R>
  void measure_launch();

  const OutputSums& sums_;
  const Terms& baseline_;
  const ExactRows& exact_;
  OutputDifferences offset_;
  OutputDifferences fixed_;            ///< differences of the outputs that do not vary, as sums, not yet means
  std::vector<double> launch_errors_;  ///< largest error in launch order of each block of varying outputs
};

/// Several samples compared part by part, as OutputSums::evaluate_parts makes them: they share what is read to compare
/// them, and no sample has to be in memory as a whole.
class SampleComparison {
 public:
  /// found[s] gets the differences of sample s, and holds running sums until finish(); the tally counts its outputs.
  /// `with`, `tally` and `found` must outlive this.
  SampleComparison(const OutputComparison& with, OutputTally& tally, std::span<OutputDifferences> found);
  ~SampleComparison();
  SampleComparison(const SampleComparison&) = delete;
  SampleComparison& operator=(const SampleComparison&) = delete;

  /// The next part of every sample, in ascending order. Either all samples have another one that they are compared
  /// with, or none.
  ///
  /// Shape: parts.size() == found.size() >= 1; the parts are those of OutputSums::part_end.
  void add(std::span<const ComparedSample> parts);

  /// After the last part, once.
  void finish();

 private:
  template <class R>
  void add_as(std::span<const ComparedSample> parts);

  struct State;
  const OutputComparison& with_;
  std::span<OutputDifferences> found_;
  std::size_t place_ = 0;  ///< varying outputs so far
  std::size_t blocks_ = 0;
  std::unique_ptr<State> state_;
};

}  // namespace orderlab
