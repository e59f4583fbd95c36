// NumPy .npy files of float16, float32, float64 and integers, any shape and order, either byte order: as they lie. And
// of the bit patterns that the dtypes of ml_dtypes are saved as.
#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <span>
#include <string>

#include "core/text.hpp"
#include "orderlab/terms.hpp"
#include "terms/files.hpp"
#include "terms/npy_header.hpp"

namespace orderlab {

namespace {

constexpr std::string_view kMagic = "\x93NUMPY";

/// What a reader takes, for the message about anything else.
struct Wanted {
  std::string_view numbers;
  std::string_view conversion;
  std::string_view needs;
};
constexpr Wanted kFloatNumbers{"float16, float32 or float64", ".astype(np.float64)", kNeedsTerm};
constexpr Wanted kWholeNumbers{"integers", ".astype(np.int64)", kNeedsIndex};

/// How ml_dtypes' dtypes are saved: float8_e5m2 as "f1", a type that NumPy does not read back; others as void of their
/// size, which says nothing of what they are. Bytes of uint8 mean the same.
bool is_bytes(std::string_view number) { return number == "V1" || number == "u1"; }

[[noreturn]] void refuse_type(const std::string& file, const std::string& type, const Wanted& wanted) {
  std::string what = "holds numbers of type " + in_quotes(type);
  const char kind = type.size() > 1 ? type[1] : '?';
  if (type.starts_with('['))
    what = "is a structured array";
  else if (type.find('O') != std::string::npos)
    what = "holds pickled Python objects";
  else if (kind == 'i' || kind == 'u')
    what = "holds integers (" + in_quotes(type) + ")";
  else if (kind == 'b')
    what = "holds booleans (" + in_quotes(type) + ")";
  else if (kind == 'c')
    what = "holds complex numbers (" + in_quotes(type) + ")";
  else if (kind == 'U' || kind == 'S')
    what = "holds text (" + in_quotes(type) + ")";
  const bool one_byte = type.ends_with("V1");
  if ((one_byte || type.ends_with("V2")) && &wanted == &kFloatNumbers)
    throw file_error(file, "holds raw bytes (" + in_quotes(type) +
                               "), as numbers of ml_dtypes are saved; say what they are: --format " +
                               (one_byte ? "e4m3 or --format e5m2" : "bf16"));
  const std::string conversion(wanted.conversion);
  if (type.starts_with('[')) throw file_error(file, what + "; save one field of it, with " + conversion);
  throw file_error(
      file, what + ", not " + std::string(wanted.numbers) + "; convert it with " + conversion + " before np.save");
}

Layout layout_of(const std::string& file, const std::string& type, std::optional<Format> asked) {
  const bool big_endian = type.starts_with('>');
  if (big_endian || type.starts_with('<') || type.starts_with('=')) {
    const std::string_view number = std::string_view(type).substr(1);
    if (number == "f8") return {Format::fp64, big_endian};
    if (number == "f4") return {Format::fp32, big_endian};
    if (number == "f2") return {Format::fp16, big_endian};
    if (number == "f1") return {Format::e5m2};
    if (number == "V2" && asked == Format::bf16) return {Format::bf16, big_endian};
  }
  if (type == "|V2" && asked == Format::bf16) return {Format::bf16};  // saved by a NumPy without ml_dtypes
  if (!type.empty() && is_bytes(std::string_view(type).substr(1)) && asked && info(*asked).bits == 8) return {*asked};
  refuse_type(file, type, kFloatNumbers);
}

/// How integers lie in a file.
struct IntegerLayout {
  std::size_t bytes;
  bool is_signed;
  bool big_endian;
};

IntegerLayout integer_layout_of(const std::string& file, const std::string& type) {
  if (type.size() == 3 && std::string_view("<>=|").find(type[0]) != std::string_view::npos &&
      std::string_view("iu").find(type[1]) != std::string_view::npos &&
      std::string_view("1248").find(type[2]) != std::string_view::npos && (type[0] != '|' || type[2] == '1'))
    return {static_cast<std::size_t>(type[2] - '0'), type[1] == 'i', type[0] == '>'};
  refuse_type(file, type, kWholeNumbers);
}

/// The bytes of a file up to where its numbers begin.
class Preamble {
 public:
  Preamble(InputFile& file, const Wanted& wanted) : file_(file), size_(binary_size(file, wanted.needs)) {}

