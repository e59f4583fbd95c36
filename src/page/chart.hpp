// Charts: what a page may show of a sweep. Each describes itself in one file; chart_list.cpp lists them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/json.hpp"
#include "page/sweep_content.hpp"

namespace orderlab {

/// A chart of one page.
struct Figure {
  Json spec;                              ///< Vega-Lite, its data inside, no colors of its own
  std::string caption;                    ///< what the chart shows, and how it was computed
  std::vector<std::string> conclusions;   ///< plain sentences made from the numbers drawn, the strongest first
  std::vector<std::string> columns = {};  ///< head of a table below the chart; none without one
  std::vector<std::vector<std::string>> rows = {};
  bool leads = false;         ///< the page is about what this shows
  bool seconds = false;       ///< it answers beside the one that leads
  std::size_t answers = 0;    ///< conclusions, from the first, that answer it; 0: any of them may
  std::string headline = {};  ///< the panel that the first sentence is about
};

struct Chart {
  std::string_view name;  ///< names its file, and its place in the page
  std::string_view title;

  /// Empty where the content has not the axes, or not the numbers, for it.
  std::optional<Figure> (*draw)(const SweepContent& content);

  bool of_operations = false;  ///< else it is asked only where there are sums
};

/// In the order in which a page shows them.
std::span<const Chart* const> charts();

/// A chart with its figure.
struct DrawnChart {
  const Chart* chart;
  Figure figure;
  std::string part = {};        ///< in a page with several answers, which one it is about; else empty
  std::size_t part_number = 0;  ///< from 1, of such a page

  /// Names the chart in its page.
  std::string id() const;
};

/// All charts that the content has numbers for; the first that leads stands first, as wide as the page.
std::vector<DrawnChart> draw_all(const SweepContent& content);

}  // namespace orderlab
