#include "experiment/counts_blob.hpp"

#include <cmath>
#include <limits>

#include "core/bytes.hpp"
#include "orderlab/ulp.hpp"

namespace orderlab {

namespace {

constexpr char kList = 'L';
constexpr char kBins = 'B';

// The inverse of ordered_key.
std::uint64_t bits_of_key(Format format, std::int64_t key) {
  if (key >= 0) return static_cast<std::uint64_t>(key);
  return (std::uint64_t{1} << (info(format).bits - 1)) | static_cast<std::uint64_t>(-(key + 1));
}

std::uint64_t sample_count(ByteReader& reader) {
  const std::uint64_t samples = reader.varint();
  if (samples == 0) reader.refuse("a count of 0");
  return samples;
}

// From -inf to inf, and then the NaN.
void read_results(ByteReader& reader, Format format, BlobCounts& counts) {
  const std::int64_t nan = ordered_key(format, round_to_bits(format, std::numeric_limits<double>::quiet_NaN()));
  const std::int64_t infinity = ordered_key(format, round_to_bits(format, std::numeric_limits<double>::infinity()));
  const std::int64_t least = -infinity - 1;
  std::int64_t key = least;
  while (!reader.done()) {
    const std::uint64_t step = reader.varint();
    if (counts.results.empty()) {
      key = from_zigzag(step);
    } else {
      if (step == 0 || step > static_cast<std::uint64_t>(nan) - static_cast<std::uint64_t>(key))
        reader.refuse("results that do not ascend");
      key = static_cast<std::int64_t>(static_cast<std::uint64_t>(key) + step);
    }
    if (key < least || (key > infinity && key != nan))
      reader.refuse("a result that is not in " + std::string(info(format).name));
    const std::uint64_t bits = bits_of_key(format, key);
    counts.results.push_back({bits, value_of_bits(format, bits), sample_count(reader)});
  }
}

void read_bins(ByteReader& reader, BlobCounts& counts) {
  constexpr std::int64_t kFarthest = 4096;  // a bin is 2^k ulps of a double wide
  const std::int64_t exponent = from_zigzag(reader.varint());
  if (exponent < -kFarthest || exponent > kFarthest) reader.refuse("bins of a width beyond any format");
  counts.bin_exponent = static_cast<int>(exponent);
  while (!reader.done()) {
    const double index = reader.fp64();
    if (!std::isfinite(index) || (!counts.bins.empty() && index <= counts.bins.back().index))
      reader.refuse("bins that do not ascend");
    counts.bins.push_back({index, sample_count(reader)});
  }
}

}  // namespace

std::string to_blob(const ResultCounts& counts) {
  std::string blob;
  if (counts.binned()) {
    blob += kBins;
    put_varint(blob, zigzag(counts.bin_exponent()));
    for (const ResultCounts::Bin& bin : counts.bins()) {
      put_fp64(blob, bin.index);
      put_varint(blob, bin.count);
    }
    return blob;
  }
  return to_blob(counts.results(), counts.frame().format);
}

std::string to_blob(std::span<const ResultCounts::Result> results, Format format) {
  std::string blob(1, kList);
  std::int64_t last = 0;
  for (const ResultCounts::Result& result : results) {
    const std::int64_t key = ordered_key(format, result.bits);
    put_varint(blob,
               blob.size() == 1 ? zigzag(key) : static_cast<std::uint64_t>(key) - static_cast<std::uint64_t>(last));
    put_varint(blob, result.count);
    last = key;
  }
  return blob;
}

BlobCounts from_blob(std::string_view blob, Format format) {
  ByteReader reader(blob, "counts", "a blob of counts");
  BlobCounts counts;
  const auto kind = static_cast<char>(reader.byte());
  if (kind != kList && kind != kBins) reader.refuse("the blob begins with neither L nor B");
  counts.binned = kind == kBins;
  if (counts.binned)
    read_bins(reader, counts);
  else
    read_results(reader, format, counts);
  return counts;
}

}  // namespace orderlab
