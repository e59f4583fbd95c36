#include "page/series_plot.hpp"

#include <algorithm>
#include <cmath>

#include "page/line_names.hpp"

namespace orderlab {

SeriesPlot::Part& SeriesPlot::part_of(const std::string& facet) {
  const auto part = std::find_if(parts_.begin(), parts_.end(), [&](const Part& p) { return p.facet == facet; });
  return part != parts_.end() ? *part : parts_.emplace_back(Part{facet, Json::array(), {}, {}});
}

void SeriesPlot::add(const std::string& series, const std::string& facet, double x, const Spread& y, Mark mark) {
  if (std::find(series_.begin(), series_.end(), series) == series_.end()) series_.push_back(series);
  Part& part = part_of(facet);
  x_.see(x);
  if (y.moved < y.inputs) part.y.see(0);
  if (y.moved == 0) {
    part.zeros.push_back({series, x});
    return;
  }
  part.y.see(y.least);
  part.y.see(y.greatest);
  part.rows.push_back({{"kind", "point"},
                       {"series", series},
                       {"x", vega::number(x)},
                       {"y", vega::number(mark == Mark::rms ? y.rms : y.greatest)},
                       {"least", vega::number(y.moved < y.inputs ? 0 : y.least)},
                       {"greatest", vega::number(y.greatest)}});
}

void SeriesPlot::add_fit(const std::string& series, const std::string& facet, const PowerLaw& law) {
  for (const double x : {law.least_x, law.greatest_x})
    part_of(facet).rows.push_back(
        {{"kind", "fit"}, {"series", series}, {"x", vega::number(x)}, {"y", vega::number(law.at(x))}});
}

void SeriesPlot::add_reference(const std::string& facet, const std::string& word, double factor, double exponent) {
  if (std::none_of(parts_.begin(), parts_.end(), [&](const Part& p) { return p.facet == facet; })) return;
  Part& part = part_of(facet);
  for (const double x : {x_.least, x_.greatest}) {
    const double y = factor * std::pow(x, exponent);
    part.y.see(y);
    part.rows.push_back({{"kind", "reference"},
                         {"x", vega::number(x)},
                         {"y", vega::number(y)},
                         {"word", x == x_.greatest ? word : ""}});
  }
}

bool SeriesPlot::moves(const Part& part) {
  return std::any_of(part.rows.begin(), part.rows.end(), [](const Json& row) { return row["kind"] == "point"; });
}

bool SeriesPlot::moves() const {
  return std::any_of(parts_.begin(), parts_.end(), [](const Part& part) { return moves(part); });
}

void SeriesPlot::drop_still_facets() {
  std::erase_if(parts_, [](const Part& part) { return !moves(part); });
}

// Hollow marks at the place of 0. Where series share it they stand beside each other.
std::vector<Json> SeriesPlot::zero_layers(const Part& part, const Json& point) const {
  std::vector<std::string> here;
  for (const std::string& series : series_)
    if (std::any_of(part.zeros.begin(), part.zeros.end(), [&](const Zero& zero) { return zero.series == series; }))
      here.push_back(series);
  constexpr double kApart = 5;  // pixels: neighbouring sizes stay apart in a small panel
  std::vector<Json> layers;
  for (std::size_t i = 0; i < here.size(); ++i) {
    const double aside = kApart * (static_cast<double>(i) - static_cast<double>(here.size() - 1) / 2);
    Json layer = vega::layer(
        "zero",
        {{"type", "point"}, {"filled", false}, {"strokeWidth", 2}, {"size", 55}, {"opacity", 1}, {"xOffset", aside}},
        point);
    layer["transform"].push_back({{"filter", {{"field", "series"}, {"equal", here[i]}}}});
    layers.push_back(std::move(layer));
  }
  return layers;
}

std::vector<Json> SeriesPlot::layers(const Part& part, const vega::LogRange& y) const {
  const Json place{{"x", vega::log_channel("x", x_title_, x_)}, {"y", vega::log_channel("y", y_title_, y)}};
  Json line = place;
  vega::add_series(line, "series", series_, false, all_);
  Json range = line;
  range["y"]["field"] = "least";
  range["y2"] = {{"field", "greatest"}};
  Json point = line;
  vega::add_series(point, "series", series_, true, all_);
  point["tooltip"] = {{{"field", "series"}, {"title", "order"}},
                      {{"field", "x"}, {"title", x_title_}, {"format", ".4~g"}},
                      {{"field", "shown"}, {"title", y_title_.empty() ? "mark" : y_title_}, {"format", ".3~g"}},
                      {{"field", "smallest"}, {"title", "smallest input"}, {"format", ".3~g"}},
                      {{"field", "greatest"}, {"title", "largest input"}, {"format", ".3~g"}}};
  Json word = place;
  word["text"] = {{"field", "word"}};
  std::vector<Json> layers{
      vega::layer("reference", {{"type", "line"}, {"style", "reference"}}, place),
      vega::layer("reference", {{"type", "text"}, {"style", "word"}, {"align", "right"}, {"dy", -7}}, word),
      vega::layer("fit", {{"type", "line"}, {"strokeDash", {5, 4}}, {"opacity", 0.7}}, line),
      vega::layer("point", {{"type", "rule"}, {"opacity", 0.35}, {"strokeWidth", 2}}, range),
      vega::layer("point", {{"type", "line"}, {"strokeWidth", 1.5}}, line),
      vega::layer("point", {{"type", "point"}, {"filled", true}, {"size", 55}, {"opacity", 1}}, point)};
  for (Json& layer : zero_layers(part, point)) layers.push_back(std::move(layer));
  return layers;
}

// Zeros get their place, which depends on the range of all panels that share an axis.
Json SeriesPlot::placed_rows(const Part& part, const vega::LogRange& y) const {
  Json rows = Json::array();
  for (Json row : part.rows) {
    if (row["kind"] == "point") {
      row["shown"] = Json(row["y"]);         // a copy: a new member moves the others
      row["smallest"] = Json(row["least"]);  // a copy: a new member moves the others
      row["least"] = vega::number(y.place(row["least"].number()));
    }
    rows.push_back(std::move(row));
  }
  for (const Zero& zero : part.zeros)
    rows.push_back({{"kind", "zero"},
                    {"series", zero.series},
                    {"x", vega::number(zero.x)},
                    {"y", vega::number(y.place_of_zero())},
                    {"shown", 0},
                    {"smallest", 0},
                    {"greatest", 0}});
  return rows;
}

Json SeriesPlot::spec(const std::string& description, bool own_y) const {
  vega::LogRange common;
  for (const Part& part : parts_) {
    if (part.y.greatest > 0)
      for (const double end : {part.y.least, part.y.greatest}) common.see(end);
    common.zero = common.zero || part.y.zero;
  }
  const auto range_of = [&](const Part& part) -> const vega::LogRange& { return own_y ? part.y : common; };
  std::vector<vega::Panel> panels;
  panels.reserve(parts_.size());
  for (const Part& part : parts_) {
    const vega::LogRange& y = range_of(part);
    panels.push_back({part.facet, placed_rows(part, y), layers(part, y)});
  }
  const double aside = vega::name_lines(panels, {"point", "zero"});
  return vega::spec(description, std::move(panels), {.aside = aside});
}

}  // namespace orderlab
