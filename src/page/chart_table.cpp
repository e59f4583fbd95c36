#include "page/chart_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include "page/html_text.hpp"
#include "page/number_words.hpp"

namespace orderlab {

namespace {

/// Rows of marks with one kind of tooltip, in all panels.
struct StaticTable {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
  std::set<std::vector<std::string>> known = {};  ///< the rows again, while layers are added
};

std::string value_in_words(const Json& row, const Json& column) {
  const std::string& field = column["field"].text();
  if (!row.contains(field) || row[field].is_null()) return "–";
  const Json& value = row[field];
  if (value.is_text()) return value.text();
  constexpr double kWhole = 1e15;
  const double x = value.number();
  if (column.contains("format") && column["format"].text().ends_with('p')) return in_words(100 * x, 3) + " %";
  if (x == std::floor(x) && std::fabs(x) < kWhole)
    return (x < 0 ? "−" : "") + count_in_words(static_cast<std::uint64_t>(std::fabs(x)));
  return in_words(x, 4);
}

std::string title_of(const Json& column) { return column[column.contains("title") ? "title" : "field"].text(); }

// What tells the rows apart that a tooltip does not say: the panel.
std::string panel_of(const Json& view) {
  return view.contains("title") && view["title"].is_object() ? view["title"]["text"].text() : std::string();
}

void add_layer(const Json& view, const Json& layer, bool several, std::vector<StaticTable>& tables) {
  if (!layer["encoding"].contains("tooltip") || !layer["encoding"]["tooltip"].is_array()) return;
  const Json& tooltip = layer["encoding"]["tooltip"];
  StaticTable table;
  if (several) table.columns.emplace_back("");
  for (const Json& column : tooltip) table.columns.push_back(title_of(column));
  const bool filtered = layer.contains("transform");
  for (const Json& row : view["data"]["values"]) {
    if (filtered && row["kind"] != layer["transform"][0]["filter"]["equal"]) continue;
    std::vector<std::string>& texts = table.rows.emplace_back();
    if (several) texts.push_back(panel_of(view));
    for (const Json& column : tooltip) texts.push_back(value_in_words(row, column));
  }
  const auto same = std::find_if(tables.begin(), tables.end(),
                                 [&](const StaticTable& other) { return other.columns == table.columns; });
  if (same == tables.end()) {
    tables.push_back(std::move(table));
    return;
  }
  if (same->known.empty()) same->known.insert(same->rows.begin(), same->rows.end());
  for (std::vector<std::string>& row : table.rows)  // layers of the same rows, as a mark and its interval
    if (same->known.insert(row).second) same->rows.push_back(std::move(row));
}

void collect_views(const Json& spec, std::vector<const Json*>& views) {
  for (const char* many : {"vconcat", "concat"})
    if (spec.contains(many)) {
      for (const Json& inner : spec[many]) collect_views(inner, views);
      return;
    }
  views.push_back(&spec);
}

std::string html_of(const StaticTable& table) {
  const std::size_t all = table.rows.size();
  std::vector<std::vector<std::string>> rows;
  const std::size_t shown = std::min(all, kStaticRows);
  for (std::size_t i = 0; i < shown; ++i) rows.push_back(table.rows[i * all / shown]);
  std::string html = html_table(table.columns, rows);
  if (shown < all)
    html += fmt::format(
        "<p>{} of {} rows, evenly apart; all are in the source of this page, in the element <code>specs</code>.</p>\n",
        shown, all);
  return html;
}

}  // namespace

std::string chart_table(const Figure& figure) {
  std::vector<const Json*> views;
  collect_views(figure.spec, views);
  std::vector<StaticTable> tables;
  for (const Json* view : views)
    if (view->contains("layer"))
      for (const Json& layer : (*view)["layer"]) add_layer(*view, layer, views.size() > 1, tables);
  std::string html;
  for (const StaticTable& table : tables)
    if (!table.rows.empty()) html += html_of(table);
  if (html.empty() && !figure.rows.empty()) html = html_of({figure.columns, figure.rows});
  return html.empty() ? html : "<noscript>\n" + html + "</noscript>\n";
}

}  // namespace orderlab
