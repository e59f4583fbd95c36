#include "show/check_csv.hpp"

#include <fmt/format.h>

#include "show/csv_cell.hpp"

namespace orderlab {

std::string to_csv(const study::CheckFinding& report) {
  std::string csv = "bits,value,given,verdict,reason,probability,seen,p,distance_ulp,error_ulp\n";
  for (const ValueVerdict& v : report.result.values)
    csv += fmt::format("{},{},{},{},{},{},{},{},{},{}\n", bits_text(report.input.formats.result, v.bits), v.value,
                       v.given, name_of(v.verdict), name_of(v.reason), csv_cell(v.probability), csv_cell(v.seen),
                       csv_cell(v.p), csv_cell(v.distance_ulp), csv_cell(v.error_ulp));
  return csv;
}

}  // namespace orderlab
