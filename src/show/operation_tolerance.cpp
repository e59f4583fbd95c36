#include "show/operation_tolerance.hpp"

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

std::string tolerance_claim(const study::OperationToleranceFinding& report) {
  const std::string_view against = report.against == Against::run ? "another run" : "exact results, rounded or not";
  if (report.varying == 0)
    return fmt::format("Tolerance for all outputs against {}; no arrival order changes any.\n", against);
  return fmt::format(
      "Tolerance for all outputs against {}: {:.12g} % of runs on this input pass, with confidence {:.12g} %; the {} "
      "of {} draws.\n",
      against, 100 * report.reached, 100 * report.confidence, study::rank_in_words(report.rank), report.draws);
}

std::string line_to_paste(const study::OperationToleranceFinding& report) {
  if (!has_limit(report))
    return fmt::format("No finite tolerance: {} of the runs have outputs of inf or NaN.\n", number(report.nonfinite));
  return fmt::format("torch.testing.assert_close(actual, expected, rtol={}, atol={})\n", number(report.rtol),
                     rounded_up(report.limit.beside_rtol));
}

}  // namespace

std::string to_text(const study::OperationToleranceFinding& report, const TextStyle& style) {
  std::string head = operation_head(report.input, style.color);
  if (!report.arrival.empty()) head += arrival_of_units(report.input, report.arrival);
  std::string text = wrapped(head, style.width) + "\n" + wrapped(tolerance_claim(report), style.width) + "\n";
  Table table({{"", Align::left}, {"tolerance"}, {"largest drawn"}});
  for (const MeasureRow& row : kMeasureRows) {
    std::string words(row.words);
    if (row.key == "atol_beside_rtol") words += fmt::format(" = {}", number(report.rtol));
    table.add({std::move(words), limit_text(report.limit.*row.value), limit_text(report.largest.*row.value)});
  }
  text += table.text(style.color) + "\n";
  text += bold(line_to_paste(report), style.color);
  return text + (report.partial ? partial_in_words(report.draws, report.planned, report.coverage, report.reached) : "");
}

std::string to_json(const study::OperationToleranceFinding& report) {
  Json json = json_head("tolerance");
  Json config = operation_config_json(report.input);
  config["arrival"] = text_or_null(report.arrival);
  config["coverage"] = report.coverage;
  config["confidence"] = report.confidence;
  config["against"] = against_name(report.against);
  config["samples"] = or_null(report.samples_asked);
  config["seed"] = report.seed;
  json["config"] = std::move(config);
  if (report.partial) json["partial"] = true;
  add_operation(json, report.input);
  json["against"] = against_name(report.against);
  json["samples"] = report.draws * (report.against == Against::run ? 2 : 1);
  json["rank"] = report.rank;
  json["coverage"] = report.reached;
  json["rtol_of_beside"] = json_number(report.rtol);
  Json limits;
  Json largest;
  for (const MeasureRow& row : kMeasureRows) {
    limits[row.key] = json_number(report.limit.*row.value);
    largest[row.key] = json_number(report.largest.*row.value);
  }
  json["tolerance"] = std::move(limits);
  json["observed"] = std::move(largest);
  json["nonfinite"] = json_number(report.nonfinite);
  json["lines"] = {{"torch", line_to_paste(report)}};
  return json_document(json);
}

std::string to_csv(const study::OperationToleranceFinding& report) {
  std::string csv = csv_line({"measure", "tolerance", "largest"});
  for (const MeasureRow& row : kMeasureRows)
    csv += csv_line({std::string(row.key), report.limit.*row.value, report.largest.*row.value});
  return csv;
}

}  // namespace orderlab
