// Columns of numbers, for Python, from the table that an operation's outputs are rows of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "describe/table.hpp"
#include "show/operation.hpp"

namespace orderlab::described {

/// What differs from output to output: no texts, not the output's own number, and not the number of samples. Columns
/// have the names of fields. `each_output(use)` calls use(row) for each output.
template <class Row, class EachOutput>
std::vector<OutputNumbers> numbers_of_outputs(const TableOf<Row>& table, std::size_t outputs,
                                              const EachOutput& each_output) {
  std::vector<OutputNumbers> columns;
  std::vector<const Field*> shown;
  for (const Field& field : table.fields) {
    if (field.kind->holds == Holds::text || field.name == "output" || field.name == "samples") continue;
    shown.push_back(&field);
    columns.push_back({std::string(field.name), {}});
    columns.back().values.reserve(outputs);
  }
  each_output([&](const Row& row) {
    for (std::size_t c = 0; c < shown.size(); ++c) {
      const Value cell = *shown[c]->get(&row);
      const auto* const count = std::get_if<std::uint64_t>(&cell);
      columns[c].values.push_back(count != nullptr ? static_cast<double>(*count) : std::get<double>(cell));
    }
  });
  return columns;
}

}  // namespace orderlab::described
