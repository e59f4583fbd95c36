// Tallies of the results of many samples, which merge exactly, so no split of the samples can change them: exact counts
// of one sum, which samples they are of, and a small tally of one output among millions.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "orderlab/distribution.hpp"
#include "orderlab/evaluator.hpp"
#include "orderlab/exact.hpp"
#include "orderlab/format.hpp"

namespace orderlab {

class ByteReader;

/// What the counts are measured against, the same for every part that will be merged.
struct CountingFrame {
  Format format = Format::fp64;  ///< format of the results
  double center = 0;             ///< fl(S): the exact sum rounded to that format, to fp64 where that overflows
  int ulp_exponent = 0;          ///< ulp(S) = 2^ulp_exponent
  std::uint64_t max_distinct = std::uint64_t{1} << 20;  ///< at least 2: a bin below the center and one above

  static CountingFrame make(const ExactValue& exact, Format format, std::uint64_t max_distinct);
  bool operator==(const CountingFrame&) const = default;
};

/// Results with their counts, while there are at most max_distinct of them; with more, exact counts of bins.
///
/// Bins: bin = floor((result - center) / (2^k ulp(S))), the difference rounded once to 53 bits, k the least for which
/// at most max_distinct bins are occupied and all indices lie below 2^1020 in magnitude; whether there are bins, and k,
/// depend on the set of results alone.
class ResultCounts {
 public:
  template <class X>
  struct Range {
    X min;
    X max;
  };

  explicit ResultCounts(const CountingFrame& frame) : frame_(frame) {}

  /// Counts one sample. `running` and `probabilistic` are its error bounds (bounds.hpp), empty where none is derived.
  void add(const Evaluation& sample, std::optional<double> running, std::optional<double> probabilistic);

  void merge(const ResultCounts& other);

  /// All of it as bytes, equal for counts of equal samples however they were split and merged: to merge counts of
  /// several processes. Shape: a frame of CountingFrame::make, fewer than 2^53 samples, no bound is negative.
  std::string wire() const;

  /// Reads what wire() gave. Any other bytes give Error(input), or counts of which they are the wire form. Memory is a
  /// small multiple of the bytes.
  static ResultCounts from_wire(std::string_view bytes);

  const CountingFrame& frame() const { return frame_; }
  std::uint64_t samples() const { return samples_; }
  std::uint64_t infinities() const { return infinities_; }
  std::uint64_t minus_infinities() const { return minus_infinities_; }
  std::uint64_t nans() const { return nans_; }
  std::uint64_t finite() const { return samples_ - infinities_ - minus_infinities_ - nans_; }

  /// Whether the list of results was replaced by bins.
  bool binned() const { return binned_; }

  /// Number of distinct results. Only without bins.
  std::uint64_t distinct() const { return counts_.size(); }

  /// Distinct results with the numbers of samples that gave them. Only without bins.
  Distribution results() const;

  /// Indices of the occupied bins, of width 1; k, and the bin of a finite result. Only with bins.
  Distribution bins() const;
  int bin_exponent() const { return bin_exponent_; }
  double bin_of(double value) const;

  /// Least and greatest finite result; empty when there is none.
  std::optional<Range<double>> extremes() const { return extremes_; }

  /// Exact sums of d and d^2, d = result - center, over the finite results.
  const ExactSum& sum() const { return sum_; }
  const ExactSum& sum_of_squares() const { return sum_of_squares_; }

  std::optional<Range<std::uint64_t>> heights() const { return heights_; }
  std::optional<Range<double>> running_bounds() const { return running_; }
  std::optional<double> probabilistic_bound() const { return probabilistic_; }

  /// Greatest allowance for conversions, underflow and flushing; whether all samples were plain additions.
  double extra() const { return extra_; }
  bool plain() const { return plain_; }

 private:
  void add_result(std::uint64_t bits, std::uint64_t count);
  void drop_missing_bounds();
  void add_moments(double value, std::uint64_t count);
  void add_large_moments(double value, std::uint64_t count);
  void add_bin(double index, std::uint64_t count);
  int finest_bin() const;
  void start_bins();
  void coarsen_to(int exponent);
  void coarsen_until_fit();
  void read_results(ByteReader& reader, std::uint64_t samples);
  void read_bins(ByteReader& reader, std::uint64_t samples);

