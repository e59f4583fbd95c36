// NumPy .npy files, alone and in .npz archives: real numbers and integers of every size, any shape and order, either
// byte order, and the bit patterns that the dtypes of ml_dtypes are saved as.
#include <algorithm>
#include <cstring>
#include <span>
#include <string>
#include <utility>

#include "core/text.hpp"
#include "orderlab/terms.hpp"
#include "terms/array_files.hpp"
#include "terms/npy_header.hpp"

namespace orderlab {

namespace {

/// What is wrong with a type that is not read, and what would be right.
std::string refusal_of_type(const std::string& type) {
  const std::string quoted = in_quotes(type);
  const char kind = type.size() > 1 ? type[1] : '?';
  const std::string to_real = ", not real ones; convert it with .astype(np.float64) before np.save";
  if (type.starts_with('[')) return "is a structured array; save one field of it: np.save('x.npy', array['x'])";
  if (type.find('O') != std::string::npos)
    return "holds pickled Python objects; convert it with .astype(np.float64) before np.save";
  if (kind == 'c')
    return "holds complex numbers (" + quoted +
           "); save its parts: np.save('real.npy', array.real), np.save('imag.npy', array.imag)";
  if (kind == 'b') return "holds booleans (" + quoted + ")" + to_real;
  if (kind == 'U' || kind == 'S') return "holds text (" + quoted + ")" + to_real;
  if (type.ends_with("V1"))
    return "holds raw bytes (" + quoted +
           "), as numbers of ml_dtypes are saved; say what they are: --format e4m3 or --format e5m2";
  return "holds numbers of type " + quoted + ", which are not read; convert it with .astype(np.float64) before np.save";
}

/// How numbers of that type lie; nothing for a type that is not read. `raw`: what bytes are.
std::optional<Layout> find_layout(std::string_view type, std::optional<Format> raw) {
  if (type.size() != 3 || std::string_view("<>=|").find(type[0]) == std::string_view::npos) return std::nullopt;
  const bool big_endian = type[0] == '>';
  const std::string_view number = type.substr(1);
  const bool bytes = number == "V1" || number == "u1";
  if (bytes && raw && info(*raw).bits == 8) return layout_of_format(*raw);
  if (number == "V2") return layout_of_format(Format::bf16, big_endian);  // of ml_dtypes, as V1 is e4m3 and others
  if (type[0] == '|' && number[1] != '1') return std::nullopt;
  if (number == "f8") return layout_of_format(Format::fp64, big_endian);
  if (number == "f4") return layout_of_format(Format::fp32, big_endian);
  if (number == "f2") return layout_of_format(Format::fp16, big_endian);
  if (number == "f1") return layout_of_format(Format::e5m2);  // of ml_dtypes; NumPy does not read it back
  const bool whole = number[0] == 'i' || number[0] == 'u';
  if (!whole || std::string_view("1248").find(number[1]) == std::string_view::npos) return std::nullopt;
  return Layout{number[0] == 'i' ? NumberKind::integer : NumberKind::natural, Format::fp64,
                static_cast<std::size_t>(number[1] - '0'), big_endian};
}

/// As NumPy calls it.
std::string name_of_type(const std::string& type) {
  const auto layout = find_layout(type, std::nullopt);
  return layout ? numpy_name(*layout) : type;
}

/// The bytes of a file up to where its numbers begin.
class Preamble {
 public:
  explicit Preamble(InputStream& file) : file_(file), size_(file.size()) {
    if (size_ == 0U) throw file_error(file.name(), "is empty; " + std::string(kNeedsNumber));
  }

  std::string take(std::uint64_t bytes) {
    if (size_ && bytes > *left())
      throw file_error(file_.name(), "is truncated: its .npy header ends at byte " + std::to_string(at_ + bytes) +
                                         ", the file at byte " + std::to_string(*size_));
    if (bytes > kLongestLine)
      throw file_error(file_.name(), "the .npy header is longer than 1 MiB; no array needs that");
    std::string text(bytes, '\0');
    if (file_.sgetn(text.data(), static_cast<std::streamsize>(bytes)) != static_cast<std::streamsize>(bytes))
      throw file_error(file_.name(), "is truncated: it ends in its .npy header");
    at_ += bytes;
    return text;
  }

  /// Bytes of the numbers; nothing where that shows at the end only.
  std::optional<std::uint64_t> left() const { return size_ ? std::optional(*size_ - at_) : std::nullopt; }

