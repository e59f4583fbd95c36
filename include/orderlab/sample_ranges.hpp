// Which samples of a sampling are there: what parts that were drawn apart add up to.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "orderlab/counts.hpp"

namespace orderlab {

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

}  // namespace orderlab
