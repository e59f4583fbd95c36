// The one exception of orderlab.
#pragma once

#include <stdexcept>
#include <string>

namespace orderlab {

/// What went wrong, for callers that decide by it.
enum class ErrorKind {
  usage,        ///< a wrong argument: an unknown name, a count out of range
  input,        ///< a file or a text that cannot be read as what it should be
  unsupported,  ///< well formed, but more than this version or this machine can do
  device,       ///< an accelerator failed
};

/// Thrown by everything public. The message is one line: what was asked, what is wrong, what would be right.
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}

  ErrorKind kind() const noexcept { return kind_; }

 private:
  ErrorKind kind_;
};

}  // namespace orderlab
