// Pearson's chi-square test that cells are equally likely.
#pragma once

#include <boost/math/distributions/chi_squared.hpp>
#include <cstdint>
#include <numeric>
#include <vector>

namespace orderlab::testing {

/// P(chi-square >= the observed one), where all cells are equally likely. Shape: two or more cells, which should expect
/// at least 5 counts each.
inline double chi_square_p(const std::vector<std::uint64_t>& cells) {
  const auto freedom = static_cast<double>(cells.size() - 1);
  const auto total = static_cast<double>(std::accumulate(cells.begin(), cells.end(), std::uint64_t{0}));
  const double expectation = total / static_cast<double>(cells.size());
  double chi_square = 0;
  for (const std::uint64_t cell : cells) {
    const double off = static_cast<double>(cell) - expectation;
    chi_square += off * off / expectation;
  }
  return boost::math::cdf(boost::math::complement(boost::math::chi_squared(freedom), chi_square));
}

}  // namespace orderlab::testing