 private:
  InputStream& file_;
  std::optional<std::uint64_t> size_;
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
  const std::string fixed = preamble.left().value_or(kFixedBytes) < kFixedBytes ? "" : preamble.take(kFixedBytes);
  if (!fixed.starts_with(kNpyMagic))
    throw file_error(path, "does not begin as a .npy file does; write it with numpy.save, or name text .txt");
  const int version = static_cast<unsigned char>(fixed[kNpyMagic.size()]);
  if (version < 1 || version > 3)
    throw file_error(path, "is a .npy file of version " + std::to_string(version) + "; known: 1, 2, 3");
  const std::uint64_t length = little_endian(preamble.take(version == 1 ? 2 : 4));
  return parse_npy_header(preamble.take(length), path);
}

/// Number of elements, of which `there` bytes must be in the file, where that is known.
std::uint64_t count_of(const NpyHeader& header, const std::string& path, std::uint64_t bytes_each,
                       std::optional<std::uint64_t> there) {
  std::uint64_t bytes = bytes_each;
  for (const std::uint64_t extent : header.shape)
    if (extent == 0) throw file_error(path, "holds an empty array; " + std::string(kNeedsNumber));
  for (const std::uint64_t extent : header.shape)
    if (__builtin_mul_overflow(bytes, extent, &bytes))
      throw file_error(path, "the shape in its .npy header is beyond 2^64 bytes; write the file again with numpy.save");
  if (there.value_or(bytes) != bytes)
    throw file_error(path, (*there < bytes ? "is truncated: " : "has bytes after its end: ") +
                               std::string("its shape needs ") + std::to_string(bytes) + " bytes of numbers, " +
                               std::to_string(*there) + " are there; write it again with numpy.save");
  return bytes / bytes_each;
}

class NpyArray : public NumberArray {
 public:
  NpyArray(std::unique_ptr<InputStream> content, std::optional<Format> raw)
      : content_(std::move(content)), preamble_(*content_), header_(read_header(preamble_, content_->name())) {
    const auto layout = find_layout(header_.type, raw);
    if (!layout) throw file_error(content_->name(), refusal_of_type(header_.type));
    layout_ = *layout;
    count_ = count_of(header_, content_->name(), layout_.bytes, preamble_.left());
  }

  FileArray read(std::optional<Format> format) override {
    FileArray array{read_binary(*content_, layout_, count_, format.value_or(layout_.format)), shape(),
                    header_.fortran_order};
    require_end();
    return array;
  }

  IndexTensor read_index() override {
    if (layout_.kind == NumberKind::real)
      throw file_error(content_->name(), "holds " + name_of_type(header_.type) + " numbers (" +
                                             in_quotes(header_.type) +
                                             "), not integers; convert it with .astype(np.int64) before np.save");
    IndexTensor index{shape(), {}};
    require_elements(content_->name(), index.shape);
    index.values = read_binary_whole(*content_, layout_, count_);
    require_end();
    if (header_.fortran_order && index.shape.size() > 1) {
      std::vector<std::int64_t> values(count_);
      to_c_order(index.values.data(), index.shape, values.data());
      index.values = std::move(values);
    }
    return index;
  }

 private:
  Shape shape() const { return {header_.shape.begin(), header_.shape.end()}; }

  /// Reads to the end, where an archive finds out that it is damaged.
  void require_end() {
    if (content_->sgetc() != std::char_traits<char>::eof())
      throw file_error(content_->name(), "has bytes after its end; write it again with numpy.save");
  }

  std::unique_ptr<InputStream> content_;
  Preamble preamble_;
  NpyHeader header_;
  Layout layout_;
  std::uint64_t count_ = 0;
};

class NpyFile : public ArrayFile {
 public:
  explicit NpyFile(OpenFile file) : file_(std::move(file)) {}

  std::vector<ArrayEntry> list() override { return {describe_npy(*file_.content)}; }

  std::unique_ptr<NumberArray> open(const std::string& name, std::optional<Format> raw) override {
    require_array(file_.address.path, "array", name, {{"", "", {}}});
    return open_npy_array(std::move(file_.content), raw);
  }

 private:
  OpenFile file_;
};

}  // namespace

std::unique_ptr<NumberArray> open_npy_array(std::unique_ptr<InputStream> content, std::optional<Format> raw) {
  return std::make_unique<NpyArray>(std::move(content), raw);
}

ArrayEntry describe_npy(InputStream& content) {
  Preamble preamble(content);
  const NpyHeader header = read_header(preamble, content.name());
  return {"", name_of_type(header.type), Shape(header.shape.begin(), header.shape.end())};
}

std::unique_ptr<ArrayFile> open_npy(OpenFile file) { return std::make_unique<NpyFile>(std::move(file)); }

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
  std::string bytes(kNpyMagic);
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
