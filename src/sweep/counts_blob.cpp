#include "sweep/counts_blob.hpp"

#include <cmath>
#include <limits>

#include "core/bytes.hpp"
#include "orderlab/format.hpp"

namespace orderlab {

namespace {

constexpr char kList = 'L';
constexpr char kBins = 'B';

std::uint64_t sample_count(ByteReader& reader) {
  const std::uint64_t samples = reader.varint();
  if (samples == 0) reader.refuse("a count of 0");
  return samples;
}

// From -inf to inf, and then the NaN.
Distribution read_results(ByteReader& reader, Format format) {
  const std::int64_t nan = ordered_key(format, round_to_bits(format, std::numeric_limits<double>::quiet_NaN()));
  const std::int64_t infinity = ordered_key(format, round_to_bits(format, std::numeric_limits<double>::infinity()));
  const std::int64_t least = -infinity - 1;
  std::int64_t key = least;
  Distribution results;
  while (!reader.done()) {
    const std::uint64_t step = reader.varint();
    if (results.empty()) {
      key = from_zigzag(step);
    } else {
      if (step == 0 || step > static_cast<std::uint64_t>(nan) - static_cast<std::uint64_t>(key))
        reader.refuse("results that do not ascend");
      key = static_cast<std::int64_t>(static_cast<std::uint64_t>(key) + step);
    }
    if (key < least || (key > infinity && key != nan))
      reader.refuse("a result that is not in " + std::string(info(format).name));
    results.values.push_back(
        {value_of_bits(format, bits_of_key(format, key)), static_cast<double>(sample_count(reader))});
  }
  return results;
}

int read_bin_exponent(ByteReader& reader) {
  constexpr std::int64_t kFarthest = 4096;  // a bin is 2^k ulps of a double wide
  const std::int64_t exponent = from_zigzag(reader.varint());
  if (exponent < -kFarthest || exponent > kFarthest) reader.refuse("bins of a width beyond any format");
  return static_cast<int>(exponent);
}

Distribution read_bins(ByteReader& reader) {
  Distribution bins{{}, 1};
  while (!reader.done()) {
    const double index = reader.fp64();
    if (!std::isfinite(index) || (!bins.empty() && index <= bins.values.back().value))
      reader.refuse("bins that do not ascend");
    bins.values.push_back({index, static_cast<double>(sample_count(reader))});
  }
  return bins;
}

}  // namespace

std::string to_blob(const ResultCounts& counts) {
  if (!counts.binned()) return to_blob(counts.results(), counts.frame().format);
  std::string blob(1, kBins);
  put_varint(blob, zigzag(counts.bin_exponent()));
  for (const Weighted& bin : counts.bins().values) {
    put_fp64(blob, bin.value);
    put_varint(blob, static_cast<std::uint64_t>(bin.weight));
  }
  return blob;
}

std::string to_blob(const Distribution& results, Format format) {
  std::string blob(1, kList);
  std::int64_t last = 0;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const std::int64_t key = ordered_key(format, bits_of(format, results.values[i].value));
    put_varint(blob, i == 0 ? zigzag(key) : static_cast<std::uint64_t>(key) - static_cast<std::uint64_t>(last));
    put_varint(blob, results.orders.empty() ? static_cast<std::uint64_t>(results.values[i].weight)
                                            : results.orders[i].low_word());
    last = key;
  }
  return blob;
}

BlobCounts from_blob(std::string_view blob, Format format) {
  ByteReader reader(blob, "counts", "a blob of counts");
  const auto kind = static_cast<char>(reader.byte());
  if (kind == kList) return {read_results(reader, format), {}};
  if (kind != kBins) reader.refuse("the blob begins with neither L nor B");
  const int exponent = read_bin_exponent(reader);
  return {read_bins(reader), exponent};
}

}  // namespace orderlab
