// Files that a test writes, and the message of the Error that it expects.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>

#include "orderlab/error.hpp"

namespace orderlab {

/// A file in a folder of its own; both go with the object.
class TemporaryFile {
 public:
  TemporaryFile(const std::string& name, std::string_view content) : folder_(make_folder()), path_(folder_ / name) {
    std::ofstream(path_, std::ios::binary) << content;
  }
  ~TemporaryFile() { std::filesystem::remove_all(folder_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  std::string path() const { return path_.string(); }
  std::string folder() const { return folder_.string(); }

 private:
  static std::filesystem::path make_folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "orderlab_terms_XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr)
      throw std::filesystem::filesystem_error("mkdtemp", std::error_code(errno, std::generic_category()));
    return pattern;
  }

  std::filesystem::path folder_;
  std::filesystem::path path_;
};

/// The message of the Error of this kind that `f` throws; "no error" or "another kind: ..." if it does not.
template <class F>
std::string message_of(ErrorKind kind, F f) {
  try {
    f();
  } catch (const Error& error) {
    return error.kind() == kind ? error.what() : std::string("another kind: ") + error.what();
  }
  return "no error";
}

/// Whether `text` contains `part`.
inline bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace orderlab
