// The one exception of orderlab, and what ends work that someone stops.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

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

/// An Error about a request to a study. Its text names fields of the request in backticks.
class RequestError : public Error {
 public:
  /// A field's value, which is a wrong argument: "`samples` 10: too few to judge ...".
  RequestError(std::string field, const std::string& value, std::string problem)
      : Error(ErrorKind::usage, "`" + field + "` " + value + ": " + problem),
        field_(std::move(field)),
        problem_(std::move(problem)) {}

  /// Another text: "...; fewer `threads` need less".
  RequestError(ErrorKind kind, const std::string& message) : Error(kind, message), problem_(message) {}

  /// "samples"; empty where it is not about one field.
  const std::string& field() const noexcept { return field_; }

  /// "too few to judge ..."; the whole text where it is not about one field.
  const std::string& problem() const noexcept { return problem_; }

 private:
  std::string field_;
  std::string problem_;
};

/// Thrown by work that is stopped before it has anything to return. No std::exception, so that nothing takes it for an
/// error: whoever began the work catches it, and says what was finished.
struct Stopped {};

}  // namespace orderlab
