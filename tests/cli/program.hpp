// Running a command in process, in a folder of its own.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.hpp"
#include "config/json.hpp"

namespace orderlab::cli {

using Line = std::vector<std::string>;

inline bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// What a command line left behind.
struct Outcome {
  int status;
  std::string out;
  std::string err;
};

inline Outcome run(const Line& arguments, std::stop_token stop = {}) {
  std::ostringstream out;
  std::ostringstream err;
  Session session{.out = out, .err = err, .stop = std::move(stop)};
  session.caller.follows = [](const std::string&, const study::Progress&) {};  // no estimates, which depend on the time
  const int status = run_program(arguments, session);
  return {status, out.str(), err.str()};
}

/// The same, stopped as soon as a stage of this name says how far it is.
inline Outcome run_until(std::string_view stage, const Line& arguments) {
  std::stop_source source;
  std::ostringstream out;
  std::ostringstream err;
  Session session{.out = out, .err = err, .stop = source.get_token()};
  session.caller.follows = [&](const std::string& now, const study::Progress&) {
    if (now.find(stage) != std::string::npos) source.request_stop();
  };
  const int status = run_program(arguments, session);
  return {status, out.str(), err.str()};
}

/// `arguments` and more of them.
inline Line operator+(Line arguments, const Line& more) {
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

/// The document that the command prints; null unless it ended well and printed JSON alone.
inline Json json_of(const Line& arguments) {
  const Outcome outcome = run(arguments + Line{"--json", "-"});
  return outcome.status == kDone && outcome.err.empty() ? Json::parse(outcome.out) : Json();
}

/// The working directory while it lives: an empty folder that goes with it.
class TemporaryFolder {
 public:
  TemporaryFolder() : before_(std::filesystem::current_path()) {
    std::string pattern = (std::filesystem::temp_directory_path() / "orderlab_cli_XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) std::abort();
    folder_ = pattern;
    std::filesystem::current_path(folder_);
  }
  ~TemporaryFolder() {
    std::filesystem::current_path(before_);
    std::filesystem::remove_all(folder_);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  static void write(const std::string& name, std::string_view content) {
    std::ofstream(name, std::ios::binary) << content;
  }

  static std::string read(const std::string& name) {
    std::ifstream file(name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }

  /// Names and contents of all files below, as one text.
  static std::string listing() {
    std::vector<std::string> lines;
    for (const auto& entry : std::filesystem::recursive_directory_iterator("."))
      lines.push_back(entry.path().string() + (entry.is_regular_file() ? "=" + read(entry.path().string()) : "/"));
    std::sort(lines.begin(), lines.end());
    std::string all;
    for (const std::string& line : lines) all += line + "\n";
    return all;
  }

 private:
  std::filesystem::path before_;
  std::filesystem::path folder_;
};

inline std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

}  // namespace orderlab::cli
