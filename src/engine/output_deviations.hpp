// How far the outputs of a run lie from their references, or from another run: the largest of all outputs.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "operation/exact_rows.hpp"
#include "orderlab/output_sums.hpp"
#include "orderlab/tolerance.hpp"

namespace orderlab {

/// The ways in which distances of outputs are measured.
enum class OutputMeasure : std::uint8_t {
  absolute,     ///< |a - b|
  relative,     ///< |a - b| / |b|, of two runs the smaller one
  ulp,          ///< in ulps of the exact result
  magnitude,    ///< |a - b| / sum|x| of the output
  beside_rtol,  ///< |a - b| - rtol |b|, at least 0: the atol that is needed beside that rtol
};
inline constexpr std::size_t kOutputMeasures = 5;

/// The largest of all outputs by each measure, rounded upward; infinite where an output is inf or NaN.
using OutputDeviation = std::array<double, kOutputMeasures>;

/// Relative tolerance that beside_rtol stands next to: the default of torch.testing.assert_close for the format.
double usual_rtol(Format format);

class OutputYardstick {
 public:
  /// What it refers to must outlive it.
  OutputYardstick(const OutputSums& sums, const ExactRows& exact);

  /// The largest deviations of the varying outputs `results` and of those that do not vary, from the exact result and
  /// from its correctly rounded values in the result format, in fp32 and in fp64.
  OutputDeviation from_reference(std::span<const std::byte> results) const;

  /// Between two runs.
  OutputDeviation between(std::span<const std::byte> one, std::span<const std::byte> other) const;

  /// Between a run and one of another form of the operation, whose yardstick is `of_other`.
  OutputDeviation between(std::span<const std::byte> one, const OutputYardstick& of_other,
                          std::span<const std::byte> other) const;

 private:
  /// The range of the references of an output.
  struct Reference {
    double low;
    double high;
    double least;  ///< magnitude
    double ulp;
    double magnitude;
  };

  Reference reference_of(std::size_t r) const;
  static void take(OutputDeviation& largest, const Reference& reference, double distance, double least, double rtol);
  OutputDeviation of_reference(const Reference& reference, double x) const;

  const OutputSums& sums_;
  const ExactRows& exact_;
  double rtol_;
  std::vector<Reference> varying_;
  OutputDeviation fixed_{};  ///< how far the outputs that do not vary are from their references
};

/// The largest deviations of many draws.
class OutputDeviationTally {
 public:
  explicit OutputDeviationTally(std::uint64_t keep);

  void add(const OutputDeviation& draw);
  void merge(const OutputDeviationTally& other);

  std::uint64_t draws() const { return draws_; }
  std::uint64_t nonfinite() const { return nonfinite_; }

  /// The rank-th largest by each measure, each by itself.
  OutputDeviation limit(std::uint64_t rank) const;

 private:
  std::vector<LargestValues> largest_;
  std::uint64_t draws_ = 0;
  std::uint64_t nonfinite_ = 0;
};

}  // namespace orderlab
