// Files that are read where they lie: the system loads what is touched, and may drop it again.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace orderlab {

/// A regular file in memory, read-only. Whoever cuts it short meanwhile ends this program.
class MappedFile {
 public:
  /// Error(input, "PATH: what is wrong; REMEDY"): absent, not permitted, no regular file.
  MappedFile(const std::string& path, std::string_view remedy);
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}
  MappedFile& operator=(MappedFile&&) = delete;

  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::span<const std::byte> bytes_;
};

}  // namespace orderlab
