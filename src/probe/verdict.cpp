#include <array>
#include <cmath>

#include "orderlab/probe.hpp"

namespace orderlab {

std::string_view name_of(ProbeVerdict verdict) {
  constexpr std::array<std::string_view, 9> kNames{"named",
                                                   "revealed",
                                                   "depends on n",
                                                   "depends on alignment",
                                                   "depends on threads",
                                                   "random",
                                                   "exact or compensated",
                                                   "data-dependent",
                                                   "not a sum"};
  return kNames[static_cast<std::size_t>(verdict)];
}

double excluded_share(std::uint64_t compared) {
  constexpr double kMissed = 0.05;
  return compared == 0 ? 1 : -std::expm1(std::log(kMissed) / static_cast<double>(compared));
}

}  // namespace orderlab
