#include "show/tolerance_of_operation.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "show/colors.hpp"
#include "show/columns.hpp"
#include "show/input_json.hpp"
#include "show/input_text.hpp"
#include "show/operation.hpp"
#include "show/table.hpp"
#include "show/tolerance_lines.hpp"
#include "show/tolerance_words.hpp"
#include "show/wrapped.hpp"
#include "study/tolerance_words.hpp"

namespace orderlab {

namespace {

/// One way to measure, as text, CSV and JSON name it.
struct MeasureRow {
  std::string_view key;
  std::string_view words;
  double study::OutputLimit::*value;
};

constexpr std::array<MeasureRow, 5> kMeasureRows{{
    {"atol", "atol alone", &study::OutputLimit::absolute},
    {"rtol", "rtol alone", &study::OutputLimit::relative},
    {"atol_beside_rtol", "atol beside rtol", &study::OutputLimit::beside_rtol},
    {"ulp", "ulps of the exact result", &study::OutputLimit::ulp},
    {"of_magnitude", "relative to sum|x|", &study::OutputLimit::magnitude},
}};

std::string_view against_name(Against against) { return against == Against::run ? "run" : "exact"; }

std::string limit_text(double value) { return std::isfinite(value) ? rounded_up(value) : "none"; }

std::string tolerance_claim(const study::OperationToleranceFinding& finding) {
  const std::string_view against = finding.against == Against::run ? "another run" : "exact results, rounded or not";
  if (finding.varying == 0)
    return fmt::format("Tolerance for all outputs against {}; no arrival order changes any.\n", against);
  return fmt::format(
      "Tolerance for all outputs against {}: {:.12g} % of runs on this input pass, with confidence {:.12g} %; the {} "
      "of {} draws.\n",
      against, 100 * finding.reached, 100 * finding.confidence, study::rank_in_words(finding.rank), finding.draws);
}

std::string line_to_paste(const study::OperationToleranceFinding& finding) {
  if (!has_limit(finding))
    return fmt::format("No finite tolerance: {} of the runs have outputs of inf or NaN.\n", number(finding.nonfinite));
  return fmt::format("torch.testing.assert_close(actual, expected, rtol={}, atol={})\n", number(finding.rtol),
                     rounded_up(finding.limit.beside_rtol));
}

}  // namespace

std::string to_text(const study::OperationToleranceFinding& finding, const TextStyle& style) {
  std::string head = operation_head(finding.input, style.color);
  if (!finding.arrival.empty()) head += arrival_of_units(finding.input, finding.arrival);
  std::string text = wrapped(head, style.width) + "\n" + wrapped(tolerance_claim(finding), style.width) + "\n";
  Table table({{"", Align::left}, {"tolerance"}, {"largest drawn"}});
  for (const MeasureRow& row : kMeasureRows) {
    std::string words(row.words);
    if (row.key == "atol_beside_rtol") words += fmt::format(" = {}", number(finding.rtol));
    table.add({std::move(words), limit_text(finding.limit.*row.value), limit_text(finding.largest.*row.value)});
  }
  text += table.text(style.color) + "\n";
  text += bold(line_to_paste(finding), style.color);
  return text +
         (finding.partial ? partial_in_words(finding.draws, finding.planned, finding.coverage, finding.reached) : "");
}

std::string to_json(const study::OperationToleranceFinding& finding) {
  Json json = json_head("tolerance");
  Json config = operation_config_json(finding.input);
  config["arrival"] = text_or_null(finding.arrival);
  config["coverage"] = finding.coverage;
  config["confidence"] = finding.confidence;
  config["against"] = against_name(finding.against);
  config["samples"] = or_null(finding.samples_asked);
  config["seed"] = finding.seed;
  json["config"] = std::move(config);
  if (finding.partial) json["partial"] = true;
  add_operation(json, finding.input);
  json["against"] = against_name(finding.against);
  json["samples"] = finding.draws * (finding.against == Against::run ? 2 : 1);
  json["rank"] = finding.rank;
  json["coverage"] = finding.reached;
  json["rtol_of_beside"] = json_number(finding.rtol);
  Json limits;
  Json largest;
  for (const MeasureRow& row : kMeasureRows) {
    limits[row.key] = json_number(finding.limit.*row.value);
    largest[row.key] = json_number(finding.largest.*row.value);
  }
  json["tolerance"] = std::move(limits);
  json["observed"] = std::move(largest);
  json["nonfinite"] = json_number(finding.nonfinite);
  json["lines"] = {{"torch", line_to_paste(finding)}};
  return json_document(json);
}

std::string to_csv(const study::OperationToleranceFinding& finding) {
  std::string csv = csv_line({"measure", "tolerance", "largest"});
  for (const MeasureRow& row : kMeasureRows)
    csv += csv_line({std::string(row.key), finding.limit.*row.value, finding.largest.*row.value});
  return csv;
}

}  // namespace orderlab