  std::string take(std::uint64_t bytes) {
    if (bytes > left())
      throw file_error(file_.name(), "is truncated: its .npy header ends at byte " + std::to_string(at_ + bytes) +
                                         ", the file at byte " + std::to_string(size_));
    if (bytes > kLongestLine)
      throw file_error(file_.name(), "the .npy header is longer than 1 MiB; no array needs that");
    std::string text(bytes, '\0');
    if (file_.sgetn(text.data(), static_cast<std::streamsize>(bytes)) != static_cast<std::streamsize>(bytes))
      throw file_error(file_.name(), "ends while it is read");
    at_ += bytes;
    return text;
  }

  std::uint64_t left() const { return size_ - at_; }

 private:
  InputFile& file_;
  std::uint64_t size_;
  std::uint64_t at_ = 0;
};

// Least significant byte first.
std::uint64_t little_endian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) value = (value << 8) | static_cast<unsigned char>(bytes[i]);
  return value;
}

NpyHeader read_header(Preamble& preamble, const std::string& path) {
  constexpr std::size_t kFixedBytes = 8;  // magic, major and minor version
  const std::string fixed = preamble.left() < kFixedBytes ? "" : preamble.take(kFixedBytes);
  if (!fixed.starts_with(kMagic))
    throw file_error(path, "does not begin as a .npy file does; write it with numpy.save, or name text .txt");
  const int version = static_cast<unsigned char>(fixed[kMagic.size()]);
  if (version < 1 || version > 3)
    throw file_error(path, "is a .npy file of version " + std::to_string(version) + "; known: 1, 2, 3");
  const std::uint64_t length = little_endian(preamble.take(version == 1 ? 2 : 4));
  return parse_npy_header(preamble.take(length), path);
}

/// Number of elements, of which `there` bytes must be in the file.
std::uint64_t count_of(const NpyHeader& header, const std::string& path, std::uint64_t bytes_each, std::uint64_t there,
                       const Wanted& wanted) {
  std::uint64_t bytes = bytes_each;
  for (const std::uint64_t extent : header.shape)
    if (extent == 0) throw file_error(path, "holds an empty array; " + std::string(wanted.needs));
  for (const std::uint64_t extent : header.shape)
    if (__builtin_mul_overflow(bytes, extent, &bytes))
      throw file_error(path, "the shape in its .npy header is beyond 2^64 bytes; write the file again with numpy.save");
  if (there != bytes)
    throw file_error(path, (there < bytes ? "is truncated: " : "has bytes after its end: ") +
                               std::string("its shape needs ") + std::to_string(bytes) + " bytes of numbers, " +
                               std::to_string(there) + " are there; write it again with numpy.save");
  return bytes / bytes_each;
}

// The integer of `bytes` bytes, least significant first.
std::int64_t signed_value(std::string_view bytes) {
  const int unused = 64 - 8 * static_cast<int>(bytes.size());
  return static_cast<std::int64_t>(little_endian(bytes) << unused) >> unused;
}

}  // namespace

FileArray read_npy_file(InputFile& file, std::optional<Format> format, std::optional<Format> raw) {
  const std::string& path = file.name();
  Preamble preamble(file, kFloatNumbers);
  const NpyHeader header = read_header(preamble, path);
  const Layout layout = layout_of(path, header.type, raw);
  const auto each = static_cast<std::uint64_t>(info(layout.format).bits) / 8;
  const std::uint64_t n = count_of(header, path, each, preamble.left(), kFloatNumbers);
  return {read_binary(file, layout, n, format.value_or(layout.format)), Shape(header.shape.begin(), header.shape.end()),
          header.fortran_order};
}

