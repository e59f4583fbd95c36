// Where results go: text for people, JSON and CSV for programs, reports for a caller.
#pragma once

#include <memory>
#include <string>

#include "cli/command.hpp"
#include "cli/output_file.hpp"
#include "cli/report_on.hpp"
#include "show/findings.hpp"
#include "show/text_style.hpp"

namespace orderlab::cli {

/// One flag such as --json FILE|-, opened before the work starts.
class OutputTarget {
 public:
  /// Not wanted where the flag was left out. Error(usage) where the file cannot be written.
  OutputTarget(const CommandLine& line, const Flag& flag);

  bool wanted() const { return to_stdout_ || file_ != nullptr; }
  bool to_stdout() const { return to_stdout_; }
  void write(Session& session, const std::string& text) const;

 private:
  bool to_stdout_ = false;
  std::unique_ptr<OutputFile> file_;
};

inline constexpr std::string_view kColorWords[] = {"auto", "always", "never"};

inline constexpr Flag kJson{.key = "json",
                            .kind = FlagKind::writes,
                            .value = "FILE",
                            .help = "write JSON to a file, or - for standard output",
                            .group = "Output"};
inline constexpr Flag kCsv{.key = "csv",
                           .kind = FlagKind::writes,
                           .value = "FILE",
                           .help = "write the results as CSV to a file, or - for standard output",
                           .group = "Output"};
inline constexpr Flag kHtml{.key = "html",
                            .kind = FlagKind::writes,
                            .value = "FILE",
                            .help = "also write a page with charts, which needs no network",
                            .group = "Output"};
inline constexpr Flag kQuiet{.key = "quiet",
                             .kind = FlagKind::toggle,
                             .help = "no text and no progress bar, only files and errors",
                             .group = "Output"};
inline constexpr Flag kColor{.key = "color",
                             .kind = FlagKind::word,
                             .value = "WHEN",
                             .fallback = "auto",
                             .help = "auto, always or never",
                             .group = "Output",
                             .words = kColorWords};

inline constexpr std::array kOutputFlags{&kJson, &kCsv, &kQuiet, &kColor};

/// Whether --color has colors on standard output. Error(usage) for another word.
bool colored(const CommandLine& line, const Session& session);

/// The targets of --json and --csv, and what of a command's other outputs decides whether text is written beside them.
struct OutputTargets {
  OutputTarget json;
  OutputTarget csv;
  bool in_place_of_text = false;  ///< a file, too, takes the place of the text
  bool text_replaced = false;     ///< something else goes to standard output in place of the text

  explicit OutputTargets(const CommandLine& line) : json(line, kJson), csv(line, kCsv) {}

  /// The target of another flag of the command, such as --html. On standard output, too, it takes the place of the
  /// text.
  OutputTarget further(const CommandLine& line, const Flag& flag);

  bool silent() const {
    return text_replaced || json.to_stdout() || csv.to_stdout() ||
           (in_place_of_text && (json.wanted() || csv.wanted()));
  }
};

/// Writes files, then text unless --quiet or a file went to standard output; a caller takes the report. A finding has
/// to_json, to_csv and to_text.
template <class Finding>
void write_report(Session& session, const CommandLine& line, OutputTargets& targets, const Finding& finding) {
  const InPhase phase(session, Phase::reporting);
  if (targets.json.wanted()) targets.json.write(session, to_json(finding));
  if (targets.csv.wanted()) targets.csv.write(session, to_csv(finding));
  const bool color = colored(line, session);
  if (!line.has(kQuiet) && !targets.silent())
    session.out.write(to_text(finding, TextStyle{session.width, color}), color);
  if (session.caller.takes) session.caller.takes(std::make_shared<ReportOn<Finding>>(finding));
}

}  // namespace orderlab::cli
