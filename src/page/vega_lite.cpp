#include "page/vega_lite.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_map>

#include "core/text.hpp"
#include "page/number_words.hpp"

namespace orderlab::vega {

namespace {

constexpr int kWide = 800;   // one chart in the page's column
constexpr int kHalf = 385;   // two beside each other
constexpr int kThird = 240;  // three

// Powers of ten in the range, every second, third, ... where there are many; 1, 2, 5 times them where there are few.
std::vector<double> log_ticks(double low, double high) {
  const int first = static_cast<int>(std::floor(std::log10(low)));
  const int last = static_cast<int>(std::ceil(std::log10(high)));
  constexpr int kMostTicks = 8;
  const int step = std::max(1, (last - first + kMostTicks - 1) / kMostTicks);
  std::vector<double> ticks;
  const bool few = std::log10(high / low) < 2;
  for (int e = first; e <= last; ++e)
    for (const double times : {1.0, 2.0, 5.0}) {
      const double tick = times * std::pow(10.0, e);
      if ((times == 1 || few) && e % step == 0 && tick >= low * 0.999 && tick <= high * 1.001) ticks.push_back(tick);
    }
  return ticks;
}

// "10⁻¹⁴", "2×10³", "0.5".
std::string tick_label(double tick) {
  std::string text = in_words(tick, 1);
  const bool plain = tick >= 0.01 && tick < 1e4;
  if (plain) return text;
  const int exponent = static_cast<int>(std::floor(std::log10(tick) + 1e-9));
  const double mantissa = std::round(tick / std::pow(10.0, exponent));
  return (mantissa > 1 ? fmt::format("{}×10", mantissa) : "10") + superscript(exponent);
}

// An expression with the label of each tick: cheaper to parse than one that makes it from the number.
std::string label_expression(const std::vector<double>& ticks) {
  std::string expression;
  for (std::size_t i = 0; i + 1 < ticks.size(); ++i)
    expression += fmt::format("datum.value<{:.3g}?'{}':", std::sqrt(ticks[i] * ticks[i + 1]), tick_label(ticks[i]));
  return expression + fmt::format("'{}'", ticks.empty() ? "" : tick_label(ticks.back()));
}

}  // namespace

Json number(double value) {
  if (!std::isfinite(value)) return nullptr;
  return read_real(fmt::format("{:.4e}", value)).value_or(value);  // else it was rounded beyond all doubles
}

namespace {

// What a logarithmic axis shows of a range, without the place of 0.
struct Domain {
  double low;
  double high;
};

Domain domain_of(const LogRange& range) {
  constexpr double kLeastMargin = 1.4;
  constexpr double kShare = 0.03;             // of the axis, for a half of a mark
  if (!(range.greatest > 0)) return {1, 10};  // zeros alone: any will do
  const double margin = std::max(kLeastMargin, std::pow(range.greatest / range.least, kShare));
  Domain domain{range.least / margin, range.greatest * margin};
  if (domain.high / domain.low < 10) {  // a flat line is to look flat
    const double middle = std::sqrt(domain.high / domain.low);
    domain.low *= middle / std::sqrt(10.0);
    domain.high *= std::sqrt(10.0) / middle;
  }
  return domain;
}

}  // namespace

// A ninth of the axis below the smallest value, so that it is not read as a power of ten.
double LogRange::place_of_zero() const {
  constexpr double kShare = 1.0 / 9;
  const Domain domain = domain_of(*this);
  return domain.low * std::pow(domain.low / domain.high, kShare);
}

void LogRange::see(double value) {
  zero = zero || value == 0;
  if (!(value > 0) || !std::isfinite(value)) return;
  least = std::min(least, value);
  greatest = std::max(greatest, value);
}

Json log_channel(const std::string& field, const std::string& title, const LogRange& range) {
  const Domain domain = domain_of(range);
  std::vector<double> ticks = range.greatest > 0 ? log_ticks(domain.low, domain.high) : std::vector<double>();
  double low = domain.low;
  std::string labels = label_expression(ticks);
  if (range.zero) {
    const double zero = range.place_of_zero();
    low = zero * std::pow(zero / domain.low, 0.5);  // a half of the gap below the marks
    labels = fmt::format("datum.value<{:.3g}?'0':", std::sqrt(zero * domain.low)) + labels;
    ticks.insert(ticks.begin(), number(zero).number());
  }
  return {{"field", field},
          {"type", "quantitative"},
          {"title", title.empty() ? Json(nullptr) : Json(title)},
          {"scale", {{"type", "log"}, {"domain", {number(low), number(domain.high)}}, {"nice", false}}},
          {"axis", {{"values", ticks}, {"labelExpr", labels}}}};
}

Json linear_channel(const std::string& field, const std::string& title) {
  return {{"field", field}, {"type", "quantitative"}, {"title", title}, {"scale", {{"zero", false}}}};
}

Json padded_channel(const std::string& field, const std::string& title) {
  Json channel = linear_channel(field, title);
  channel["scale"]["padding"] = 10;
  return channel;
}

void add_series(Json& encoding, const std::string& field, const std::vector<std::string>& names, bool shaped,
                const std::vector<std::string>& all) {
  static constexpr const char* kShapes[] = {"circle",        "square",         "triangle-up",   "diamond",
                                            "triangle-down", "triangle-right", "triangle-left", "cross"};
  Json colors = Json::array();
  Json shapes = Json::array();
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto place = static_cast<std::size_t>(std::find(all.begin(), all.end(), names[i]) - all.begin());
    const std::size_t look = all.empty() || place == all.size() ? i : place;
    colors.push_back("@" + std::to_string(look));
    // after the last color they repeat, with the next shape
    shapes.push_back(kShapes[(look + look / std::size(kShapes)) % std::size(kShapes)]);
  }
  const Json legend = names.size() < 2 ? Json(nullptr) : Json{{"title", nullptr}};
  const auto channel = [&](const Json& range) {
    return Json{
        {"field", field}, {"type", "nominal"}, {"scale", {{"domain", names}, {"range", range}}}, {"legend", legend}};
  };
  encoding["color"] = channel(colors);
  if (shaped) encoding["shape"] = channel(shapes);
}

