#include "show/check_table.hpp"

namespace orderlab {

namespace {

template <auto member>
Value optional_cell(const VerdictRow& row) {
  return cell_of(row.verdict.*member);
}

}  // namespace

std::span<const ColumnOf<VerdictRow>> verdict_columns() {
  static constexpr ColumnOf<VerdictRow> kColumns[] = {
      {"bits", [](const VerdictRow& r) -> Value { return bits_text(r.format, r.verdict.bits); }},
      {"value", [](const VerdictRow& r) -> Value { return r.verdict.value; }},
      {"given", [](const VerdictRow& r) -> Value { return r.verdict.given; }},
      {"verdict", [](const VerdictRow& r) -> Value { return std::string(name_of(r.verdict.verdict)); }},
      {"reason", [](const VerdictRow& r) -> Value { return std::string(name_of(r.verdict.reason)); }},
      {"probability", optional_cell<&ValueVerdict::probability>},
      {"seen", optional_cell<&ValueVerdict::seen>},
      {"p", optional_cell<&ValueVerdict::p>},
      {"distance_ulp", optional_cell<&ValueVerdict::distance_ulp>},
      {"error_ulp", optional_cell<&ValueVerdict::error_ulp>},
  };
  return kColumns;
}

}  // namespace orderlab
