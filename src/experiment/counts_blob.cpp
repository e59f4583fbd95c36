#include "experiment/counts_blob.hpp"

#include <bit>

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

class BlobReader {
 public:
  explicit BlobReader(std::string_view blob) : rest_(blob) {}

  bool done() const { return rest_.empty(); }

  std::uint8_t byte() {
    if (rest_.empty()) throw Error(ErrorKind::input, "counts: the blob ends too early; it is no blob of counts");
    const auto first = static_cast<std::uint8_t>(rest_.front());
    rest_.remove_prefix(1);
    return first;
  }

  std::uint64_t varint() {
    std::uint64_t x = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const std::uint64_t next = byte();
      x |= (next & 127) << shift;
      if (next < 128) return x;
    }
    throw Error(ErrorKind::input, "counts: a number of more than 64 bits; this is no blob of counts");
  }

  double fp64() {
    std::uint64_t bits = 0;
    for (int shift = 0; shift < 64; shift += 8) bits |= std::uint64_t{byte()} << shift;
    return std::bit_cast<double>(bits);
  }

 private:
  std::string_view rest_;
};

}  // namespace

std::string to_blob(const ResultCounts& counts) {
  std::string blob;
  if (counts.binned()) {
    blob += kBins;
    put(blob, zigzag(counts.bin_exponent()));
    for (const ResultCounts::Bin& bin : counts.bins()) {
      const auto bits = std::bit_cast<std::uint64_t>(bin.index);
      for (int shift = 0; shift < 64; shift += 8) blob += static_cast<char>((bits >> shift) & 255);
      put(blob, bin.count);
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
    put(blob, blob.size() == 1 ? zigzag(key) : static_cast<std::uint64_t>(key) - static_cast<std::uint64_t>(last));
    put(blob, result.count);
    last = key;
  }
  return blob;
}

BlobCounts from_blob(std::string_view blob, Format format) {
  BlobReader reader(blob);
  BlobCounts counts;
  const auto kind = static_cast<char>(reader.byte());
  if (kind != kList && kind != kBins)
    throw Error(ErrorKind::input, "counts: the blob begins with neither L nor B; it is no blob of counts");
  counts.binned = kind == kBins;
  if (counts.binned) counts.bin_exponent = static_cast<int>(from_zigzag(reader.varint()));
  std::uint64_t key = 0;
  while (!reader.done()) {
    if (counts.binned) {
      const double index = reader.fp64();
      counts.bins.push_back({index, reader.varint()});
      continue;
    }
    const std::uint64_t step = reader.varint();
    key = counts.results.empty() ? static_cast<std::uint64_t>(from_zigzag(step)) : key + step;
    const std::uint64_t bits = bits_of_key(format, static_cast<std::int64_t>(key));
    counts.results.push_back({bits, value_of_bits(format, bits), reader.varint()});
  }
  return counts;
}

}  // namespace orderlab
