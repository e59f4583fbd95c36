#include "show/crosscheck_csv.hpp"

#include <fmt/format.h>

namespace orderlab {

std::string to_csv(const study::CrossCheckFinding& summary) {
  std::string csv = "kernel,device,format,cases,replays,mismatches,verdict\n";
  for (const CrossCheckRow& row : summary.report.rows)
    csv += fmt::format("{},{},{},{},{},{},{}\n", row.kernel->name, row.device, to_string(row.formats), row.cases,
                       row.replays, row.mismatches,
                       row.cases == 0        ? "not_run"
                       : row.mismatches == 0 ? "identical"
                                             : "differs");
  return csv;
}

}  // namespace orderlab
