// The least value of a function that is rough at small scale and has no derivatives.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace orderlab {

struct Minimum {
  std::vector<double> point;
  double value = 0;
};

struct MinimizeLimits {
  double step = 0.2;              ///< size of the first simplex in every coordinate
  double tolerance = 1e-3;        ///< done when the simplex is smaller in every coordinate
  std::size_t evaluations = 150;  ///< or after this many
};

/// The least value found by a simplex that starts at `start`. Empty as soon as `function` is: it was stopped.
///
/// Not promised: the global minimum. Never worse than the start.
/// Source: Nelder and Mead, A simplex method for function minimization, Computer Journal 7 (1965) 308.
std::optional<Minimum> minimize(const std::function<std::optional<double>(std::span<const double>)>& function,
                                std::vector<double> start, const MinimizeLimits& limits);

}  // namespace orderlab
