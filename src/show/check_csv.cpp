#include "show/check_csv.hpp"

#include "show/check_table.hpp"

namespace orderlab {

std::string to_csv(const study::CheckFinding& report) {
  std::string csv = csv_titles(verdict_columns());
  for (const ValueVerdict& v : report.result.values)
    csv += csv_row(verdict_columns(), VerdictRow{v, report.input.formats.result});
  return csv;
}

}  // namespace orderlab
