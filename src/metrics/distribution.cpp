#include "orderlab/distribution.hpp"

#include <cmath>

#include "core/arithmetic_guard.hpp"
#include "core/float_environment.hpp"

namespace orderlab {

double Distribution::total() const {
  const FloatEnvironment environment;
  ExactSum sum;
  for (const Weighted& v : values) sum.add(v.weight);
  return sum.value().to_double();
}

Distribution errors_of(const Distribution& results, const ExactValue& exact) {
  const FloatEnvironment environment;
  Distribution errors;
  if (!exact.finite()) return errors;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const Weighted& result = results.values[i];
    if (!std::isfinite(result.value)) continue;
    errors.values.push_back({exact.difference(result.value), result.weight});
    if (!results.orders.empty()) errors.orders.push_back(results.orders[i]);
  }
  return errors;
}

Distribution equal_joined(const Distribution& values) {
  const FloatEnvironment environment;
  Distribution joined{{}, values.width};
  for (const Weighted& v : values.values)
    if (!joined.empty() && joined.values.back().value == v.value)
      joined.values.back().weight += v.weight;
    else
      joined.values.push_back(v);
  return joined;
}

}  // namespace orderlab
