// Files and standard input, decompressed if they are compressed, whatever they are called.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "core/input_file.hpp"
#include "files/mapped_file.hpp"

namespace orderlab {

/// The file at `path`, or standard input for "-", as InputFile opens it.
///
/// Errors: input as InputFile's, and for an archive that is damaged or ends early, where that is read; unsupported for
/// a codec that this build lacks.
std::unique_ptr<InputStream> open_input(const std::string& path, std::string_view remedy);

/// `data` of the file `path`, whose text never begins as archives do, decompressed if it is compressed. Error(input,
/// "PATH: ...") where it is damaged, ends early, or holds more than `limit` bytes: two kilobytes can hold gigabytes.
std::string decompressed(std::string data, const std::string& path, std::uint64_t limit = kMostTextBytes);

/// `path` without the suffix of a codec.
std::string_view without_codec_suffix(std::string_view path);

/// All bytes of a file at once: mapped, or decompressed in memory.
class FileBytes {
 public:
  /// `content` is that of the file at `path`, nothing of it read yet.
  FileBytes(const std::string& path, std::string_view remedy, InputStream& content);

  std::string_view bytes() const { return text_.empty() ? mapped_bytes() : std::string_view(text_); }

 private:
  std::string_view mapped_bytes() const;

  std::unique_ptr<const MappedFile> mapped_;
  std::string text_;
};

}  // namespace orderlab
