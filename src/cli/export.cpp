// orderlab export: the points of a store for other programs.
#include <fmt/format.h>

#include <memory>

#include "cli/command.hpp"
#include "cli/output_options.hpp"
#include "experiment/store.hpp"
#include "orderlab/error.hpp"
#include "report/sweep_rows.hpp"

namespace orderlab::cli {

namespace {

struct Options {
  std::string store;
  OutputOptions output;
};

int run(const Options& options, Session& session) {
  if (options.store.empty()) throw Error(ErrorKind::usage, "no store: give the file of a sweep, such as quick.sqlite");
  OutputTargets targets(options.output, {options.store});
  if (!targets.json.wanted() && !targets.csv.wanted())
    throw Error(ErrorKind::usage, "nothing to write: give --csv FILE or --json FILE, or - for standard output");
  const Store store(options.store, Store::Access::read);
  const StoredSweep sweep = store.sweep_with_points();
  if (targets.json.wanted()) targets.json.write(session, to_json_lines(store));
  if (targets.csv.wanted()) targets.csv.write(session, to_csv(store));
  if (!options.output.quiet && !targets.silent())
    session.out << fmt::format("{} of {} points written\n", sweep.finished, sweep.points);
  return kDone;
}

}  // namespace

extern const Command kExport;
const Command kExport{
    .name = "export",
    .summary = "write the points of a store as CSV or JSON lines, in the config's order",
    .example = "orderlab export quick.sqlite --csv quick.csv",
    .define = [](CLI::App& app) -> std::function<int(Session&)> {
      const auto options = std::make_shared<Options>();
      app.add_option("store", options->store, "store of a sweep")->type_name("FILE");
      app.add_option("--csv", options->output.csv, "one row a point, to a file, or - for standard output")
          ->type_name("FILE");
      app.add_option("--json", options->output.json, "one JSON document a line and point, likewise")->type_name("FILE");
      app.add_flag("--quiet", options->output.quiet, "no text, only files and errors")->disable_flag_override();
      return [options](Session& session) { return run(*options, session); };
    },
};

}  // namespace orderlab::cli
