#include "metrics/exceedances.hpp"

namespace orderlab {

namespace {

// That the next one down is given, too.
double next_factor(std::uint64_t given, std::uint64_t samples, std::uint64_t beyond) {
  const auto left = static_cast<double>(given - beyond);
  return left / (left + static_cast<double>(samples));
}

}  // namespace

double exceedances_p(std::uint64_t given, std::uint64_t samples, std::uint64_t beyond) {
  double p = 1;
  for (std::uint64_t i = 0; i < beyond; ++i) p *= next_factor(given, samples, i);
  return p;
}

std::optional<std::uint64_t> fewest_exceedances(std::uint64_t given, std::uint64_t samples, double probability) {
  double p = 1;
  for (std::uint64_t beyond = 0; beyond < given; ++beyond) {
    p *= next_factor(given, samples, beyond);
    if (p < probability) return beyond + 1;
  }
  return std::nullopt;
}

}  // namespace orderlab
