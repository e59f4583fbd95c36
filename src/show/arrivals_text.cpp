#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/printable.hpp"
#include "core/printed_number.hpp"
#include "show/arrivals.hpp"
#include "show/colors.hpp"
#include "show/input_text.hpp"
#include "show/table.hpp"
#include "show/wrapped.hpp"

namespace orderlab {

namespace {

using study::ArrivalsColumn;
using study::ArrivalsFinding;

std::string arrivals_head(const ArrivalsFinding& finding) {
  std::string text;
  for (const ArrivalsColumn& column : finding.columns) {
    text +=
        fmt::format("{}: {} {} of {} thread blocks\n", printable(column.name), column.runs,
                    column.recorded() ? "recorded arrival orders" : "drawn arrival orders", *finding.request.blocks);
    for (const OutlierRow& outlier : column.outliers)
      text += fmt::format("  row {} is an outlier and left out: Kendall tau to launch {:.4f}, robust z {:.1f}\n",
                          outlier.row + 1, outlier.tau, outlier.z);
  }
  return text;
}

std::string difference_text(const std::optional<double>& difference) {
  return difference ? fmt::format("{:+.1f}", printed(*difference) + 0.0) : "-";
}

// One line per feature: the recording with its error, then each other source with its difference.
std::string feature_table(const ArrivalsFinding& finding, const TextStyle& style) {
  std::vector<Column> columns{{"feature", Align::left}};
  Table::Row misfits{"misfit"};
  for (const ArrivalsColumn& column : finding.columns) {
    const bool reference = finding.reference && column.name == finding.reference->name;
    columns.push_back({reference ? "recorded" : printable(column.name)});
    misfits.push_back(column.misfit ? number(column.misfit, 3) : "");
    if (!finding.reference) continue;
    columns.push_back({reference ? "error" : "diff"});
    misfits.push_back("");
  }
  Table table(columns);
  for (const std::size_t f : shown_features(finding)) {
    Table::Row row{std::string(kArrivalFeatures[f].name)};
    for (const ArrivalsColumn& column : finding.columns) {
      row.push_back(feature_text(f, column.features[f]));
      if (!finding.reference) continue;
      row.push_back(column.name == finding.reference->name ? number(finding.reference->errors[f], 2)
                                                           : difference_text(column.differences[f]));
    }
    table.add(std::move(row));
  }
  if (finding.reference) table.add(std::move(misfits));
  return table.text(style.color);
}

std::string notes_of_table(const ArrivalsFinding& finding) {
  std::string text = fmt::format(
      "Displacements are in tickets: position in the arrival order less launch index. same_sm and first_wave compare "
      "thread blocks {} and {} apart, for {}.",
      *finding.request.sms, 2 * *finding.request.sms, first_wave_text(finding));
  if (!finding.reference) return text + "\n";
  text += fmt::format(
      " recorded: {}. error: standard error over runs, by a bootstrap of blocks of {} successive runs; it is for this "
      "machine. diff: difference from the recording, in its own standard error, which the runs of both sides have a "
      "part in. "
      "misfit: their root mean square.",
      printable(finding.reference->name), finding.reference->block_length);
  return text + "\n";
}

const ArrivalsColumn* nearest_of(const ArrivalsFinding& finding) {
  const ArrivalsColumn* nearest = nullptr;
  for (const ArrivalsColumn& column : finding.columns)
    if (column.misfit && (nearest == nullptr || *column.misfit < *nearest->misfit)) nearest = &column;
  return nearest;
}

/// Features that differ most, the largest first.
std::vector<std::size_t> largest_differences(const ArrivalsColumn& column) {
  constexpr std::size_t kMostNamed = 5;
  constexpr double kLeastNamed = 3;  // 31 normal numbers: the largest is beyond 3 once in 12 times
  std::vector<std::size_t> list;
  for (std::size_t f = 0; f < kArrivalFeatureCount; ++f)
    if (column.differences[f] && std::fabs(*column.differences[f]) > kLeastNamed) list.push_back(f);
  std::stable_sort(list.begin(), list.end(), [&](std::size_t a, std::size_t b) {
    return std::fabs(*column.differences[a]) > std::fabs(*column.differences[b]);
  });
  if (list.size() > kMostNamed) list.resize(kMostNamed);
  return list;
}

}  // namespace

std::string first_wave_text(const ArrivalsFinding& finding) {
  const auto origin = [&](study::SaidBy by) -> std::string {
    if (by == study::SaidBy::nobody) return "the default";
    return by == study::SaidBy::recording ? "as " + printable(finding.first_wave_of) + " says" : std::string();
  };
  const std::string sms = origin(finding.sms_by);
  const std::string resident = origin(finding.resident_by);
  const bool both = finding.sms_by == finding.resident_by;
  return fmt::format("{} multiprocessors{} with {} thread blocks each at first{}", *finding.request.sms,
                     both || sms.empty() ? "" : " (" + sms + ")", *finding.request.resident,
                     resident.empty() ? ""
                     : both           ? ", " + resident
                                      : " (" + resident + ")");
}

std::vector<std::size_t> shown_features(const ArrivalsFinding& finding) {
  std::vector<std::size_t> list;
  for (std::size_t f = 0; f < kArrivalFeatureCount; ++f)
    if (std::any_of(finding.columns.begin(), finding.columns.end(),
                    [&](const ArrivalsColumn& column) { return column.features[f].has_value(); }))
      list.push_back(f);
  return list;
}

std::string feature_text(std::size_t feature, const std::optional<double>& value) {
  if (!value) return "-";
  return fmt::format("{:.{}f}", printed(*value) + 0.0,
                     kArrivalFeatures[feature].unit() == FeatureUnit::tickets ? 1 : 4);
}

std::vector<std::string> conclusions_of(const ArrivalsFinding& finding) {
  std::vector<std::string> sentences;
  const ArrivalsColumn* nearest = nearest_of(finding);
  if (finding.reference && !finding.reference->floor_95)
    sentences.push_back(fmt::format("The runs of {} do not vary: there are no standard errors, and no misfits.",
                                    printable(finding.reference->name)));
  if (nearest == nullptr) return sentences;
  const study::ArrivalsReference& reference = *finding.reference;
  const std::string name = printable(nearest->name);
  sentences.push_back(fmt::format("{}{} has the smallest misfit: {} standard errors.", name,
                                  finding.columns.size() > 2 ? ", of what was given," : "",
                                  number(nearest->misfit, 3)));
  sentences.push_back(fmt::format(
      "The misfit of 95 % of resampled recordings is at most {}: {}.", number(reference.floor_95, 3),
      *nearest->misfit <= reference.floor_95 ? fmt::format("{} is as near to the recording as they are", name)
                                             : fmt::format("{} differs by more", name)));
  const std::vector<std::size_t> largest = largest_differences(*nearest);
  if (!largest.empty()) {
    std::string list;
    for (const std::size_t f : largest)
      list += fmt::format("{}{} ({})", list.empty() ? "" : ", ", kArrivalFeatures[f].name,
                          difference_text(nearest->differences[f]));
    sentences.push_back(fmt::format("Its largest differences, in standard errors: {}.", list));
  }
  if (reference.halves)
    sentences.push_back(fmt::format(
        "The first and the second half of the recording differ by {} times what their standard errors predict.",
        number(reference.halves, 2)));
  return sentences;
}

std::string to_text(const ArrivalsFinding& finding, const TextStyle& style) {
  std::string text = wrapped(arrivals_head(finding), style.width) + "\n" + feature_table(finding, style) +
                     wrapped(notes_of_table(finding), style.width);
  const std::vector<std::string> sentences = conclusions_of(finding);
  if (!sentences.empty()) text += "\n";
  for (std::size_t i = 0; i < sentences.size(); ++i)
    text += i == 0 ? bold(wrapped(sentences[i], style.width), style.color) + "\n"
                   : wrapped(sentences[i] + "\n", style.width);
  if (finding.partial()) text += "stopped: not all sources were looked at\n";
  return text;
}

}  // namespace orderlab
