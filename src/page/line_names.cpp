#include "page/line_names.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace orderlab::vega {

namespace {

constexpr double kLabelLetter = 6.5;      // width of one, about
constexpr double kLongestLabel = 110;     // pixels: on a phone the lines need the rest
constexpr double kLabelHeight = 14;       // pixels
constexpr double kLeastHeight = 208;      // of a panel, as vega::spec makes them
constexpr double kRightEdge = 0.1;        // share of a logarithmic axis: a line that ends there ends at the edge
constexpr std::size_t kMostLabelled = 4;  // panels: more are too narrow

bool among(const std::vector<std::string>& kinds, const Json& row_or_filter) {
  return row_or_filter.is_text() && std::find(kinds.begin(), kinds.end(), row_or_filter.text()) != kinds.end();
}

/// The encoding of the lines of a panel, null where it has none.
Json lines_of(const Panel& panel, const std::vector<std::string>& kinds) {
  for (const Json& layer : panel.layers)
    if (layer["mark"]["type"] == "line" && layer["encoding"].contains("color") &&
        among(kinds, layer["transform"][0]["filter"]["equal"]))
      return layer["encoding"];
  return nullptr;
}

struct LineEnd {
  std::string name;
  double x;
  double y;
};

std::vector<LineEnd> ends_of(const Panel& panel, const Json& encoding, const std::vector<std::string>& kinds) {
  const std::string& x = encoding["x"]["field"].text();
  const std::string& y = encoding["y"]["field"].text();
  const std::string& series = encoding["color"]["field"].text();
  std::vector<LineEnd> ends;
  for (const Json& name : encoding["color"]["scale"]["domain"]) {
    std::optional<LineEnd> end;
    for (const Json& row : panel.rows)
      if (among(kinds, row["kind"]) && row[series] == name && (!end || row[x].number() >= end->x))
        end = LineEnd{name.text(), row[x].number(), row[y].number()};
    if (end) ends.push_back(*end);
  }
  return ends;
}

bool is_log(const Json& channel) { return channel["scale"].contains("domain"); }

/// Pixels between two heights on an axis; on a linear one, which begins at 0, of the greatest.
double distance(const Json& channel, double greatest, double a, double b) {
  if (!is_log(channel)) return std::fabs(a - b) / greatest * kLeastHeight;
  const Json& domain = channel["scale"]["domain"];
  return std::fabs(std::log(a / b)) / std::log(domain[1].number() / domain[0].number()) * kLeastHeight;
}

bool at_edge(const Json& channel, double greatest, double x) {
  if (!is_log(channel)) return x == greatest;
  const Json& domain = channel["scale"]["domain"];
  return std::log(greatest / x) <= kRightEdge * std::log(domain[1].number() / domain[0].number());
}

/// The greatest value that is drawn above a linear axis, bars included.
double greatest_of(const Panel& panel, const Json& channel) {
  double greatest = 0;
  for (const Json& row : panel.rows)
    for (const std::string& field : {channel["field"].text(), std::string("high")})
      if (row.contains(field)) greatest = std::max(greatest, row[field].number());
  return greatest;
}

bool fit(const Panel& panel, const Json& encoding, const std::vector<LineEnd>& ends, double greatest_x) {
  const double greatest = greatest_of(panel, encoding["y"]);
  for (std::size_t i = 0; i < ends.size(); ++i) {
    if (!at_edge(encoding["x"], greatest_x, ends[i].x)) return false;
    for (std::size_t k = 0; k < i; ++k)
      if (!(distance(encoding["y"], greatest, ends[i].y, ends[k].y) >= kLabelHeight)) return false;
  }
  return true;
}

void write_names(Panel& panel, const Json& lines, const std::vector<LineEnd>& ends) {
  const std::string& series = lines["color"]["field"].text();
  for (const LineEnd& end : ends)
    panel.rows.push_back({{"kind", "end"},
                          {series, end.name},
                          {lines["x"]["field"].text(), number(end.x)},
                          {lines["y"]["field"].text(), number(end.y)}});
  Json text{{"x", lines["x"]}, {"y", lines["y"]}, {"color", lines["color"]}, {"text", {{"field", series}}}};
  panel.layers.push_back(layer("end", {{"type", "text"}, {"align", "left"}, {"dx", 8}, {"fontSize", 12}}, text));
  for (Json& one : panel.layers)
    for (const char* channel : {"color", "shape"})
      if (one["encoding"].contains(channel)) one["encoding"][channel]["legend"] = nullptr;
}

}  // namespace

double name_lines(std::vector<Panel>& panels, const std::vector<std::string>& kinds) {
  if (panels.size() > kMostLabelled || panels.size() == 3) return 0;
  std::vector<Json> lines;
  std::vector<std::vector<LineEnd>> ends;
  double greatest_x = 0;
  std::size_t longest = 0;
  for (const Panel& panel : panels) {
    lines.push_back(lines_of(panel, kinds));
    if (lines.back().is_null() || lines.back()["color"]["scale"]["domain"].size() < 2) return 0;
    for (const Json& name : lines.back()["color"]["scale"]["domain"]) longest = std::max(longest, name.text().size());
    ends.push_back(ends_of(panel, lines.back(), kinds));
    for (const LineEnd& end : ends.back()) greatest_x = std::max(greatest_x, end.x);
  }
  const double width = kLabelLetter * static_cast<double>(longest);
  if (width > kLongestLabel) return 0;
  for (std::size_t i = 0; i < panels.size(); ++i)
    if (!fit(panels[i], lines[i], ends[i], greatest_x)) return 0;
  for (std::size_t i = 0; i < panels.size(); ++i) write_names(panels[i], lines[i], ends[i]);
  return width;
}

}  // namespace orderlab::vega
