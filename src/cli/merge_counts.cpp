#include "cli/merge_counts.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "cli/kept_counts.hpp"
#include "cli/one_order.hpp"
#include "cli/output_options.hpp"
#include "cli/progress.hpp"
#include "orderlab/error.hpp"
#include "orderlab/page.hpp"
#include "sweep/counts_file.hpp"

namespace orderlab::cli {

namespace {

// Every file once, that to be merged into among them where it is there.
std::vector<std::string> files_to_merge(const std::string& to, const std::vector<std::string>& from) {
  std::error_code code;
  std::vector<std::string> files;
  if (std::filesystem::exists(to, code)) files.push_back(to);
  for (const std::string& path : from) {
    for (const std::string& other : files)
      if (std::filesystem::equivalent(path, other, code))
        throw Error(ErrorKind::usage, path + ": is named twice" + (other == path ? "" : ", also as " + other));
    files.push_back(path);
  }
  return files;
}

std::optional<MergedCounts> merge_followed(const std::vector<std::string>& files, const CommandLine& line,
                                           Session& session) {
  ProgressBar bar(session, "reading, files", !line.has(kQuiet));
  bar.have_interrupts_stop();
  const std::uint64_t total = 2 * files.size();  // each is read to be looked at, and to be added
  MergedCounts merged = merge_counts(files, [&](std::size_t i) {
    bar.advanced(i, total, static_cast<double>(i) / static_cast<double>(total));
    return !session.stop.stop_requested();
  });
  if (session.stop.stop_requested()) return std::nullopt;
  return merged;
}

std::string missing_samples(const CountsFile& file) {
  const SampleRanges missing = file.drawn().missing_from({0, file.samples});
  return fmt::format(
      "missing: {} samples, {}\nto finish, draw each by `orderlab sample` with --range and merge again\n",
      missing.size(), missing.text());
}

}  // namespace

int merge_counts_into(const CommandLine& line, const Flag& from, Session& session) {
  const std::string& to = line.text(kMergedCounts);
  const std::vector<std::string> files = files_to_merge(to, line.texts(from));
  colored(line, session);
  OutputTargets targets(line);
  const OutputTarget page(line, kHtml);
  const OutputFile out(to);
  const std::optional<MergedCounts> merged = merge_followed(files, line, session);
  if (!merged) return interrupted(session, "merge", "the files were joined; nothing was written");
  const CountsFile& file = merged->file;
  for (const std::string& path : merged->there)
    if (path != to) complain(session, "merge: " + path + ": its samples are in other files, too; they count once");
  out.commit(session, to_bytes(file));
  const std::uint64_t drawn = file.drawn().size();
  if (!line.has(kQuiet) && !targets.silent())
    session.out << fmt::format("{} of {} samples in {}\n", drawn, file.samples, to);
  const bool complete = drawn == file.samples;
  if (line.has(kComplete) && !complete && !line.has(kQuiet))
    (targets.silent() ? session.err : session.out) << missing_samples(file);
  const bool shown = !line.has(kQuiet) || targets.json.wanted() || targets.csv.wanted() || page.wanted();
  if (shown || session.caller.takes) {
    const study::SampleFinding finding = finding_of(file, to, line, session);
    if (finding.orders.empty()) throw Error(ErrorKind::input, to + ": has no samples yet, and nothing to show");
    write_report(session, line, targets, finding);
    if (page.wanted()) page.write(session, html_page(finding));
  }
  return line.has(kComplete) && !complete ? kExitNo : kDone;
}

}  // namespace orderlab::cli
