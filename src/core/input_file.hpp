// Input from outside: regular files, pipes and standard input, read front to back. Every reader of this program that
// takes a file takes it from here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <streambuf>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/pass.hpp"

namespace orderlab {

/// The most that is read of a text that is read whole: recorded arrival orders, permutations, captures. A permutation
/// of 10^8 terms has 0.8 GiB; what does not end is found out before it is much.
inline constexpr std::uint64_t kMostTextBytes = std::uint64_t{1} << 30;

/// The longest line of numbers. The longest decimal that a double needs, written out with all its zeros, has 1077
/// digits.
inline constexpr std::size_t kLongestLine = std::size_t{1} << 20;

/// Whether a pipe does in place of a file: not for what is read more than once, or written again.
enum class Pipes { read, refused };

/// Bytes that are read front to back: of a file, of an archive, of memory.
///
/// Errors: input, "NAME: what is wrong".
class InputStream : public std::streambuf {
 public:
  InputStream(const InputStream&) = delete;
  InputStream& operator=(const InputStream&) = delete;

  const std::string& name() const { return name_; }

  /// All bytes, those that were read too; nothing for what shows its size at its end only.
  std::optional<std::uint64_t> size() const { return size_; }

  /// What comes next, as much of it as was read from the system at once; empty at the end.
  std::string_view next_bytes();

  /// The next line without its end; false at the end of the file. Error(input, "NAME:LINE: ...") for one longer than
  /// kLongestLine.
  bool next_line(std::string& line);

  /// Number of the line that next_line gave last, from 1.
  std::uint64_t line_number() const { return line_number_; }

  /// All that is left. Error(input) where that is more than `limit` bytes.
  std::string rest(std::uint64_t limit = kMostTextBytes);

 protected:
  explicit InputStream(std::string name, std::optional<std::uint64_t> size = {})
      : name_(std::move(name)), size_(size) {}

  /// Error(input, "NAME: problem").
  [[noreturn]] void fail(const std::string& problem) const;

  void set_size(std::uint64_t size) { size_ = size; }

 private:
  std::string name_;
  std::optional<std::uint64_t> size_;
  std::uint64_t line_number_ = 0;
};

/// A file that is open for reading. Reading one whose size is known is a pass over its bytes.
///
/// Errors: also the system's reason where it gives one.
class InputFile : public InputStream {
 public:
  /// next_bytes of a new one has as many, if there are so many.
  static constexpr std::size_t kTellingBytes = 16;

  /// Opens `path`. Error(input, "PATH: what is wrong; REMEDY"): absent, a folder, a device, a socket, not permitted, or
  /// a named pipe without a writer after 5 seconds; any pipe, at once, where pipes are refused.
  InputFile(const std::string& path, std::string_view remedy, Pipes pipes = Pipes::read);

  /// Standard input, named "standard input".
  static InputFile standard_input() { return InputFile(); }

  ~InputFile() override;

 protected:
  int_type underflow() override;

 private:
  InputFile();
  void await_writer(std::string_view remedy);

  std::vector<char> buffer_ = std::vector<char>(std::size_t{1} << 16);
  int file_;
  bool begun_ = false;
  std::optional<Pass> pass_;
};

/// Bytes that lie in memory, which outlives it.
class InputBytes : public InputStream {
 public:
  InputBytes(std::string name, std::string_view bytes);
};

}  // namespace orderlab
