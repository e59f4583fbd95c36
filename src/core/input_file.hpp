// Input from outside: regular files, pipes and standard input, read front to back. Every reader of this program that
// takes a file takes it from here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <streambuf>
#include <string>
#include <string_view>
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

/// A file that is open for reading. Reading one whose size is known is a pass over its bytes.
///
/// Errors: input, "NAME: what is wrong", with the system's reason where it gives one.
class InputFile : public std::streambuf {
 public:
  /// Opens `path`. Error(input, "PATH: what is wrong; REMEDY"): absent, a folder, a device, a socket, not permitted, or
  /// a named pipe without a writer after 5 seconds; any pipe, at once, where pipes are refused.
  InputFile(const std::string& path, std::string_view remedy, Pipes pipes = Pipes::read);

  /// Standard input, named "standard input".
  static InputFile standard_input() { return InputFile(); }

  ~InputFile() override;
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  const std::string& name() const { return name_; }

  /// Bytes of a regular file; nothing for what shows its size at its end only.
  std::optional<std::uint64_t> size() const { return size_; }

  /// The next line without its end; false at the end of the file. Error(input, "NAME:LINE: ...") for one longer than
  /// kLongestLine.
  bool next_line(std::string& line);

  /// Number of the line that next_line gave last, from 1.
  std::uint64_t line_number() const { return line_number_; }

  /// All that is left. Error(input) where that is more than `limit` bytes.
  std::string rest(std::uint64_t limit = kMostTextBytes);

 protected:
  int_type underflow() override;

 private:
  InputFile();
  void await_writer(std::string_view remedy);

  std::string name_;
  std::vector<char> buffer_ = std::vector<char>(std::size_t{1} << 16);
  int file_;
  std::optional<std::uint64_t> size_;
  std::optional<Pass> pass_;
  std::uint64_t line_number_ = 0;
};

}  // namespace orderlab
