// orderlab export: the points of a store for other programs.
#include <fmt/format.h>

#include "cli/command.hpp"
#include "cli/output_options.hpp"
#include "experiment/store.hpp"
#include "orderlab/error.hpp"
#include "report/sweep_rows.hpp"

namespace orderlab::cli {

namespace {

constexpr Flag kExportStore{
    .name = "store", .kind = FlagKind::reads_store, .value = "FILE", .help = "store of a sweep"};
constexpr std::array kExportFlags{&kExportStore, &kCsv, &kJson, &kQuiet};

int run_export(const CommandLine& line, Session& session) {
  if (!line.has(kExportStore))
    throw Error(ErrorKind::usage, "no store: give the file of a sweep, such as quick.sqlite");
  OutputTargets targets(line);
  if (!targets.json.wanted() && !targets.csv.wanted())
    throw Error(ErrorKind::usage, "nothing to write: give --csv FILE or --json FILE, or - for standard output");
  const Store store(line.text(kExportStore), Store::Access::read);
  if (const std::string said = store.unprotected(); !said.empty()) complain(session, "export: " + said);
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
