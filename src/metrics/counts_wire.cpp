// ResultCounts as bytes: 'C', version 1, the frame, the number of samples. Where there are samples: flags, the heights
// and bounds, and then the results with their counts, from which all else follows, or with bins what cannot be computed
// from those (infinite and NaN results, extremes, exact sums), k, and the bins. All to the end of the bytes.
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/arithmetic_guard.hpp"
#include "core/bytes.hpp"
#include "core/float_environment.hpp"
#include "orderlab/counts.hpp"

namespace orderlab {
namespace {

constexpr char kCountsLetter = 'C';
constexpr char kCountsVersion = 1;

constexpr std::uint8_t kPlain = 1;
constexpr std::uint8_t kRunningMissing = 2;
constexpr std::uint8_t kProbabilisticMissing = 4;
constexpr std::uint8_t kBinned = 8;

constexpr std::uint64_t kMostSamples = (std::uint64_t{1} << 53) - 1;  // as moments need

// Exponents of ulps lie between -1074 and 2111, those of results between -1074 and 1024, and k is at least the latter
// minus the former minus 1020: all of them are below this in magnitude.
constexpr std::int64_t kMostExponent = std::int64_t{1} << 13;

int read_exponent(ByteReader& reader) {
  const std::int64_t exponent = from_zigzag(reader.varint());
  if (exponent < -kMostExponent || exponent > kMostExponent) reader.refuse("an exponent beyond any format");
  return static_cast<int>(exponent);
}

CountingFrame read_frame(ByteReader& reader) {
  CountingFrame frame;
  frame.format = reader.result_format();
  frame.center = reader.fp64();
  if (!std::isfinite(frame.center)) reader.refuse("a center that is not finite");
  frame.ulp_exponent = read_exponent(reader);
  frame.max_distinct = reader.varint();
  if (frame.max_distinct < 2) reader.refuse("fewer than 2 distinct results to keep");
  return frame;
}

/// A finite result of the format, with one sign for zero.
double read_extreme(ByteReader& reader, Format format) {
  const double value = reader.fp64();
  if (!std::isfinite(value) || value_of_bits(format, round_to_bits(format, value)) != value ||
      (value == 0 && std::signbit(value)))
    reader.refuse("an extreme that is no finite result");
  return value;
}

std::uint64_t read_part(ByteReader& reader, std::uint64_t whole) {
  const std::uint64_t part = reader.varint();
  if (part > whole) reader.refuse("more results than samples");
  return part;
}

}  // namespace

std::string ResultCounts::wire() const {
  std::string bytes{kCountsLetter, kCountsVersion, static_cast<char>(frame_.format)};
  put_fp64(bytes, frame_.center);
  put_varint(bytes, zigzag(frame_.ulp_exponent));
  put_varint(bytes, frame_.max_distinct);
  put_varint(bytes, samples_);
  if (samples_ == 0) return bytes;

  bytes += static_cast<char>((plain_ ? kPlain : 0) | (running_missing_ ? kRunningMissing : 0) |
                             (probabilistic_missing_ ? kProbabilisticMissing : 0) | (binned_ ? kBinned : 0));
  put_varint(bytes, heights_->min);
  put_varint(bytes, heights_->max - heights_->min);
  put_fp64(bytes, extra_);
  if (running_) {
    put_fp64(bytes, running_->min);
    put_fp64(bytes, running_->max);
  }
  if (probabilistic_) put_fp64(bytes, *probabilistic_);

  if (!binned_) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> sorted(counts_.begin(), counts_.end());
    std::sort(sorted.begin(), sorted.end());
    std::uint64_t last = 0;
    for (const auto& [bits, count] : sorted) {
      put_varint(bytes, bits - std::exchange(last, bits));
      put_varint(bytes, count);
    }
    return bytes;
  }
  put_varint(bytes, infinities_);
  put_varint(bytes, minus_infinities_);
  put_varint(bytes, nans_);
  if (extremes_) {
    put_fp64(bytes, extremes_->min);
    put_fp64(bytes, extremes_->max);
  }
  put_bytes(bytes, sum_.wire());
  put_bytes(bytes, sum_of_squares_.wire());
  put_varint(bytes, zigzag(bin_exponent_));
  for (const auto& [index, count] : bins_) {
    put_fp64(bytes, index);
    put_varint(bytes, count);
  }
  return bytes;
}

