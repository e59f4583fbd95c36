// Which reader takes which file, and how binary numbers become terms.
#include "terms/files.hpp"

#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <new>
#include <system_error>
#include <vector>

#include "terms/standard_input.hpp"
#include "terms/typed_terms.hpp"

namespace orderlab {

namespace {

struct FileKind {
  std::string_view extension;
  Terms (*read)(const std::string& path, std::optional<Format> format);
};

Terms read_text_file(const std::string& path, std::optional<Format> format) {
  OpenFile file = open_file(path);
  return read_text(file.stream, path, format.value_or(Format::fp64));
}

constexpr FileKind kFileKinds[] = {
    {".npy", read_npy_file},
    {".txt", read_text_file},
    {".csv", read_text_file},
    {".f64", [](const std::string& p, std::optional<Format> f) { return read_raw_file(p, Format::fp64, f); }},
    {".f32", [](const std::string& p, std::optional<Format> f) { return read_raw_file(p, Format::fp32, f); }},
};

// Refuses what is no file that numbers could be in. What cannot be told now, opening will tell.
void require_file(const std::string& path) {
  std::error_code code;
  const auto status = std::filesystem::status(path, code);
  if (status.type() == std::filesystem::file_type::not_found) throw file_error(path, "no such file");
  if (std::filesystem::is_directory(status)) throw file_error(path, "is a folder; name a file in it");
  if (status.type() != std::filesystem::file_type::regular && status.type() != std::filesystem::file_type::none)
    throw file_error(path, "is no regular file; for text from a pipe write -");
}

Terms read_any(const std::string& path, std::optional<Format> format) {
  if (path == "-") {
    StandardInput input;
    std::istream stream(&input);
    return read_text(stream, "standard input", format.value_or(Format::fp64));
  }
  if (path.empty()) throw file_error("''", "no such file; name one, or - for text on standard input");
  require_file(path);
  const std::string extension = std::filesystem::path(path).extension().string();
  std::string known;
  for (const FileKind& kind : kFileKinds) {
    if (kind.extension == extension) return kind.read(path, format);
    known += std::string(kind.extension) + ", ";
  }
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

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kLongest = 40;
  std::string shown = "'";
  for (const char c : text.substr(0, kLongest)) shown += c >= ' ' && c <= '~' ? c : '?';
  return shown + (text.size() > kLongest ? "...'" : "'");
}

OpenFile open_file(const std::string& path) {
  std::error_code code;
  errno = 0;
  OpenFile file{std::ifstream(path, std::ios::binary), 0};
  const int problem = errno;
  if (file.stream) file.size = std::filesystem::file_size(path, code);
  if (!file.stream || code)
    throw file_error(path, "cannot be read: " + std::generic_category().message(code ? code.value() : problem));
  if (file.size == 0) throw file_error(path, "is empty; a sum needs at least 1 term");
  return file;
}

Terms read_binary(std::istream& stream, const std::string& file, Layout layout, std::size_t n, Format format) {
  constexpr std::size_t kChunk = std::size_t{1} << 17;  // numbers; at most 1 MiB
  Terms terms(format, n);
  std::vector<std::byte> buffer;
  with_type_of(layout.format, [&](auto* source) {
    with_type_of(format, [&](auto* target) {
      using Source = std::remove_pointer_t<decltype(source)>;
      using T = std::remove_pointer_t<decltype(target)>;
      for (std::size_t first = 0; first < n; first += kChunk) {
        buffer.resize(std::min(kChunk, n - first) * sizeof(Source));
        stream.read(reinterpret_cast<char*>(buffer.data()), static_cast<std::streamsize>(buffer.size()));
        if (static_cast<std::size_t>(stream.gcount()) != buffer.size())
          throw file_error(file,
                           "ends or fails after " + std::to_string(first) + " of " + std::to_string(n) + " numbers");
        terms.count_inexact(convert<Source>(buffer, layout.big_endian, numbers<T>(terms) + first));
      }
    });
  });
  return terms;
}

Terms read_raw_file(const std::string& path, Format own, std::optional<Format> format) {
  OpenFile file = open_file(path);
  const auto each = static_cast<std::uint64_t>(info(own).bits) / 8;
  if (file.size % each != 0)
    throw file_error(path, std::to_string(file.size) + " bytes are no multiple of " + std::to_string(each) +
                               ", the size of one " + std::string(info(own).name) + " number; " +
                               std::to_string(file.size % each) + " left over");
  return read_binary(file.stream, path, {own}, file.size / each, format.value_or(own));
}

Terms read_terms(const std::string& path, std::optional<Format> format) {
  try {
    return read_any(path, format);
  } catch (const std::bad_alloc&) {
    throw Error(ErrorKind::unsupported, path + ": needs more memory than this machine has; split the file");
  }
}

}  // namespace orderlab
