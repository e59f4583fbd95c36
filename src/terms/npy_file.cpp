// NumPy .npy files of float16, float32 and float64, any shape and order, either byte order: flat, as they lie.
#include <array>
#include <string>

#include "core/text.hpp"
#include "terms/files.hpp"
#include "terms/npy_header.hpp"

namespace orderlab {

namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::string_view kConvert = "; convert it with .astype(np.float64) before np.save";

[[noreturn]] void refuse_type(const std::string& file, const std::string& type) {
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
  if (type.starts_with('[')) throw file_error(file, what + "; save one field of it, with .astype(np.float64)");
  throw file_error(file, what + ", not float16, float32 or float64" + std::string(kConvert));
}

Layout layout_of(const std::string& file, const std::string& type) {
  const bool big_endian = type.starts_with('>');
  if (big_endian || type.starts_with('<') || type.starts_with('=')) {
    const std::string_view number = std::string_view(type).substr(1);
    if (number == "f8") return {Format::fp64, big_endian};
    if (number == "f4") return {Format::fp32, big_endian};
    if (number == "f2") return {Format::fp16, big_endian};
  }
  refuse_type(file, type);
}

/// The bytes of a file up to where its numbers begin.
class Preamble {
 public:
  explicit Preamble(InputFile& file) : file_(file), size_(binary_size(file)) {}

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

std::uint64_t count_of(const NpyHeader& header, const std::string& path, std::uint64_t bytes_each) {
  std::uint64_t bytes = bytes_each;
  for (const std::uint64_t extent : header.shape)
    if (extent == 0) throw file_error(path, "holds an empty array; a sum needs at least 1 term");
  for (const std::uint64_t extent : header.shape)
    if (__builtin_mul_overflow(bytes, extent, &bytes))
      throw file_error(path, "the shape in its .npy header is beyond 2^64 bytes; write the file again with numpy.save");
  return bytes / bytes_each;
}

}  // namespace

Terms read_npy_file(InputFile& file, std::optional<Format> format) {
  const std::string& path = file.name();
  Preamble preamble(file);
  const NpyHeader header = read_header(preamble, path);
  const Layout layout = layout_of(path, header.type);
  const auto each = static_cast<std::uint64_t>(info(layout.format).bits) / 8;
  const std::uint64_t n = count_of(header, path, each);
  const std::uint64_t there = preamble.left();
  if (there != n * each)
    throw file_error(path, (there < n * each ? "is truncated: " : "has bytes after its end: ") +
                               std::string("its shape needs ") + std::to_string(n * each) + " bytes of numbers, " +
                               std::to_string(there) + " are there; write it again with numpy.save");
  return read_binary(file, layout, n, format.value_or(layout.format));
}

}  // namespace orderlab
