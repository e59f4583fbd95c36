#include "page/series_plot.hpp"

#include <algorithm>
#include <cmath>

namespace orderlab {

SeriesPlot::Part& SeriesPlot::part_of(const std::string& facet) {
  const auto part = std::find_if(parts_.begin(), parts_.end(), [&](const Part& p) { return p.facet == facet; });
  return part != parts_.end() ? *part : parts_.emplace_back(Part{facet, Json::array(), {}});
}

void SeriesPlot::add(const std::string& series, const std::string& facet, double x, const Spread& y, Mark mark) {
  if (y.moved == 0) return;
  if (std::find(series_.begin(), series_.end(), series) == series_.end()) series_.push_back(series);
  Part& part = part_of(facet);
  x_.see(x);
  part.y.see(y.least);
  part.y.see(y.greatest);
  part.rows.push_back({{"kind", "point"},
                       {"series", series},
                       {"x", vega::number(x)},
                       {"y", vega::number(mark == Mark::rms ? y.rms : y.greatest)},
                       {"least", vega::number(y.least)},
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

std::vector<Json> SeriesPlot::layers(const vega::LogRange& y) const {
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
                      {{"field", "y"}, {"title", y_title_.empty() ? "mark" : y_title_}, {"format", ".3~g"}},
                      {{"field", "least"}, {"title", "least above 0 of the inputs"}, {"format", ".3~g"}},
                      {{"field", "greatest"}, {"title", "greatest of the inputs"}, {"format", ".3~g"}}};
  Json word = place;
  word["text"] = {{"field", "word"}};
  return {vega::layer("reference", {{"type", "line"}, {"style", "reference"}}, place),
          vega::layer("reference", {{"type", "text"}, {"style", "word"}, {"align", "right"}, {"dy", -7}}, word),
          vega::layer("fit", {{"type", "line"}, {"strokeDash", {5, 4}}, {"opacity", 0.7}}, line),
          vega::layer("point", {{"type", "rule"}, {"opacity", 0.35}, {"strokeWidth", 2}}, range),
          vega::layer("point", {{"type", "line"}, {"strokeWidth", 1.5}}, line),
          vega::layer("point", {{"type", "point"}, {"filled", true}, {"size", 55}, {"opacity", 1}}, point)};
}

Json SeriesPlot::spec(const std::string& description, bool own_y) const {
  vega::LogRange common;
  for (const Part& part : parts_) {
    common.see(part.y.least);
    common.see(part.y.greatest);
  }
  std::vector<vega::Panel> panels;
  panels.reserve(parts_.size());
  for (const Part& part : parts_) panels.push_back({part.facet, part.rows, layers(own_y ? part.y : common)});
  return vega::spec(description, std::move(panels), {});
}

}  // namespace orderlab