void ResultCounts::read_results(ByteReader& reader, std::uint64_t samples) {
  const std::uint64_t mask = ~std::uint64_t{0} >> (64 - info(frame_.format).bits);
  std::uint64_t bits = 0;
  while (!reader.done()) {
    const std::uint64_t step = reader.varint();
    if ((step == 0 && !counts_.empty()) || step > mask - bits) reader.refuse("results that do not ascend");
    bits += step;
    if (std::isnan(value_of_bits(frame_.format, bits)) && bits != round_to_bits(frame_.format, std::nan("")))
      reader.refuse("a NaN with a payload");
    if (counts_.size() == frame_.max_distinct) reader.refuse("more distinct results than are kept");
    const std::uint64_t count = read_part(reader, samples - samples_);
    if (count == 0) reader.refuse("a result of no sample");
    add_result(bits, count);
  }
  if (samples_ != samples) reader.refuse("fewer results than samples");
}

void ResultCounts::read_bins(ByteReader& reader, std::uint64_t samples) {
  binned_ = true;
  samples_ = samples;
  infinities_ = read_part(reader, samples);
  minus_infinities_ = read_part(reader, samples - infinities_);
  nans_ = read_part(reader, samples - infinities_ - minus_infinities_);
  if (finite() > 0) {
    const double least = read_extreme(reader, frame_.format);
    extremes_ = {least, read_extreme(reader, frame_.format)};
  }
  sum_ = ExactSum::from_wire(reader.bytes());
  sum_of_squares_ = ExactSum::from_wire(reader.bytes());
  const ExactValue squares = sum_of_squares_.value();
  if (!sum_.value().finite() || !squares.finite() || std::signbit(squares.scaled(0)))
    reader.refuse("moments that no results have");
  bin_exponent_ = read_exponent(reader);
  std::uint64_t left = finite();
  while (!reader.done()) {
    const double index = reader.fp64();
    if (!(std::fabs(index) < 0x1p1020) || std::floor(index) != index || (index == 0 && std::signbit(index)) ||
        (!bins_.empty() && index <= bins_.rbegin()->first))
      reader.refuse("bins that do not ascend");
    if (bins_.size() == frame_.max_distinct) reader.refuse("more bins than distinct results are kept");
    const std::uint64_t count = read_part(reader, left);
    if (count == 0) reader.refuse("a bin of no sample");
    left -= count;
    bins_.emplace_hint(bins_.end(), index, count);
  }
  if (left != 0) reader.refuse("fewer results than samples");
  if (bin_exponent_ < finest_bin() || (extremes_ && (bin_of(extremes_->min) != bins_.begin()->first ||
                                                     bin_of(extremes_->max) != bins_.rbegin()->first)))
    reader.refuse("extremes that are not in the outer bins");
}

ResultCounts ResultCounts::from_wire(std::string_view bytes) {
  const FloatEnvironment environment;
  ByteReader reader(bytes, "counts", "the wire form of counts");
  reader.header(kCountsLetter, kCountsVersion);
  ResultCounts counts(read_frame(reader));
  const std::uint64_t samples = reader.varint();
  if (samples > kMostSamples) reader.refuse("2^53 samples or more");
  if (samples > 0) {
    const std::uint8_t flags = reader.byte();
    if (flags > (kPlain | kRunningMissing | kProbabilisticMissing | kBinned)) reader.refuse("flags that there are not");
    counts.plain_ = (flags & kPlain) != 0;
    counts.running_missing_ = (flags & kRunningMissing) != 0;
    counts.probabilistic_missing_ = (flags & kProbabilisticMissing) != 0;
    const std::uint64_t height = reader.varint();
    const std::uint64_t more = reader.varint();
    if (more > ~height) reader.refuse("a height of more than 64 bits");
    counts.heights_ = {height, height + more};
    counts.extra_ = reader.magnitude();
    if (!counts.running_missing_) {
      const double least = reader.magnitude();
      counts.running_ = {least, reader.magnitude()};
      if (counts.running_->max < least) reader.refuse("bounds that do not ascend");
    }
    if (!counts.probabilistic_missing_) counts.probabilistic_ = reader.magnitude();
    (flags & kBinned) != 0 ? counts.read_bins(reader, samples) : counts.read_results(reader, samples);
  }
  reader.end();
  return counts;
}

}  // namespace orderlab
