#include "vectors/widest_vectors.hpp"

#include <hwy/highway.h>

namespace orderlab {

std::string_view widest_vectors() {
  const auto usable = hwy::SupportedTargets() & HWY_TARGETS;
  return hwy::TargetName(usable & -usable);  // the lowest bit is the widest
}

}  // namespace orderlab
