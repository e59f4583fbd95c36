#include "experiment/counts_blob.hpp"

#include <bit>
#include <cmath>
#include <limits>

#include "orderlab/error.hpp"
#include "orderlab/ulp.hpp"

namespace orderlab {

namespace {

constexpr char kList = 'L';
constexpr char kBins = 'B';

std::uint64_t zigzag(std::int64_t x) {
  return (static_cast<std::uint64_t>(x) << 1) ^ static_cast<std::uint64_t>(x >> 63);
}

std::int64_t from_zigzag(std::uint64_t x) { return static_cast<std::int64_t>((x >> 1) ^ (~(x & 1) + 1)); }

// The inverse of ordered_key.
std::uint64_t bits_of_key(Format format, std::int64_t key) {
  if (key >= 0) return static_cast<std::uint64_t>(key);
  return (std::uint64_t{1} << (info(format).bits - 1)) | static_cast<std::uint64_t>(-(key + 1));
}

void put(std::string& blob, std::uint64_t x) {
  for (; x >= 128; x >>= 7) blob += static_cast<char>(128 | (x & 127));
  blob += static_cast<char>(x);
}

[[noreturn]] void refuse(const std::string& problem) {
  throw Error(ErrorKind::input, "counts: " + problem + "; this is not a blob of counts");
}

class BlobReader {
 public:
  explicit BlobReader(std::string_view blob) : rest_(blob) {}

  bool done() const { return rest_.empty(); }

  std::uint8_t byte() {
    if (rest_.empty()) refuse("the blob ends too early");
    const auto first = static_cast<std::uint8_t>(rest_.front());
    rest_.remove_prefix(1);
    return first;
  }

  std::uint64_t varint() {
    std::uint64_t x = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const std::uint64_t next = byte();
      x |= (next & 127) << shift;
      if (next < 128 && (shift < 63 || next < 2)) return x;
    }
    refuse("a number of more than 64 bits");
  }

  std::uint64_t count() {
    const std::uint64_t samples = varint();
    if (samples == 0) refuse("a count of 0");
    return samples;
  }

  double fp64() {
    std::uint64_t bits = 0;
    for (int shift = 0; shift < 64; shift += 8) bits |= std::uint64_t{byte()} << shift;
    return std::bit_cast<double>(bits);
  }

 private:
  std::string_view rest_;
};

// From -inf to inf, and then the NaN.
Distribution read_results(BlobReader& reader, Format format) {
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
        refuse("results that do not ascend");
      key = static_cast<std::int64_t>(static_cast<std::uint64_t>(key) + step);
    }
    if (key < least || (key > infinity && key != nan))
      refuse("a result that is not in " + std::string(info(format).name));
    results.values.push_back({value_of_bits(format, bits_of_key(format, key)), static_cast<double>(reader.count())});
  }
  return results;
}

int read_bin_exponent(BlobReader& reader) {
  constexpr std::int64_t kFarthest = 4096;  // a bin is 2^k ulps of a double wide
  const std::int64_t exponent = from_zigzag(reader.varint());
  if (exponent < -kFarthest || exponent > kFarthest) refuse("bins of a width beyond any format");
  return static_cast<int>(exponent);
}

Distribution read_bins(BlobReader& reader) {
  Distribution bins{{}, 1};
  while (!reader.done()) {
    const double index = reader.fp64();
    if (!std::isfinite(index) || (!bins.empty() && index <= bins.values.back().value))
      refuse("bins that do not ascend");
    bins.values.push_back({index, static_cast<double>(reader.count())});
  }
  return bins;
}

}  // namespace

std::string to_blob(const ResultCounts& counts) {
  if (!counts.binned()) return to_blob(counts.results(), counts.frame().format);
  std::string blob(1, kBins);
  put(blob, zigzag(counts.bin_exponent()));
  for (const Weighted& bin : counts.bins().values) {
    const auto bits = std::bit_cast<std::uint64_t>(bin.value);
    for (int shift = 0; shift < 64; shift += 8) blob += static_cast<char>((bits >> shift) & 255);
    put(blob, static_cast<std::uint64_t>(bin.weight));
  }
  return blob;
}

std::string to_blob(const Distribution& results, Format format) {
  std::string blob(1, kList);
  std::int64_t last = 0;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const std::int64_t key = ordered_key(format, bits_of(format, results.values[i].value));
    put(blob, i == 0 ? zigzag(key) : static_cast<std::uint64_t>(key) - static_cast<std::uint64_t>(last));
    put(blob,
        results.orders.empty() ? static_cast<std::uint64_t>(results.values[i].weight) : results.orders[i].low_word());
    last = key;
  }
  return blob;
}

BlobCounts from_blob(std::string_view blob, Format format) {
  BlobReader reader(blob);
  const auto kind = static_cast<char>(reader.byte());
  if (kind == kList) return {read_results(reader, format), {}};
  if (kind != kBins) refuse("the blob begins with neither L nor B");
  const int exponent = read_bin_exponent(reader);
  return {read_bins(reader), exponent};
}

}  // namespace orderlab