  CountingFrame frame_;
  std::unordered_map<std::uint64_t, std::uint64_t> counts_;
  std::map<double, std::uint64_t> bins_;
  bool binned_ = false;
  int bin_exponent_ = 0;
  std::uint64_t samples_ = 0;
  std::uint64_t infinities_ = 0;
  std::uint64_t minus_infinities_ = 0;
  std::uint64_t nans_ = 0;
  std::optional<Range<double>> extremes_;
  std::optional<Range<std::uint64_t>> heights_;
  std::optional<Range<double>> running_;
  std::optional<double> probabilistic_;
  bool running_missing_ = false;
  bool probabilistic_missing_ = false;
  double extra_ = 0;
  bool plain_ = true;
  ExactSum sum_;
  ExactSum sum_of_squares_;
};

/// Results in bins.
struct BinnedResults {
  Distribution indices;  ///< indices of bins, a distribution of width 1
  int exponent = 0;      ///< k
};

/// The lower edges of bins as errors result - S. Empty where S is not finite.
///
/// Error: rounded twice.
Distribution errors_of(const BinnedResults& bins, const CountingFrame& frame, const ExactValue& exact);

/// Errors result - S of the finite results counted; with bins, their lower edges. Empty where S is not finite.
///
/// Error: edges are rounded twice.
Distribution errors_of(const ResultCounts& counts, const ExactValue& exact);

/// Results of all orders in bins, as ResultCounts would have them; indices have orders.
BinnedResults bins_of(const Distribution& all, const CountingFrame& frame);

/// Samples first .. second-1.
using SampleRange = std::pair<std::uint64_t, std::uint64_t>;

/// A set of samples: ranges that ascend, are not empty, and do not touch.
class SampleRanges {
 public:
  SampleRanges() = default;
  explicit SampleRanges(const SampleRange& range) { add(range); }

  const std::vector<SampleRange>& ranges() const { return ranges_; }
  bool empty() const { return ranges_.empty(); }

  /// How many samples.
  std::uint64_t size() const;

  /// Adds a range, which may be empty, overlap others, or touch them.
  void add(const SampleRange& range);
  void add(const SampleRanges& more);

  /// Those of a range that are not in the set; and those that are.
  SampleRanges missing_from(const SampleRange& whole) const;
  SampleRanges within(const SampleRange& whole) const;

  /// Those of `other` that are in this set.
  SampleRanges common_with(const SampleRanges& other) const;

  /// "0:500, 750:1000"; after `most` ranges "and 3 more ranges".
  std::string text(std::size_t most = 10) const;

  bool operator==(const SampleRanges&) const = default;

 private:
  std::vector<SampleRange> ranges_;
};

/// Samples, and the counts of their results.
struct CountedSamples {
  SampleRanges samples;
  ResultCounts counts{CountingFrame{}};
};

/// Counts of results of one sum and their extremes, in 56 bytes. They merge exactly, so no split and no order of the
/// samples can change them. More about few outputs: ResultCounts.
class Extent {
 public:
  /// Results in `format`, to be compared with `reference`, a bit pattern of it: the result of a fixed order, or of the
  /// first sample, which is then added like every other.
  Extent(Format format, std::uint64_t reference) : reference_(reference), format_(format) {}

  /// Counts one sample's result, a bit pattern of the format.
  void add(std::uint64_t bits);

  /// Errors: usage where the other has another format or another reference.
  void merge(const Extent& other);

  Format format() const { return format_; }
  std::uint64_t reference() const { return reference_; }

  std::uint64_t samples() const { return samples_; }

  /// Samples whose results differ from the reference in bits, so -0 from +0.
  std::uint64_t different() const { return different_; }

  /// Samples that gave inf, -inf or NaN.
  std::uint64_t nonfinite() const { return nonfinite_; }

  /// Least and greatest finite result; empty when there is none.
  std::optional<double> least() const { return finite() ? std::optional(least_) : std::nullopt; }
  std::optional<double> greatest() const { return finite() ? std::optional(greatest_) : std::nullopt; }

  /// All of it as bytes, equal for equal samples however they were split and merged, and back. Any other bytes give
  /// Error(input), or an extent of which they are the wire form.
  std::string wire() const;
  static Extent from_wire(std::string_view bytes);

 private:
  bool finite() const { return nonfinite_ < samples_; }
  bool possible() const;

  std::uint64_t reference_;
  std::uint64_t samples_ = 0;
  std::uint64_t different_ = 0;
  std::uint64_t nonfinite_ = 0;
  double least_ = std::numeric_limits<double>::infinity();
  double greatest_ = -std::numeric_limits<double>::infinity();
  Format format_;
};

static_assert(sizeof(Extent) == 56);  // there are millions of them

}  // namespace orderlab
