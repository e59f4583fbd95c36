#include <cmath>

#include "orderlab/probe.hpp"

namespace orderlab {

double excluded_share(std::uint64_t compared) {
  constexpr double kMissed = 0.05;
  return compared == 0 ? 1 : -std::expm1(std::log(kMissed) / static_cast<double>(compared));
}

}  // namespace orderlab
