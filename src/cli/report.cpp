// orderlab report: a store as a page for people, or as plain chart specs.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "cli/command.hpp"
#include "cli/output_options.hpp"
#include "experiment/store.hpp"
#include "orderlab/error.hpp"
#include "page/html_page.hpp"

namespace orderlab::cli {

namespace {

namespace fs = std::filesystem;

struct Options {
  std::string store;
  std::string page;
  std::string specs;
  bool quiet = false;
};

void require_folder(const std::string& folder) {
  std::error_code code;
  if (fs::exists(folder, code) && !fs::is_directory(folder, code))
    throw Error(ErrorKind::usage, folder + ": is a file; name a folder for the specs");
  fs::create_directory(folder, code);
  if (code) throw Error(ErrorKind::usage, folder + ": cannot be made: " + code.message());
}

void write_specs(const std::vector<SpecFile>& specs, const std::string& folder) {
  require_folder(folder);
  std::vector<OutputFile> files;
  files.reserve(specs.size());
  // all can be written before the first one is
  for (const SpecFile& spec : specs) files.emplace_back((fs::path(folder) / spec.name).string());
  for (std::size_t i = 0; i < specs.size(); ++i) files[i].commit(specs[i].json);
}

int run(const Options& options, Session& session) {
  if (options.store.empty()) throw Error(ErrorKind::usage, "no store: give the file of a sweep, such as quick.sqlite");
  if (options.page.empty() && options.specs.empty())
    throw Error(ErrorKind::usage, "nothing to write: give -o REPORT.html, or --spec DIR");
  if (fs::path(options.page).lexically_normal() == fs::path(options.specs).lexically_normal())
    throw Error(ErrorKind::usage, options.page + ": cannot be the page and the folder of specs; name two");
  OutputTarget page;
  page.open(options.page, {options.store});
  const Study study = study_of(Store(options.store, Store::Access::read));
  const std::vector<SpecFile> specs = options.specs.empty() ? std::vector<SpecFile>() : to_spec_files(study);
  const std::string html = page.wanted() ? to_html(study) : std::string();
  std::string said;
  if (!options.specs.empty()) {
    write_specs(specs, options.specs);
    said += fmt::format("{} specs in {}\n", specs.size(), options.specs);
  }
  if (page.wanted()) {
    page.write(session, html);
    said += fmt::format("{} of {} points in {}, {:.1f} MB\n", study.points.size(), study.planned, options.page,
                        static_cast<double>(html.size()) / 1e6);
  }
  if (!options.quiet && !page.to_stdout()) session.out << said;
  return kDone;
}

}  // namespace

extern const Command kReport;
const Command kReport{
    .name = "report",
    .summary = "a store as a page with charts, which needs no network",
    .example = "orderlab report quick.sqlite -o quick.html",
    .define = [](CLI::App& app) -> std::function<int(Session&)> {
      const auto options = std::make_shared<Options>();
      app.add_option("store", options->store, "store of a sweep")->type_name("FILE");
      app.add_option("-o,--output", options->page, "page to write, or - for standard output")->type_name("REPORT.html");
      app.add_option("--spec", options->specs,
                     "folder for the charts as Vega-Lite specs with their data, made if absent")
          ->type_name("DIR");
      app.add_flag("--quiet", options->quiet, "no text, only files and errors")->disable_flag_override();
      return [options](Session& session) { return run(*options, session); };
    },
};

}  // namespace orderlab::cli
