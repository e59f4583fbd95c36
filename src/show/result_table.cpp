#include "show/result_table.hpp"

#include <cmath>

#include "metrics/error_units.hpp"

namespace orderlab {

namespace {

using ResultColumn = ColumnOf<ResultRow>;

constexpr ResultColumn kBits{"bits", [](const ResultRow& r) -> Value { return r.bits; }};
constexpr ResultColumn kValue{"value", [](const ResultRow& r) -> Value { return r.value; }};
constexpr ResultColumn kCount{"count", [](const ResultRow& r) { return r.count; }};
constexpr ResultColumn kProbabilityColumn{"probability", [](const ResultRow& r) -> Value { return r.weight; }};
constexpr ResultColumn kErrorUlp{"error_ulp", [](const ResultRow& r) { return cell_of(r.error_ulp); }};
constexpr ResultColumn kBinUlp{"bin_ulp", [](const ResultRow& r) { return cell_of(r.bin_ulp); },
                               ResultColumn::Where::csv};

}  // namespace

std::vector<ResultRow> result_rows(const Distribution& results, const study::InputFacts& input) {
  const ErrorUnits units(input.exact, input.sum_abs, input.formats);
  const Format format = input.formats.result;
  std::vector<ResultRow> rows;
  rows.reserve(results.size());
  for (std::size_t i = 0; i < results.size(); ++i) {
    const auto [value, weight] = results.values[i];
    ResultRow& row = rows.emplace_back();
    row.bits = bits_text(format, bits_of(format, value));
    row.value = value;
    if (results.orders.empty())
      row.count = static_cast<std::uint64_t>(weight);
    else
      row.count = results.orders[i].str();
    row.weight = weight;
    if (std::isfinite(value) && units.ulp) row.error_ulp = units.ulp->of(input.exact.difference(value));
  }
  return rows;
}

Json result_table_json(std::span<const ColumnOf<ResultRow>> columns, const Distribution& results,
                       const study::InputFacts& input) {
  Json json = Json::array();
  for (const ResultRow& row : result_rows(results, input)) json.push_back(json_row(columns, row));
  return json;
}

std::span<const ColumnOf<ResultRow>> sampled_result_columns() {
  static constexpr ResultColumn kColumns[] = {kBits, kValue, kCount, kErrorUlp, kBinUlp};
  return kColumns;
}

std::span<const ColumnOf<ResultRow>> enumerated_result_columns() {
  static constexpr ResultColumn kColumns[] = {kBits, kValue, kCount, kProbabilityColumn, kErrorUlp};
  return kColumns;
}

}  // namespace orderlab
