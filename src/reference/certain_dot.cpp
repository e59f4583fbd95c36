#include "reference/certain_dot.hpp"

#include <cassert>
#include <cmath>

#include "core/arithmetic_guard.hpp"

namespace orderlab {

namespace {

/// a + b = sum + error.
struct TwoSum {
  double sum;
  double error;

  TwoSum(double a, double b) : sum(a + b) {
    const double part = sum - a;
    error = (a - (sum - part)) + (b - part);
  }
};

}  // namespace

std::optional<double> certain_dot(const double* x, const double* y, std::size_t n) {
  assert(n >= 1 && n <= kMostCertainProducts);
  double sum = 0;
  double errors = 0;
  double size = 0;  // sum of the magnitudes of the errors
  for (std::size_t i = 0; i < n; ++i) {
    const double product = x[i] * y[i];
    const double lost = std::fma(x[i], y[i], -product);  // exact, but for at most 2^-1075 where it is subnormal
    const TwoSum next(sum, product);
    sum = next.sum;
    errors += lost + next.error;
    size += std::fabs(lost) + std::fabs(next.error);
  }
  // 2 n roundings of `errors` are off by gamma_2n sum|errors| at most; four times that also covers the roundings here.
  const double bound = 0x1p-50 * static_cast<double>(n) * size + 0x1p-1070 * static_cast<double>(n);
  const TwoSum rounded(sum, errors);
  const double reach = std::fabs(rounded.error) * (1 + 0x1p-50) + 2 * bound;
  if (!std::isfinite(rounded.sum) || rounded.sum == 0) return std::nullopt;
  if (rounded.sum + reach != rounded.sum || rounded.sum - reach != rounded.sum) return std::nullopt;
  return rounded.sum;
}

}  // namespace orderlab
