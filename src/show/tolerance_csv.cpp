#include <fmt/format.h>

#include "show/csv_cell.hpp"
#include "show/tolerance.hpp"
#include "show/tolerance_words.hpp"

namespace orderlab {

std::string to_csv(const study::ToleranceFinding& report) {
  std::string csv = "kind,name,value,probability,confidence,note\n";
  const auto row = [&](const std::string& kind, const std::string& name, std::optional<double> value,
                       const std::string& probability, const std::string& confidence, const std::string& note) {
    csv += fmt::format("{},{},{},{},{},\"{}\"\n", kind, name, csv_cell(value), probability, confidence, note);
  };
  const auto limit = [&](const std::string& name, double value, const std::string& why_not) {
    row("tolerance", name, why_not.empty() ? std::optional(value) : std::nullopt, fmt::format("{}", report.reached),
        fmt::format("{}", stated_confidence(report)), why_not.empty() ? method_in_words(report) : why_not);
  };
  limit("rtol", report.limit.relative, why_no_rtol(report));
  limit("atol", report.limit.absolute, has_limit(report) ? "" : "no finite tolerance");
  limit("ulp", report.limit.ulp, why_no_ulp(report));
  row("observed", "rms", report.rms, "", "", "");
  row("observed", "largest", report.largest.absolute, "", "", "");
  if (report.against == Against::exact) {
    row("observed", "rms_from_exact", report.rms_from_exact, "", "", "");
    row("observed", "largest_from_exact", report.largest_from_exact, "", "", "");
  }
  for (const study::BesideBound& bound : report.bounds)
    row("bound", bound.name, bound.value, fmt::format("{}", bound.probability), "", bound.note);
  return csv;
}

}  // namespace orderlab
