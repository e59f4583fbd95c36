#include "report/check_csv.hpp"

#include <fmt/format.h>

namespace orderlab {

std::string to_csv(const CheckReport& report) {
  const auto cell = [](const auto& value) { return value ? fmt::format("{}", *value) : std::string(); };
  std::string csv = "bits,value,given,verdict,reason,probability,seen,p,distance_ulp,error_ulp\n";
  for (const ValueVerdict& v : report.result.values)
    csv += fmt::format("{},{},{},{},{},{},{},{},{},{}\n", bits_text(report.input.formats.result, v.bits), v.value,
                       v.given, name_of(v.verdict), name_of(v.reason), cell(v.probability), cell(v.seen), cell(v.p),
                       cell(v.distance_ulp), cell(v.error_ulp));
  return csv;
}

}  // namespace orderlab
