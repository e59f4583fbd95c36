// Pieces of Vega-Lite specs that charts share: data rows, axes, facets.
#pragma once

#include <initializer_list>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace orderlab::vega {

using Json = nlohmann::ordered_json;

/// A number with five significant digits, which is more than a chart can show; null where it is not finite.
Json number(double value);

/// Least and greatest of what was seen, above 0 only: the domain of a logarithmic axis.
struct LogRange {
  double least = std::numeric_limits<double>::infinity();
  double greatest = 0;

  void see(double value);
  bool empty() const { return !(greatest > 0); }
};

/// A channel with numbers on a logarithmic axis over `range`, ticks at powers of ten (between them where there are
/// few).
Json log_channel(const std::string& field, const std::string& title, const LogRange& range);

/// A channel with numbers on a linear axis that need not contain 0.
Json linear_channel(const std::string& field, const std::string& title);

/// Color and shape by `field`; the names in order, one look each.
void add_series(Json& encoding, const std::string& field, const std::vector<std::string>& names);

/// A layer of the rows whose "kind" is `kind`.
Json layer(const std::string& kind, Json mark, Json encoding);

/// How facets are laid out.
struct Facets {
  std::vector<std::string> names;  ///< values of the field "facet" in order; one: no facets
  bool own_x = false;              ///< every facet has its own axis
  bool own_y = false;
  double height = 260;
};

/// The whole spec.
Json spec(const std::string& description, Json rows, std::vector<Json> layers, const Facets& facets);

inline constexpr const char* kSchema = "https://vega.github.io/schema/vega-lite/v6.json";

}  // namespace orderlab::vega
