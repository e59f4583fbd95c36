#include "page/caveats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "page/cells.hpp"
#include "page/number_words.hpp"

namespace orderlab {

namespace {

/// How many results of one facet are inf or NaN.
struct NotFinite {
  std::uint64_t results = 0;
  std::uint64_t of = 0;
  std::vector<std::string> orders;      ///< orders with such results
  std::set<std::uint64_t> sizes;        ///< where there are such results
  std::set<std::uint64_t> some_finite;  ///< sizes where another result is finite
};

NotFinite not_finite_in(const std::string& facet, const std::vector<Cell>& cells) {
  NotFinite found;
  for (const Cell& cell : cells) {
    if (cell.facet != facet) continue;
    std::uint64_t samples = 0;
    for (const SumPoint* point : cell.points) samples += point->samples;
    const std::uint64_t results = not_finite_of(cell);
    found.results += results;
    found.of += samples;
    if (results < samples) found.some_finite.insert(cell.first().n);
    if (results == 0) continue;
    found.sizes.insert(cell.first().n);
    if (std::find(found.orders.begin(), found.orders.end(), cell.series) == found.orders.end())
      found.orders.push_back(cell.series);
  }
  return found;
}

}  // namespace

std::string unfinished_of(std::size_t finished, std::size_t planned) {
  if (finished >= planned) return {};
  return fmt::format("{} of {} points are finished; the answers may change.", finished, planned);
}

std::vector<std::string> caveats_of(const SweepContent& content) {
  std::vector<std::string> caveats;
  if (content.near_zero) {
    double largest = 0;
    for (const SumPoint& point : content.points) largest = std::max(largest, point.condition.value_or(0));
    caveats.push_back(fmt::format(
        "Some sums are near 0 (condition number up to {}). Errors are in units of u sum|x|, u the unit roundoff "
        "of the accumulate format.",
        in_words(largest)));
  }
  const std::vector<Cell> cells = cells_of(content);
  for (const std::string& facet : facet_names(cells)) {
    const NotFinite found = not_finite_in(facet, cells);
    if (found.results == 0) continue;
    std::vector<std::string> sizes;
    bool everywhere = true;  // no order has a finite sum at those sizes
    for (const std::uint64_t n : found.sizes) {
      sizes.push_back(count_in_words(n));
      everywhere = everywhere && !found.some_finite.contains(n);
    }
    const std::string where = facet.empty() ? "" : facet + ": ";
    const std::string at = "n = " + listed(sizes);
    caveats.push_back(everywhere ? fmt::format("{}every order overflows at {}.", where, at)
                                 : fmt::format("{}{} of {} sums overflowed (inf or NaN), at {}, by {}.", where,
                                               count_in_words(found.results), count_in_words(found.of), at,
                                               listed(found.orders)));
  }
  return caveats;
}

}  // namespace orderlab