IndexTensor read_npy_index(InputFile& file) {
  constexpr std::size_t kChunk = std::size_t{1} << 17;  // numbers; at most 1 MiB
  const std::string& path = file.name();
  Preamble preamble(file, kWholeNumbers);
  const NpyHeader header = read_header(preamble, path);
  const IntegerLayout layout = integer_layout_of(path, header.type);
  const std::uint64_t n = count_of(header, path, layout.bytes, preamble.left(), kWholeNumbers);
  IndexTensor index{Shape(header.shape.begin(), header.shape.end()), {}};
  require_elements(path, index.shape);
  index.values.resize(n);
  std::string buffer;
  for (std::size_t first = 0; first < n; first += kChunk) {
    buffer.resize(std::min(kChunk, n - first) * layout.bytes);
    const auto wanted = static_cast<std::streamsize>(buffer.size());
    if (file.sgetn(buffer.data(), wanted) != wanted) throw file_error(path, "ends while it is read");
    for (std::size_t at = 0; at < buffer.size(); at += layout.bytes) {
      if (layout.big_endian) std::reverse(buffer.data() + at, buffer.data() + at + layout.bytes);
      const std::string_view bytes = std::string_view(buffer).substr(at, layout.bytes);
      const std::size_t i = first + at / layout.bytes;
      const std::uint64_t value = little_endian(bytes);
      if (!layout.is_signed && value > std::uint64_t{std::numeric_limits<std::int64_t>::max()})
        throw file_error(path, "number " + std::to_string(i + 1) + " is " + std::to_string(value) +
                                   ", beyond 2^63 - 1, the largest index");
      index.values[i] = layout.is_signed ? signed_value(bytes) : static_cast<std::int64_t>(value);
    }
  }
  if (header.fortran_order && index.shape.size() > 1) {
    std::vector<std::int64_t> values(n);
    to_c_order(index.values.data(), index.shape, values.data());
    index.values = std::move(values);
  }
  return index;
}

namespace {

/// What stands before the numbers of a type such as "<f8".
std::string npy_head(std::string_view type, const Shape& shape) {
  constexpr std::size_t kFixedBytes = 10;  // magic, version, length of the header
  constexpr std::size_t kAlignment = 64;   // [NumPyFormat]: so that the numbers can be mapped into memory
  std::string header = "{'descr': '" + std::string(type) + "', 'fortran_order': False, 'shape': (";
  for (std::size_t d = 0; d < shape.size(); ++d) header += (d == 0 ? "" : ", ") + std::to_string(shape[d]);
  header += shape.size() == 1 ? ",), }" : "), }";
  header.append(kAlignment - 1 - (kFixedBytes + header.size()) % kAlignment, ' ');
  header += '\n';
  std::string bytes(kMagic);
  bytes += {'\1', '\0', static_cast<char>(header.size() & 255), static_cast<char>(header.size() >> 8)};
  return bytes + header;
}

/// As ml_dtypes' dtypes of 8 bits are saved, which are held as fp16.
std::string npy_of_patterns(Format format, const Shape& shape, std::span<const std::byte> numbers) {
  std::string bytes = npy_head(format == Format::e5m2 ? "<f1" : "|V1", shape);
  for (std::size_t i = 0; i < numbers.size(); i += sizeof(Half)) {
    Half number;
    std::memcpy(&number, numbers.data() + i, sizeof number);
    bytes += static_cast<char>(round_to_bits(format, static_cast<double>(number)));
  }
  return bytes;
}

}  // namespace

std::string npy_bytes(Format format, const Shape& shape, std::span<const std::byte> numbers) {
  if (info(format).bits == 8) return npy_of_patterns(format, shape, numbers);
  const std::size_t bytes_each = info(format == Format::bf16 ? Format::fp32 : format).held_bytes();
  std::string bytes = npy_head("<f" + std::to_string(bytes_each), shape);
  if (format != Format::bf16) return bytes.append(reinterpret_cast<const char*>(numbers.data()), numbers.size());
  for (std::size_t i = 0; i < numbers.size(); i += 2) {  // bf16 is the upper half of fp32
    bytes.append(2, '\0');
    bytes.append(reinterpret_cast<const char*>(numbers.data()) + i, 2);
  }
  return bytes;
}

std::string npy_of_rows(std::span<const std::vector<std::uint32_t>> rows) {
  std::string bytes = npy_head("<u4", {rows.size(), rows.front().size()});
  bytes.reserve(bytes.size() + rows.size() * rows.front().size() * sizeof(std::uint32_t));
  for (const std::vector<std::uint32_t>& row : rows)
    bytes.append(reinterpret_cast<const char*>(row.data()), row.size() * sizeof(std::uint32_t));
  return bytes;
}

}  // namespace orderlab
