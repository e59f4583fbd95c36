#include "cli/merge_counts.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "cli/kept_counts.hpp"
#include "cli/one_order.hpp"
#include "cli/output_options.hpp"
#include "cli/progress.hpp"
#include "core/printable.hpp"
#include "orderlab/error.hpp"
#include "orderlab/page.hpp"
#include "sweep/different_files.hpp"
#include "sweep/merge_counts.hpp"

namespace orderlab::cli {

namespace {

bool is_absent_or_empty(const std::string& path) {
  std::error_code code;
  return !std::filesystem::exists(path, code) ||
         (std::filesystem::is_regular_file(path, code) && std::filesystem::file_size(path, code) == 0);
}

// The files that are read, OUT first where it is there. With `complete`, those that are not there are named.
std::vector<std::string> files_to_merge(const std::string& to, const std::vector<std::string>& from, bool complete,
                                        Session& session) {
  require_different(to, from, {"file", "--counts"});
  std::vector<std::string> files;
  if (!is_absent_or_empty(to)) files.push_back(to);
  for (const std::string& path : from) {
    if (complete && is_absent_or_empty(path))
      complain(session, "merge: " + path + ": is absent or empty; counts as a file without samples");
    else
      files.push_back(path);
  }
  if (files.empty()) throw Error(ErrorKind::input, "none of these files has samples");
  return files;
}

std::optional<MergedCounts> merge_followed(const std::vector<std::string>& files, const CommandLine& line,
                                           Session& session) {
  ProgressBar bar(session, "reading, files", !line.has(kQuiet));
  bar.have_interrupts_stop();
  const std::uint64_t total = 2 * files.size();
  MergedCounts merged = merge_counts(files, [&](std::size_t i) {
    bar.advanced(i, total, static_cast<double>(i) / static_cast<double>(total));
    return !session.stop.stop_requested();
  });
  if (session.stop.stop_requested()) return std::nullopt;
  return merged;
}

void name_left_out(const MergedCounts& merged, const std::string& to, Session& session) {
  std::vector<std::string> others;
  for (const std::string& path : merged.left_out)
    if (path != to) others.push_back(path);
  if (others.empty()) return;
  std::string which = others.front();
  if (others.size() > 1) which += fmt::format(" and {} other file{}", others.size() - 1, others.size() == 2 ? "" : "s");
  complain(session, fmt::format("merge: {}: {} samples are in other files, too; they count once", which,
                                others.size() == 1 ? "its" : "their"));
}

std::string missing_samples(const CountsFile& file) {
  const SampleRanges missing = file.drawn().missing_from({0, file.samples});
  return fmt::format(
      "missing: {} samples, {}\nto finish, repeat the lost shards, or draw these samples with --range, and merge "
      "again\n",
      missing.size(), missing.text());
}

/// Where the report of the merged samples goes.
class MergedReport {
 public:
  MergedReport(const CommandLine& line, Session& session)
      : line_(line), session_(session), targets_(line), page_(targets_.further(line, kHtml)) {}

  bool on_stdout() const { return targets_.silent(); }

  // Unless it was asked for, a report that cannot be made is no failure: the counts are merged.
  void write(const CountsFile& file, const std::string& path) {
    const bool asked =
        targets_.json.wanted() || targets_.csv.wanted() || page_.wanted() || session_.caller.takes != nullptr;
    if (!asked && line_.has(kQuiet)) return;
    try {
      const study::SampleFinding finding = finding_of(file, path, line_, session_);
      if (finding.orders.empty()) throw Error(ErrorKind::input, path + ": has no samples yet");
      const InPhase reporting(session_, Phase::reporting);
      write_report(session_, line_, targets_, finding);
      if (page_.wanted()) page_.write(session_, html_page(finding));
    } catch (const Error& error) {
      const std::string what = std::string("the counts are merged, but cannot be reported: ") + error.what();
      if (asked) throw Error(error.kind(), what);
      complain(session_, "merge: " + what);
    }
  }

 private:
  const CommandLine& line_;
  Session& session_;
  OutputTargets targets_;
  OutputTarget page_;
};

}  // namespace

int merge_counts_into(const std::string& to, const std::vector<std::string>& from, bool complete,
                      const CommandLine& line, Session& session) {
  MergedReport report(line, session);
  KeptFile out(to);
  out.read();  // what must not change while files are merged
  const std::vector<std::string> files = files_to_merge(to, from, complete, session);
  const std::optional<MergedCounts> merged = merge_followed(files, line, session);
  if (!merged) return interrupted(session, "merge", "the files were joined; nothing was written");
  name_left_out(*merged, to, session);
  const CountsFile& file = merged->file;
  out.write(session, to_bytes(file));
  const std::uint64_t drawn = file.drawn().size();
  const bool missing = drawn < file.samples;
  if (!line.has(kQuiet) && !report.on_stdout())
    session.out << fmt::format("{} of {} samples in {}\n", drawn, file.samples, printable(to));
  if (!line.has(kQuiet) && complete && missing)
    (report.on_stdout() ? session.err : session.out) << missing_samples(file);
  report.write(file, to);
  return complete && missing ? kExitNo : kDone;
}

}  // namespace orderlab::cli
