// Pieces of Vega-Lite specs that charts share: data rows, axes, facets.
#pragma once

#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "config/json.hpp"

namespace orderlab::vega {

/// A number with five significant digits, which is more than a chart can show; null where it is not finite.
Json number(double value);

/// Least and greatest of what was seen above 0, and whether there was a 0: the domain of a logarithmic axis.
struct LogRange {
  double least = std::numeric_limits<double>::infinity();
  double greatest = 0;
  bool zero = false;

  void see(double value);
  bool empty() const { return !(greatest > 0) && !zero; }

  /// Where a mark of `value` stands: 0 has a place of its own, below all others, with a tick that says "0".
  double place(double value) const { return value > 0 ? value : place_of_zero(); }
  double place_of_zero() const;
};

/// A channel with numbers on a logarithmic axis over `range`, ticks at powers of ten (between them where there are
/// few) and at the place of 0 where there is one.
Json log_channel(const std::string& field, const std::string& title, const LogRange& range);

/// A channel with numbers on a linear axis, which may not contain 0.
Json linear_channel(const std::string& field, const std::string& title);

/// The same with room for marks at its ends, which are else cut at the edges.
Json padded_channel(const std::string& field, const std::string& title);

/// Color by `field`, and a shape where `shaped`; the names in order. A name looks as its place in `all` says, so that
/// it looks the same in every chart of a page; without `all` as its place in `names`. Colors are "@0", "@1", ...: those
/// of a theme, see with_colors.
void add_series(Json& encoding, const std::string& field, const std::vector<std::string>& names, bool shaped,
                const std::vector<std::string>& all = {});

/// The spec with the colors of a theme (themes.json) in place of "@0", "@1", ...
Json with_colors(Json spec, const Json& theme);

/// A layer of the rows whose "kind" is `kind`.
Json layer(const std::string& kind, Json mark, Json encoding);

/// One set of axes: its rows, and layers of which those without rows are dropped.
struct Panel {
  std::string title;
  Json rows;
  std::vector<Json> layers;
};

/// One panel for each of `facets`, with the rows whose field "facet" it is; none for a facet without rows.
std::vector<Panel> panels_of(const Json& rows, const std::vector<std::string>& facets, const std::vector<Json>& layers);

/// How panels are laid out.
struct Grid {
  double height = 260;
  int columns = 0;   ///< 0: chosen from their count
  double aside = 0;  ///< share of a panel's width, for long labels at its axis
};

/// More panels are not drawn, and the chart says so.
inline constexpr std::size_t kMostPanels = 15;

/// The whole spec. Panels share what colors mean.
Json spec(const std::string& description, std::vector<Panel> panels, const Grid& grid);

/// The spec with one panel as wide as the page, the one that is called `title` (else the first), and the others below.
Json with_headline(Json spec, const std::string& title);

inline constexpr const char* kSchema = "https://vega.github.io/schema/vega-lite/v6.json";

}  // namespace orderlab::vega
