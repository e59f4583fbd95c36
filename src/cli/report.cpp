// orderlab report: a store as a page for people, or as plain chart specs.
#include <fmt/format.h>

#include <filesystem>

#include "cli/command.hpp"
#include "cli/output_options.hpp"
#include "cli/program_sweep.hpp"
#include "cli/progress.hpp"
#include "cli/store_flag.hpp"
#include "core/printable.hpp"
#include "orderlab/error.hpp"
#include "page/html_page.hpp"
#include "sweep/record_store.hpp"
#include "sweep/store.hpp"

namespace orderlab::cli {

namespace {

namespace fs = std::filesystem;

constexpr Flag kPage{.key = "output",
                     .letter = 'o',
                     .kind = FlagKind::writes,
                     .value = "REPORT.html",
                     .help = "page to write, or - for standard output; may be left out with --spec",
                     .required = true};
constexpr Flag kSpecs{.key = "spec",
                      .kind = FlagKind::folder,
                      .value = "DIR",
                      .help = "folder for the charts as Vega-Lite specs with their data, created if missing"};
constexpr std::array kReportFlags{&kStore, &kPage, &kSpecs, &kQuiet};

void require_folder(const std::string& folder) {
  std::error_code code;
  if (fs::exists(folder, code) && !fs::is_directory(folder, code))
    throw Error(ErrorKind::usage, folder + ": is a file; name a folder for the specs");
  fs::create_directory(folder, code);
  if (code) throw Error(ErrorKind::usage, folder + ": cannot be made: " + code.message());
}

// The same for all ways to write it, with a slash at the end or without.
fs::path place_of_folder(const std::string& path) {
  std::error_code code;
  return fs::weakly_canonical(fs::absolute(path, code) / "", code);
}

void write_specs(Session& session, const std::vector<SpecFile>& specs, const std::string& folder) {
  require_folder(folder);
  std::vector<OutputFile> files;
  files.reserve(specs.size());
  // all can be written before the first one is
  for (const SpecFile& spec : specs) {
    const std::string path = (fs::path(folder) / spec.name).string();
    session.files.writes("--spec", path);
    files.emplace_back(path);
  }
  for (std::size_t i = 0; i < specs.size(); ++i) files[i].commit(session, specs[i].json);
}

int report_records(const CommandLine& line, const OutputTarget& page, Session& session) {
  if (line.has(kSpecs))
    throw Error(ErrorKind::usage,
                line.quoted(kSpecs) + ": is about sweeps over sums; of this store give -o REPORT.html");
  const std::string html = recorded_page(line.text(kStore), session, line.has(kQuiet));
  page.write(session, html);
  if (!line.has(kQuiet) && !page.to_stdout())
    session.out << fmt::format("{}, {:.1f} MB\n", printable(line.text(kPage)), static_cast<double>(html.size()) / 1e6);
  return kDone;
}

int run_report(const CommandLine& line, Session& session) {
  const std::string& page_path = line.text(kPage);
  const std::string& folder = line.text(kSpecs);
  require_store(line);
  if (page_path.empty() && folder.empty())
    throw Error(ErrorKind::usage, "nothing to write: give -o REPORT.html, or --spec DIR");
  if (!page_path.empty() && !folder.empty() && place_of_folder(page_path) == place_of_folder(folder))
    throw Error(ErrorKind::usage, page_path + ": cannot be the page and the folder of specs; name two");
  const OutputTarget page(line, kPage);
  if (is_record_store(line.text(kStore))) return report_records(line, page, session);
  const Store store(line.text(kStore), Store::Access::read);
  const SweepContent content = [&] {
    ProgressBar bar(session, "reading, points", !line.has(kQuiet));
    return content_of(store, [&](std::uint64_t done, std::uint64_t all) { bar.advanced(done, all); });
  }();
  const std::vector<SpecFile> specs = folder.empty() ? std::vector<SpecFile>() : to_spec_files(content);
  const std::string html = page.wanted() ? to_html(content) : std::string();
  std::string said;
  if (!folder.empty()) {
    write_specs(session, specs, folder);
    said += fmt::format("{} specs in {}\n", specs.size(), printable(folder));
  }
  if (page.wanted()) {
    page.write(session, html);
    said += fmt::format("{} of {} points in {}, {:.1f} MB\n", content.finished(), content.planned, printable(page_path),
                        static_cast<double>(html.size()) / 1e6);
  }
  if (!line.has(kQuiet) && !page.to_stdout()) session.out << said;
  return kDone;
}

}  // namespace

extern const Command kReport;
const Command kReport{
    .name = "report",
    .summary = "write a store as one page with charts, which needs no network",
    .example = "orderlab report quick.sqlite -o quick.html",
    .flags = kReportFlags,
    .run = run_report,
};

}  // namespace orderlab::cli
