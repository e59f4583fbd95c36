#include "terms/nonfinite_terms.hpp"

#include <cmath>
#include <cstddef>

namespace orderlab {

std::string nonfinite_terms(const TermView& terms) {
  bool positive = false;
  bool negative = false;
  for (std::size_t i = 0; i < terms.n; ++i) {
    const double x = terms.left(i);
    const double y = terms.right(i);
    if (std::isfinite(x) && std::isfinite(y)) continue;
    const double term = x * y;
    if (std::isnan(term)) return "NaN";
    (term > 0 ? positive : negative) = true;
  }
  if (positive && negative) return "inf and -inf";
  return positive ? "inf" : negative ? "-inf" : "";
}

}  // namespace orderlab