Json with_colors(Json spec, const Json& theme) {
  if (spec.is_text()) {
    const std::string& text = spec.text();
    const Json& colors = theme["range"]["category"];
    const bool color =
        text.size() > 1 && text[0] == '@' && text.find_first_not_of("0123456789", 1) == std::string::npos;
    return color ? colors[std::stoul(text.substr(1)) % colors.size()] : spec;
  }
  if (spec.is_array())
    for (Json& inner : spec.elements()) inner = with_colors(std::move(inner), theme);
  if (spec.is_object())
    for (auto& [key, inner] : spec.members())
      if (key != "values") inner = with_colors(std::move(inner), theme);  // data have no colors
  return spec;
}

Json layer(const std::string& kind, Json mark, Json encoding) {
  return {{"transform", {{{"filter", {{"field", "kind"}, {"equal", kind}}}}}},
          {"mark", std::move(mark)},
          {"encoding", std::move(encoding)}};
}

namespace {

bool has_rows(const Json& layer, const Json& rows) {
  if (!layer.contains("transform")) return true;
  const Json& kind = layer["transform"][0]["filter"]["equal"];
  return std::any_of(rows.begin(), rows.end(), [&](const Json& row) { return row["kind"] == kind; });
}

Json view_of(Panel panel, double width, double height) {
  std::erase_if(panel.layers, [&](const Json& layer) { return !has_rows(layer, panel.rows); });
  return {{"width", width},
          {"height", height},
          {"data", {{"values", std::move(panel.rows)}}},
          {"layer", std::move(panel.layers)}};
}

}  // namespace

std::vector<Panel> panels_of(const Json& rows, const std::vector<std::string>& facets,
                             const std::vector<Json>& layers) {
  std::unordered_map<std::string, Json> rows_of;
  for (const Json& row : rows)
    if (row["facet"].is_text()) rows_of[row["facet"].text()].push_back(row);
  std::vector<Panel> panels;
  for (const std::string& facet : facets)
    if (const auto found = rows_of.find(facet); found != rows_of.end())  // axes without rows have no domain
      panels.push_back({facet, found->second, layers});
  return panels;
}

Json spec(const std::string& description, std::vector<Panel> panels, const Grid& grid) {
  Json whole{{"$schema", kSchema}, {"description", description}};
  if (panels.size() > kMostPanels) {
    whole["title"] = fmt::format("The first {} of {}", kMostPanels, panels.size());
    panels.resize(kMostPanels);
  }
  const std::size_t count = panels.size();
  const int columns = grid.columns > 0 ? grid.columns : count <= 1 ? 1 : count == 2 || count == 4 ? 2 : 3;
  const double width = (columns == 1 ? kWide : columns == 2 ? kHalf : kThird) - grid.aside;
  const double height = columns == 3 && grid.columns == 0 ? grid.height * 0.8 : grid.height;
  if (count == 1) {
    whole.update(view_of(std::move(panels[0]), width, height));
    return whole;
  }
  whole["columns"] = columns;
  whole["concat"] = Json::array();
  for (Panel& panel : panels) {
    Json view{{"title", {{"text", panel.title}, {"style", "panel"}, {"limit", width + 40}}}};
    view.update(view_of(std::move(panel), width, height));
    whole["concat"].push_back(std::move(view));
  }
  return whole;
}

Json with_headline(Json spec, const std::string& title) {
  constexpr double kHeight = 320;
  const auto widen = [](Json view, double aside) {
    view["width"] = kWide - aside;
    if (view["height"].number() < kHeight) view["height"] = kHeight;
    return view;
  };
  if (!spec.contains("concat")) {
    const double aside = kWide - spec["width"].number();  // read before the move
    return widen(std::move(spec), aside);
  }
  const auto columns = static_cast<int>(spec["columns"].count());
  std::vector<Json> views(spec["concat"].begin(), spec["concat"].end());
  const auto named =
      std::find_if(views.begin(), views.end(), [&](const Json& view) { return view["title"]["text"] == title; });
  if (named != views.end()) std::rotate(views.begin(), named, named + 1);
  const double width = columns == 1 ? kWide : columns == 2 ? kHalf : kThird;
  Json first = widen(views.front(), width - views.front()["width"].number());
  first["title"]["limit"] = kWide;
  Json whole;
  for (auto& [key, value] : spec.members())
    if (key != "concat" && key != "columns") whole[key] = value;
  whole["vconcat"] = Json::array();
  whole["vconcat"].push_back(std::move(first));
  Json rest{{"concat", std::vector<Json>(views.begin() + 1, views.end())}, {"columns", columns}};
  whole["vconcat"].push_back(std::move(rest));
  return whole;
}

}  // namespace orderlab::vega
