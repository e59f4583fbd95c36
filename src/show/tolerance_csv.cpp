#include <fmt/format.h>

#include "show/csv_cell.hpp"
#include "show/tolerance.hpp"
#include "show/tolerance_words.hpp"

namespace orderlab {

std::string to_csv(const study::ToleranceFinding& finding) {
  std::string csv = "kind,name,value,probability,confidence,note\n";
  const auto row = [&](const std::string& kind, const std::string& name, std::optional<double> value,
                       const std::string& probability, const std::string& confidence, const std::string& note) {
    csv += fmt::format("{},{},{},{},{},\"{}\"\n", kind, name, csv_cell(value), probability, confidence, note);
  };
  const auto limit = [&](const std::string& name, double value, const std::string& why_not) {
    row("tolerance", name, why_not.empty() ? std::optional(value) : std::nullopt, fmt::format("{}", finding.reached),
        fmt::format("{}", stated_confidence(finding)), why_not.empty() ? method_in_words(finding) : why_not);
  };
  limit("rtol", finding.limit.relative, why_no_rtol(finding));
  limit("atol", finding.limit.absolute, has_limit(finding) ? "" : "no finite tolerance");
  limit("ulp", finding.limit.ulp, why_no_ulp(finding));
  row("observed", "rms", finding.rms, "", "", "");
  row("observed", "largest", finding.largest.absolute, "", "", "");
  if (finding.mean_largest) row("observed", "mean_largest", finding.mean_largest, "", "", "");
  if (finding.against == Against::exact) {
    row("observed", "rms_from_exact", finding.rms_from_exact, "", "", "");
    row("observed", "largest_from_exact", finding.largest_from_exact, "", "", "");
  }
  for (const study::BesideBound& bound : finding.bounds)
    row("bound", bound.name, bound.value, fmt::format("{}", bound.probability), "", bound.note);
  return csv;
}

}  // namespace orderlab
