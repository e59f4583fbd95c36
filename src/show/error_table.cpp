#include "show/error_table.hpp"

#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "show/input_text.hpp"
#include "show/table.hpp"

namespace orderlab {

std::string error_table(const ErrorSummary& errors, const TextStyle& style) {
  static constexpr std::string_view kDispensable[] = {"95 %", "5 %", "mean"};
  std::vector<Table::Row> rows;
  const auto row = [&](const std::string& label, const Summary& summary, int digits) {
    const auto quantile = [&](double p) {
      for (std::size_t i = 0; i < std::size(kQuantiles); ++i)
        if (kQuantiles[i].p == p) return summary.quantiles[i].value;
      return std::optional<double>();
    };
    Table::Row cells{label};
    for (const auto& value :
         {summary.min, quantile(0.05), quantile(0.5), summary.mean, quantile(0.95), summary.max, summary.sd})
      cells.push_back(number(value, digits));
    rows.push_back(std::move(cells));
  };
  // Next to an exact sum of 0 an ulp is the smallest subnormal and nothing is relative.
  if (!errors.relative.max_abs && errors.u_sum_abs.max_abs) {
    row("u sum|x|", errors.u_sum_abs, 3);
  } else {
    row("ulp", errors.ulp, 3);
    row("relative", errors.relative, 2);
  }
  return fitting_table({{"error", Align::left}, {"min"}, {"5 %"}, {"median"}, {"mean"}, {"95 %"}, {"max"}, {"sd"}},
                       std::move(rows), kDispensable, style.width, style.color);
}

}  // namespace orderlab
