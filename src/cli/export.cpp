// orderlab export: the points of a store for other programs.
#include <fmt/format.h>

#include "cli/command.hpp"
#include "cli/output_options.hpp"
#include "cli/store_flag.hpp"
#include "orderlab/error.hpp"
#include "sweep/store.hpp"
#include "sweep/sweep_rows.hpp"

namespace orderlab::cli {

namespace {

constexpr std::array kExportFlags{&kStore, &kCsv, &kJson, &kQuiet};

int run_export(const CommandLine& line, Session& session) {
  require_store(line);
  OutputTargets targets(line);
  if (!targets.json.wanted() && !targets.csv.wanted())
    throw Error(ErrorKind::usage, "nothing to write: give --csv FILE or --json FILE, or - for standard output");
  const Store store(line.text(kStore), Store::Access::read);
  const StoredSweep sweep = store.sweep_with_points();
  if (targets.json.wanted()) targets.json.write(session, to_json_lines(store));
  if (targets.csv.wanted()) targets.csv.write(session, to_csv(store));
  if (!line.has(kQuiet) && !targets.silent())
    session.out << fmt::format("{} of {} points written\n", sweep.finished, sweep.points);
  return kDone;
}

}  // namespace

extern const Command kExport;
const Command kExport{
    .name = "export",
    .summary = "write the points of a store, one per row of CSV or line of JSON, in the config's order",
    .example = "orderlab export quick.sqlite --csv quick.csv",
    .flags = kExportFlags,
    .run = run_export,
};

}  // namespace orderlab::cli
