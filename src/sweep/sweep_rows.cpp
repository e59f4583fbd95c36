#include "sweep/sweep_rows.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "config/json.hpp"
#include "config/point_config.hpp"
#include "orderlab/error.hpp"
#include "show/csv_cell.hpp"
#include "show/fields_json.hpp"
#include "show/input_json.hpp"
#include "sweep/export_operation_fields.hpp"

namespace orderlab {

namespace {

using Cells = std::vector<std::pair<std::string, std::string>>;

Json row_json(const Store& store, const StoredRow& row) try {
  const Json config = Json::parse(row.point.config);
  if (config.contains(axes::kOp.name))
    return to_json(described::kExportOperationDocument, exported_operation(row, config));
  Json json{{"position", row.position}, {"order_text", text_or_null(row.order_text)}};
  json["arrival_text"] = row.arrival_text.empty() ? Json(nullptr) : Json(row.arrival_text);
  for (const Axis* axis : axis_list())
    if (!axis->exported.empty())
      json[axis->exported] =
          config.contains(axis->name) ? config[axis->name] : axis_json(*axis, std::string(axis->default_text));
  json["config"] = config;
  json["input"] = Json::parse(row.point.terms);
  json["order"] = Json::parse(row.point.summation);
  json["order"].erase("name");  // order_text says it
  json.update(Json::parse(row.point.metrics));
  return json;
} catch (const Error& error) {
  throw store.damaged(row, error);
}

std::string sweep_rows_cell(const Json& value) {
  if (value.is_null()) return {};
  return csv_cell(value.is_text() ? value.text() : value.dump());
}

void flatten(const std::string& path, const Json& value, Cells& cells) {
  if (!value.is_object()) {
    cells.emplace_back(path, sweep_rows_cell(value));
    return;
  }
  for (const auto& [key, inner] : value.members()) flatten(path.empty() ? key : path + "." + key, inner, cells);
}

}  // namespace

std::string to_json_lines(const Store& store) {
  std::string lines;
  store.for_each_row([&](const StoredRow& row) { lines += row_json(store, row).dump() + "\n"; });
  return lines;
}

std::string to_csv(const Store& store) {
  std::map<std::string, std::size_t> columns;
  std::vector<std::string> names;
  std::vector<std::vector<std::string>> rows;
  store.for_each_row([&](const StoredRow& row) {
    Cells cells;
    flatten("", row_json(store, row), cells);
    std::vector<std::string>& texts = rows.emplace_back();
    for (auto& [name, text] : cells) {
      const auto [found, added] = columns.try_emplace(name, names.size());
      if (added) names.push_back(name);
      if (texts.size() <= found->second) texts.resize(found->second + 1);
      texts[found->second] = std::move(text);
    }
  });
  const auto line = [](const std::vector<std::string>& texts, std::size_t width) {
    std::string text;
    for (std::size_t i = 0; i < width; ++i) text += (i == 0 ? "" : ",") + (i < texts.size() ? texts[i] : std::string());
    return text + "\n";
  };
  for (std::string& name : names) name = csv_cell(name);
  std::string csv = line(names, names.size());
  for (const std::vector<std::string>& texts : rows) csv += line(texts, names.size());
  return csv;
}

}  // namespace orderlab
