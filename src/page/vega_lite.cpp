#include "page/vega_lite.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace orderlab::vega {

namespace {

constexpr int kWide = 760;   // one chart in the page's column
constexpr int kHalf = 400;   // two beside each other
constexpr int kThird = 255;  // three

// An expression that writes datum.value as 10⁻¹⁴, 2×10³ or 0.5.
std::string label_expression() {
  std::string digits = "replace(format(abs(floor(log(datum.value)/LN10+1e-9)),'d'),regexp('0','g'),'⁰')";
  static constexpr const char* kSuperscripts[] = {"¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  for (int digit = 1; digit <= 9; ++digit)
    digits = fmt::format("replace({},regexp('{}','g'),'{}')", digits, digit, kSuperscripts[digit - 1]);
  const std::string sign = "(datum.value<1?'⁻':'')";
  const std::string mantissa = "round(datum.value/pow(10,floor(log(datum.value)/LN10+1e-9)))";
  return fmt::format("datum.value>=0.01&&datum.value<10000?format(datum.value,'~r'):(({0}==1?'':{0}+'×')+'10'+{1}+{2})",
                     mantissa, sign, digits);
}

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

}  // namespace

Json number(double value) {
  if (!std::isfinite(value)) return nullptr;
  return std::stod(fmt::format("{:.4e}", value));
}

void LogRange::see(double value) {
  if (!(value > 0) || !std::isfinite(value)) return;
  least = std::min(least, value);
  greatest = std::max(greatest, value);
}

Json log_channel(const std::string& field, const std::string& title, const LogRange& range) {
  constexpr double kMargin = 1.4;
  double low = range.least / kMargin;
  double high = range.greatest * kMargin;
  if (high / low < 10) {  // a flat line is to look flat
    const double middle = std::sqrt(high / low);
    low *= middle / std::sqrt(10.0);
    high *= std::sqrt(10.0) / middle;
  }
  return {{"field", field},
          {"type", "quantitative"},
          {"title", title},
          {"scale", {{"type", "log"}, {"domain", {number(low), number(high)}}, {"nice", false}}},
          {"axis", {{"values", log_ticks(low, high)}, {"labelExpr", label_expression()}}}};
}

Json linear_channel(const std::string& field, const std::string& title) {
  return {{"field", field}, {"type", "quantitative"}, {"title", title}, {"scale", {{"zero", false}}}};
}

void add_series(Json& encoding, const std::string& field, const std::vector<std::string>& names) {
  const Json legend = names.size() < 2 ? Json(nullptr) : Json{{"title", nullptr}};
  encoding["color"] = {
      {"field", field}, {"type", "nominal"}, {"sort", names}, {"scale", {{"domain", names}}}, {"legend", legend}};
}

Json layer(const std::string& kind, Json mark, Json encoding) {
  return {{"transform", {{{"filter", {{"field", "kind"}, {"equal", kind}}}}}},
          {"mark", std::move(mark)},
          {"encoding", std::move(encoding)}};
}

Json spec(const std::string& description, Json rows, std::vector<Json> layers, const Facets& facets) {
  Json whole{{"$schema", kSchema}, {"description", description}, {"data", {{"values", std::move(rows)}}}};
  const std::size_t count = facets.names.size();
  const int columns = count <= 1 ? 1 : count == 2 || count == 4 ? 2 : 3;
  const Json inner{{"width", columns == 1   ? kWide
                             : columns == 2 ? kHalf - 40
                                            : kThird - 10},
                   {"height", columns == 3 ? facets.height * 0.8 : facets.height},
                   {"layer", std::move(layers)}};
  if (count <= 1) {
    whole.update(inner);
    return whole;
  }
  whole["facet"] = {{"field", "facet"}, {"type", "nominal"}, {"sort", facets.names}, {"title", nullptr}};
  whole["columns"] = columns;
  whole["spec"] = inner;
  Json scales = Json::object();
  if (facets.own_x) scales["x"] = "independent";
  if (facets.own_y) scales["y"] = "independent";
  if (!scales.empty()) whole["resolve"] = {{"scale", scales}};
  return whole;
}

}  // namespace orderlab::vega
