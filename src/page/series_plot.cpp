#include "page/series_plot.hpp"

#include <algorithm>
#include <cmath>

namespace orderlab {

using vega::Json;

void SeriesPlot::note(const std::string& series, const std::string& facet) {
  if (std::find(series_.begin(), series_.end(), series) == series_.end()) series_.push_back(series);
  if (std::find(facets_.begin(), facets_.end(), facet) == facets_.end()) facets_.push_back(facet);
}

void SeriesPlot::add(const std::string& series, const std::string& facet, double x, const Spread& y) {
  note(series, facet);
  x_.see(x);
  y_.see(y.least);
  y_.see(y.greatest);
  rows_.push_back({{"kind", "point"},
                   {"series", series},
                   {"facet", facet},
                   {"x", vega::number(x)},
                   {"y", vega::number(y.geometric_mean)},
                   {"least", vega::number(y.least)},
                   {"greatest", vega::number(y.greatest)}});
}

void SeriesPlot::add_fit(const std::string& series, const std::string& facet, const PowerLaw& law) {
  for (const double x : {law.least_x, law.greatest_x})
    rows_.push_back({{"kind", "fit"},
                     {"series", series},
                     {"facet", facet},
                     {"x", vega::number(x)},
                     {"y", vega::number(law.at(x))}});
}

void SeriesPlot::add_reference(const std::string& facet, const std::string& word, double factor, double exponent) {
  for (const double x : {x_.least, x_.greatest}) {
    const double y = factor * std::pow(x, exponent);
    y_.see(y);
    rows_.push_back({{"kind", "reference"},
                     {"facet", facet},
                     {"x", vega::number(x)},
                     {"y", vega::number(y)},
                     {"word", x == x_.greatest ? word : ""}});
  }
}

Json SeriesPlot::spec(const std::string& description, bool own_y) const {
  const Json x = vega::log_channel("x", x_title_, x_);
  Json y = vega::log_channel("y", y_title_, y_);
  if (own_y) {
    y["scale"] = {{"type", "log"}, {"zero", false}};
    y["axis"].erase("values");
  }
  const Json place{{"x", x}, {"y", y}};
  Json line = place;
  vega::add_series(line, "series", series_);
  Json range = line;
  range["y"]["field"] = "least";
  range["y2"] = {{"field", "greatest"}};
  Json point = line;
  point["shape"] = {{"field", "series"}, {"type", "nominal"}, {"scale", {{"domain", series_}}}};
  point["shape"]["legend"] = point["color"]["legend"];
  point["tooltip"] = {{{"field", "series"}, {"title", "order"}},
                      {{"field", "x"}, {"title", x_title_}, {"format", ".4~g"}},
                      {{"field", "y"}, {"title", y_title_}, {"format", ".3~g"}},
                      {{"field", "least"}, {"title", "least of the inputs"}, {"format", ".3~g"}},
                      {{"field", "greatest"}, {"title", "greatest of the inputs"}, {"format", ".3~g"}}};
  Json word = place;
  word["text"] = {{"field", "word"}};
  std::vector<Json> layers{
      vega::layer("reference", {{"type", "line"}, {"style", "reference"}}, place),
      vega::layer("reference", {{"type", "text"}, {"style", "word"}, {"align", "right"}, {"dy", -7}}, word),
      vega::layer("fit", {{"type", "line"}, {"strokeDash", {5, 4}}, {"opacity", 0.7}}, line),
      vega::layer("point", {{"type", "rule"}, {"opacity", 0.35}, {"strokeWidth", 2}}, range),
      vega::layer("point", {{"type", "line"}, {"strokeWidth", 1.5}}, line),
      vega::layer("point", {{"type", "point"}, {"filled", true}, {"size", 55}, {"opacity", 1}}, point)};
  vega::Facets facets{facets_};
  facets.own_y = own_y;
  return vega::spec(description, rows_, std::move(layers), facets);
}

}  // namespace orderlab
