// Terms and tensors of files: the kinds of file that hold them, and how binary numbers become terms.
#include "terms/files.hpp"

#include <array>
#include <bit>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/float_environment.hpp"
#include "terms/file_kinds.hpp"
#include "terms/typed_terms.hpp"

namespace orderlab {

namespace {

using ReadArray = FileArray (*)(InputFile& file, std::optional<Format> format, std::optional<Format> raw);

FileArray read_text_array(InputFile& file, std::optional<Format> format, std::optional<Format>) {
  return one_dimension(read_text(file, format.value_or(Format::fp64)));
}

template <Format own>
FileArray read_raw_file(InputFile& file, std::optional<Format> format, std::optional<Format>) {
  const std::uint64_t size = binary_size(file);
  const auto each = static_cast<std::uint64_t>(info(own).bits) / 8;
  if (size % each != 0)
    throw file_error(file.name(), std::to_string(size) + " bytes are not a multiple of " + std::to_string(each) +
                                      ", the size of one " + std::string(info(own).name) + " number; " +
                                      std::to_string(size % each) + " left over");
  return one_dimension(read_binary(file, {own}, size / each, format.value_or(own)));
}

constexpr FileKind<ReadArray> kArrayKinds[] = {
    {".npy", read_npy_file},
    {".txt", read_text_array},
    {".csv", read_text_array},
    {".f64", read_raw_file<Format::fp64>},
    {".f32", read_raw_file<Format::fp32>},
};

FileArray read_array(const std::string& path, std::optional<Format> format, std::optional<Format> raw) {
  return read_by_extension<ReadArray>(path, kArrayKinds, read_text_array,
                                      [&](ReadArray read, InputFile& file) { return read(file, format, raw); });
}

/// A number of 8 bits as files have it.
template <Format F>
struct Pattern8 {
  std::uint8_t bits;
  explicit operator double() const { return value_of_bits(F, bits); }
};

/// Calls `f` with a null pointer to the type of numbers of `format` in files.
template <class F>
void with_file_type(Format format, F&& f) {
  if (format == Format::e4m3) return f(static_cast<Pattern8<Format::e4m3>*>(nullptr));
  if (format == Format::e5m2) return f(static_cast<Pattern8<Format::e5m2>*>(nullptr));
  with_type_of(format, std::forward<F>(f));
}

// Bits in file order to the number; T holds the file's format.
template <class T>
double decode(const std::byte* at, bool big_endian) {
  std::array<std::byte, sizeof(T)> bytes;
  std::memcpy(bytes.data(), at, sizeof(T));
  if (big_endian)
    for (std::size_t i = 0; i < sizeof(T) / 2; ++i) std::swap(bytes[i], bytes[sizeof(T) - 1 - i]);
  return static_cast<double>(std::bit_cast<T>(bytes));
}

// Stores the numbers of a chunk from term `first` on; returns how many changed.
template <class Source, class T>
std::uint64_t convert(std::span<const std::byte> chunk, Format format, bool big_endian, T* x) {
  std::uint64_t changed = 0;
  for (std::size_t i = 0; i * sizeof(Source) < chunk.size(); ++i) {
    const double value = decode<Source>(chunk.data() + i * sizeof(Source), big_endian);
    x[i] = rounded_term<T>(format, value);
    if (is_other_number(static_cast<double>(x[i]), value)) ++changed;
  }
  return changed;
}

}  // namespace

std::uint64_t binary_size(const InputFile& file, std::string_view needs) {
  if (!file.size()) throw file_error(file.name(), "is a pipe, from which only text can be read; name a file");
  if (*file.size() == 0) throw file_error(file.name(), "is empty; " + std::string(needs));
  return *file.size();
}

Terms read_binary(InputFile& file, Layout layout, std::size_t n, Format format) {
  constexpr std::size_t kChunk = std::size_t{1} << 17;  // numbers; at most 1 MiB
  Terms terms(format, n);
  std::vector<std::byte> buffer;
  with_file_type(layout.format, [&](auto* source) {
    with_type_of(format, [&](auto* target) {
      using Source = std::remove_pointer_t<decltype(source)>;
      using T = std::remove_pointer_t<decltype(target)>;
      for (std::size_t first = 0; first < n; first += kChunk) {
        buffer.resize(std::min(kChunk, n - first) * sizeof(Source));
        const auto wanted = static_cast<std::streamsize>(buffer.size());
        if (file.sgetn(reinterpret_cast<char*>(buffer.data()), wanted) != wanted)
          throw file_error(file.name(), "ends after less than " + std::to_string(first + kChunk) + " of " +
                                            std::to_string(n) + " numbers");
        terms.count_inexact(convert<Source>(buffer, format, layout.big_endian, numbers<T>(terms) + first));
      }
    });
  });
  return terms;
}

Terms read_terms(const std::string& path, std::optional<Format> format) {
  const FloatEnvironment environment;
  return read_array(path, format, format).terms;
}

Tensor read_tensor(const std::string& path, std::optional<Format> format, std::optional<Format> raw) {
  const FloatEnvironment environment;
  FileArray array = read_array(path, format, raw ? raw : format);
  require_elements(path, array.shape);
  if (!array.fortran_order || array.shape.size() < 2) return {std::move(array.shape), std::move(array.terms)};
  Terms terms(array.terms.format(), array.terms.size());
  with_type_of(terms.format(), [&](auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    to_c_order<T>(numbers<T>(array.terms), array.shape, numbers<T>(terms));
  });
  terms.count_inexact(array.terms.inexact_conversions());
  return {std::move(array.shape), std::move(terms)};
}

}  // namespace orderlab
