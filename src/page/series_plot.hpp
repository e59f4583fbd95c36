// The chart that most are: one line a series over a logarithmic axis, with ranges, fits and references.
#pragma once

#include <string>
#include <vector>

#include "page/cells.hpp"
#include "page/power_law.hpp"
#include "page/vega_lite.hpp"

namespace orderlab {

class SeriesPlot {
 public:
  SeriesPlot(std::string x_title, std::string y_title) : x_title_(std::move(x_title)), y_title_(std::move(y_title)) {}

  /// A point at the geometric mean, with a bar from least to greatest.
  void add(const std::string& series, const std::string& facet, double x, const Spread& y);

  /// A dashed line over the range that was fitted.
  void add_fit(const std::string& series, const std::string& facet, const PowerLaw& law);

  /// A grey dotted line y = factor * x^exponent over the range of x so far, with a word at its end.
  void add_reference(const std::string& facet, const std::string& word, double factor, double exponent);

  bool empty() const { return rows_.empty(); }

  vega::Json spec(const std::string& description, bool own_y) const;

 private:
  void note(const std::string& series, const std::string& facet);

  std::string x_title_;
  std::string y_title_;
  vega::Json rows_ = vega::Json::array();
  vega::LogRange x_;
  vega::LogRange y_;
  std::vector<std::string> series_;
  std::vector<std::string> facets_;
};

}  // namespace orderlab
