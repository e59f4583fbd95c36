#include "operation/selected_outputs.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "operation/index_rows.hpp"

namespace orderlab {

namespace {

/// Numbers `places` of the terms.
Terms selected(const Terms& terms, const std::vector<std::uint32_t>& places) {
  Terms some(terms.format(), places.size());
  detail::scatter_values(terms, places, some);
  return some;
}

Contributions selected_rows(const Contributions& rows, std::span<const std::uint32_t> outputs) {
  Contributions some;
  some.units = rows.units;
  some.units_per_block = rows.units_per_block;
  if (rows.initial) some.initial = selected(*rows.initial, {outputs.begin(), outputs.end()});
  if (rows.row_begin.empty()) return some;
  some.row_begin = {0};
  std::vector<std::uint32_t> places;
  for (const std::uint32_t r : outputs) {
    for (std::uint32_t c = rows.row_begin[r]; c < rows.row_begin[r + 1]; ++c) {
      places.push_back(c);
      some.unit.push_back(rows.unit[c]);
    }
    some.row_begin.push_back(static_cast<std::uint32_t>(places.size()));
  }
  some.values = selected(rows.values, places);
  return some;
}

void renumber_units(Contributions& rows) {
  std::vector<std::uint32_t> left = rows.unit;
  std::sort(left.begin(), left.end());
  left.erase(std::unique(left.begin(), left.end()), left.end());
  for (std::uint32_t& unit : rows.unit)
    unit = static_cast<std::uint32_t>(std::lower_bound(left.begin(), left.end(), unit) - left.begin());
  rows.units = std::max<std::uint32_t>(1, static_cast<std::uint32_t>(left.size()));
  rows.units_per_block = 1;
}

}  // namespace

std::shared_ptr<const LoweredOperation> selected_outputs(const LoweredOperation& operation,
                                                         std::span<const std::uint32_t> outputs, bool renumber) {
  if (!operation.has_rows()) return nullptr;
  auto some = std::make_shared<LoweredOperation>();
  some->text = operation.text;
  some->rows = selected_rows(operation.rows, outputs);
  if (renumber) renumber_units(some->rows);
  some->addition = operation.addition;
  some->made_in = operation.made_in;
  some->height_before = operation.height_before;
  some->arrival = operation.arrival;
  for (const std::uint32_t r : outputs)
    if (!operation.divide_by.empty()) some->divide_by.push_back(operation.divide_by[r]);
  some->formats = operation.formats;
  some->shape = {outputs.size()};
  some->launch = operation.launch;
  some->own = operation.own;
  if (!operation.adds_by_plans()) return some;
  some->plans = operation.plans;
  some->draws_alike = operation.draws_alike;
  for (const std::uint32_t r : outputs) {
    TermBuffer buffer;
    TermView row = operation.terms.row(r, buffer);
    if (!buffer.x.empty()) {
      const auto keep = [&](const void* numbers) {
        some->kept.emplace_back(row.format, row.n);
        std::memcpy(some->kept.back().bytes().data(), numbers, some->kept.back().bytes().size());
        return some->kept.back().view().x;
      };
      row.x = keep(row.x);
      if (row.products()) row.y = keep(row.y);
    }
    some->terms.add(TermRows{row.format, 1, row.n, row.x, row.n, row.y, row.n});
  }
  return some;
}

}  // namespace orderlab
