#include "terms/distribution_list.hpp"

namespace orderlab {

#define ORDERLAB_POINTER(constant) &constant,

std::span<const DistributionDefinition* const> distribution_definitions() {
  static constexpr const DistributionDefinition* kList[] = {ORDERLAB_DISTRIBUTIONS(ORDERLAB_POINTER)};
  return kList;
}

std::span<const TermDistribution* const> distributions() {
  static const TermDistribution* const kList[] = {ORDERLAB_DISTRIBUTIONS(ORDERLAB_POINTER)};
  return kList;
}

#undef ORDERLAB_POINTER

}  // namespace orderlab
