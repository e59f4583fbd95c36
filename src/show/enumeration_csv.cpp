#include "show/enumeration_csv.hpp"

#include <fmt/format.h>

#include <cmath>

#include "metrics/error_units.hpp"

namespace orderlab {

std::string to_csv(const study::EnumerateFinding& report) {
  const study::InputFacts& input = report.input;
  const ErrorUnits units(input.exact, input.sum_abs, input.formats);
  std::string csv = "order,bits,value,count,probability,error_ulp\n";
  const Enumeration& all = report.order.enumeration;
  for (std::size_t i = 0; i < all.results.size(); ++i) {
    const Weighted& r = all.results.values[i];
    const bool finite = std::isfinite(r.value) && units.ulp;
    csv += fmt::format("\"{}\",{},{},{},{},{}\n", report.order.asked.expression,
                       bits_text(all.format, bits_of(all.format, r.value)), r.value, all.results.orders[i].str(),
                       r.weight, finite ? fmt::format("{}", units.ulp->of(input.exact.difference(r.value))) : "");
  }
  return csv;
}

}  // namespace orderlab
