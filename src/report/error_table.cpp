#include "report/error_table.hpp"

#include <utility>
#include <vector>

#include "report/input_text.hpp"
#include "report/table.hpp"

namespace orderlab {

std::string error_table(const Record& metrics, const TextStyle& style) {
  static constexpr std::string_view kDispensable[] = {"95 %", "5 %", "mean"};
  std::vector<Table::Row> rows;
  const auto row = [&](const std::string& label, std::string_view unit, int digits) {
    const auto at = [&](std::string_view what) { return number(metrics.number({"error", unit, what}), digits); };
    const auto quantile = [&](std::string_view p) {
      return number(metrics.number({"error", unit, "quantiles", p, "value"}), digits);
    };
    rows.push_back(
        {label, at("min"), quantile("0.05"), quantile("0.5"), at("mean"), quantile("0.95"), at("max"), at("sd")});
  };
  // Next to an exact sum of 0 an ulp is the smallest subnormal and nothing is relative.
  const bool scaled =
      !metrics.number({"error", "relative", "max_abs"}) && metrics.number({"error", "u_sum_abs", "max_abs"});
  if (scaled) {
    row("u sum|x|", "u_sum_abs", 3);
  } else {
    row("ulp", "ulp", 3);
    row("relative", "relative", 2);
  }
  return fitting_table({{"error", Align::left}, {"min"}, {"5 %"}, {"median"}, {"mean"}, {"95 %"}, {"max"}, {"sd"}},
                       std::move(rows), kDispensable, style.width, style.color);
}

}  // namespace orderlab
