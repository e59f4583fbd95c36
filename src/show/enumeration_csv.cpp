#include "show/enumeration.hpp"
#include "show/result_table.hpp"

namespace orderlab {

std::string to_csv(const study::EnumerateFinding& report) {
  const auto columns = enumerated_result_columns();
  std::string csv = "order," + csv_titles(columns);
  for (const ResultRow& row : result_rows(report.order.enumeration.results, report.input))
    csv += "\"" + report.order.asked.expression + "\"," + csv_row(columns, row);
  return csv;
}

}  // namespace orderlab
