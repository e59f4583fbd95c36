#include "show/worst_csv.hpp"

#include <fmt/format.h>

#include <utility>

#include "show/csv_cell.hpp"
#include "show/tree_report.hpp"

namespace orderlab {

namespace {

std::string order_words(const study::WorstEnd& end) {
  if (end.tree) return tree_expression(*end.tree);
  std::string words;
  for (const std::uint32_t i : end.order) words += (words.empty() ? "" : " ") + std::to_string(i);
  return words;
}

}  // namespace

std::string to_csv(const study::WorstFinding& report) {
  std::string text = "end,bits,value,error_ulp,running_bound,order\n";
  for (const auto& [name, end] : {std::pair("least", &report.least), std::pair("greatest", &report.greatest)})
    text += fmt::format("{},{},{},{},{},{}\n", name, bits_text(report.input.formats.result, end->bits), end->value,
                        csv_cell(worst_error_ulp(report.input, end->value)), csv_cell(end->running_bound),
                        order_words(*end));
  return text;
}

}  // namespace orderlab
