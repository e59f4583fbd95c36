// A small tally of one output among millions: whether its result depends on the order, and between which results.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "orderlab/format.hpp"

namespace orderlab {

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
