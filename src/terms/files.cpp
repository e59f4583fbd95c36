// Which reader takes which file, and how binary numbers become terms.
#include "terms/files.hpp"

#include <array>
#include <bit>
#include <cstring>
#include <filesystem>
#include <new>
#include <span>
#include <vector>

#include "core/text.hpp"
#include "terms/typed_terms.hpp"

namespace orderlab {

namespace {

constexpr std::string_view kRemedy = "name a file of numbers, or - for text on standard input";

struct FileKind {
  std::string_view extension;
  Terms (*read)(InputFile& file, std::optional<Format> format);
};

Terms read_text_file(InputFile& file, std::optional<Format> format) {
  return read_text(file, format.value_or(Format::fp64));
}

constexpr FileKind kFileKinds[] = {
    {".npy", read_npy_file},
    {".txt", read_text_file},
    {".csv", read_text_file},
    {".f64", [](InputFile& file, std::optional<Format> f) { return read_raw_file(file, Format::fp64, f); }},
    {".f32", [](InputFile& file, std::optional<Format> f) { return read_raw_file(file, Format::fp32, f); }},
};

Terms read_any(const std::string& path, std::optional<Format> format) {
  if (path == "-") {
    InputFile file = InputFile::standard_input();
    return read_text_file(file, format);
  }
  InputFile file(path, kRemedy);
  const std::string extension = std::filesystem::path(path).extension().string();
  std::string known;
  for (const FileKind& kind : kFileKinds) {
    if (kind.extension == extension) return kind.read(file, format);
    known += std::string(kind.extension) + ", ";
  }
  if (!file.size()) return read_text_file(file, format);  // a pipe such as <(command) has no name of its own
  throw file_error(path, (extension.empty() ? "no extension" : "unknown extension " + in_quotes(extension)) +
                             std::string("; known: ") + known + "and - for text on standard input");
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
std::uint64_t convert(std::span<const std::byte> chunk, bool big_endian, T* x) {
  std::uint64_t changed = 0;
  for (std::size_t i = 0; i * sizeof(Source) < chunk.size(); ++i) {
    const double value = decode<Source>(chunk.data() + i * sizeof(Source), big_endian);
    x[i] = rounded_term<T>(value);
    const double stored = static_cast<double>(x[i]);
    if (stored < value || value < stored) ++changed;
  }
  return changed;
}

}  // namespace

std::uint64_t binary_size(const InputFile& file) {
  if (!file.size()) throw file_error(file.name(), "is a pipe, from which only text can be read; name a file");
  if (*file.size() == 0) throw file_error(file.name(), "is empty; a sum needs at least 1 term");
  return *file.size();
}

Terms read_binary(InputFile& file, Layout layout, std::size_t n, Format format) {
  constexpr std::size_t kChunk = std::size_t{1} << 17;  // numbers; at most 1 MiB
  Terms terms(format, n);
  std::vector<std::byte> buffer;
  with_type_of(layout.format, [&](auto* source) {
    with_type_of(format, [&](auto* target) {
      using Source = std::remove_pointer_t<decltype(source)>;
      using T = std::remove_pointer_t<decltype(target)>;
      for (std::size_t first = 0; first < n; first += kChunk) {
        buffer.resize(std::min(kChunk, n - first) * sizeof(Source));
        const auto wanted = static_cast<std::streamsize>(buffer.size());
        if (file.sgetn(reinterpret_cast<char*>(buffer.data()), wanted) != wanted)
          throw file_error(file.name(), "ends after less than " + std::to_string(first + kChunk) + " of " +
                                            std::to_string(n) + " numbers");
        terms.count_inexact(convert<Source>(buffer, layout.big_endian, numbers<T>(terms) + first));
      }
    });
  });
  return terms;
}

Terms read_raw_file(InputFile& file, Format own, std::optional<Format> format) {
  const std::uint64_t size = binary_size(file);
  const auto each = static_cast<std::uint64_t>(info(own).bits) / 8;
  if (size % each != 0)
    throw file_error(file.name(), std::to_string(size) + " bytes are not a multiple of " + std::to_string(each) +
                                      ", the size of one " + std::string(info(own).name) + " number; " +
                                      std::to_string(size % each) + " left over");
  return read_binary(file, {own}, size / each, format.value_or(own));
}

Terms read_terms(const std::string& path, std::optional<Format> format) {
  try {
    return read_any(path, format);
  } catch (const std::bad_alloc&) {
    throw Error(ErrorKind::unsupported, path + ": needs more memory than this machine has; split the file");
  }
}

}  // namespace orderlab
