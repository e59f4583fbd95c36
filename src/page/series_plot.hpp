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
  /// `all`: the series of the whole page, which say how each looks; none where these are other series.
  /// No `y_title`: the facets' names say what is drawn.
  SeriesPlot(std::string x_title, std::string y_title, std::vector<std::string> all = {})
      : x_title_(std::move(x_title)), y_title_(std::move(y_title)), all_(std::move(all)) {}

  /// What a mark shows; its bar reaches from the smallest to the largest input.
  enum class Mark { rms, greatest };

  /// A quantity that is 0 on all inputs has a hollow mark at the place of 0.
  void add(const std::string& series, const std::string& facet, double x, const Spread& y, Mark mark);

  /// A dashed line over the range that was fitted.
  void add_fit(const std::string& series, const std::string& facet, const PowerLaw& law);

  /// A grey dotted line y = factor * x^exponent over the range of x so far, with a word at its end; nothing where the
  /// facet has no points.
  void add_reference(const std::string& facet, const std::string& word, double factor, double exponent);

  bool empty() const { return parts_.empty(); }

  /// Whether a mark stands above 0.
  bool moves() const;

  /// Takes away the facets where none does.
  void drop_still_facets();

  /// `own_y`: facets have ranges of their own.
  Json spec(const std::string& description, bool own_y) const;

 private:
  struct Zero {
    std::string series;
    double x;
  };
  struct Part {
    std::string facet;
    Json rows = Json::array();
    vega::LogRange y;
    std::vector<Zero> zeros;
  };
  Part& part_of(const std::string& facet);
  static bool moves(const Part& part);
  std::vector<Json> layers(const Part& part, const vega::LogRange& y) const;
  std::vector<Json> zero_layers(const Part& part, const Json& point) const;
  Json placed_rows(const Part& part, const vega::LogRange& y) const;

  std::string x_title_;
  std::string y_title_;
  std::vector<std::string> all_;
  std::vector<Part> parts_;  ///< one a facet
  vega::LogRange x_;
  std::vector<std::string> series_;
};

}  // namespace orderlab
