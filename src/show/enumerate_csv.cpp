#include "show/enumerate.hpp"
#include "show/result_table.hpp"

namespace orderlab {

std::string to_csv(const study::EnumerateFinding& finding) {
  const auto columns = enumerated_result_columns();
  std::string csv = "order," + csv_titles(columns);
  for (const ResultRow& row : result_rows(finding.order.enumeration.results, finding.input))
    csv += "\"" + finding.order.asked.expression + "\"," + csv_row(columns, row);
  return csv;
}

}  // namespace orderlab
