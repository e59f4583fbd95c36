// Where results go: text for people, JSON and CSV for programs.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "report/text_style.hpp"

namespace orderlab::cli {

/// A file that appears whole or not at all: written beside its place and moved there, all in commit().
class OutputFile {
 public:
  /// Error(usage) at once when `path` cannot be written.
  explicit OutputFile(std::string path);

  void commit(const std::string& text) const;

 private:
  std::string path_;
  std::string temporary_;  ///< empty: `path` is no regular file (/dev/null, a pipe) and is written in place
};

/// One flag such as --json FILE|-, opened before the work starts.
class OutputTarget {
 public:
  /// Error(usage) also where `path` is one of the files that are read: it would be lost.
  void open(const std::string& path, const std::vector<std::string>& inputs);
  bool wanted() const { return to_stdout_ || file_ != nullptr; }
  bool to_stdout() const { return to_stdout_; }
  void write(Session& session, const std::string& text);

 private:
  bool to_stdout_ = false;
  std::unique_ptr<OutputFile> file_;
};

/// --json, --csv, --quiet, --color.
struct OutputOptions {
  std::string json;
  std::string csv;
  bool quiet = false;
  std::string color = "auto";

  void add_to(CLI::App& app);

  /// Whether colors are to be used on standard output.
  bool colored(const Session& session) const;
};

/// Opens both targets; Error(usage) if both want standard output, or one is among the `inputs`.
struct OutputTargets {
  OutputTarget json;
  OutputTarget csv;

  OutputTargets(const OutputOptions& options, const std::vector<std::string>& inputs);
  bool silent() const { return json.to_stdout() || csv.to_stdout(); }
};

/// Writes files, then text unless --quiet or a file went to standard output. A report has to_json, to_csv and to_text.
template <class Report>
void write_report(Session& session, const OutputOptions& options, OutputTargets& targets, const Report& report) {
  if (targets.json.wanted()) targets.json.write(session, to_json(report).dump(2) + "\n");
  if (targets.csv.wanted()) targets.csv.write(session, to_csv(report));
  if (!options.quiet && !targets.silent())
    session.out << to_text(report, TextStyle{session.width, options.colored(session)});
}

}  // namespace orderlab::cli
