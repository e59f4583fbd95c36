// What a file with a distribution includes to be in the list: the declarations of all of them.
#pragma once

#include "terms/distribution.hpp"

/// The list of distributions: one line each, in the order that users see. ENTRY is applied to each constant's name.
#define ORDERLAB_DISTRIBUTIONS(ENTRY) \
  ENTRY(kUniform)                     \
  ENTRY(kNormal)                      \
  ENTRY(kLognormal)                   \
  ENTRY(kExponential)                 \
  ENTRY(kCauchy)                      \
  ENTRY(kCancel)                      \
  ENTRY(kLogspread)                   \
  ENTRY(kConstant)                    \
  ENTRY(kIntegers)                    \
  ENTRY(kDyadic)

namespace orderlab {

#define ORDERLAB_DECLARE_DISTRIBUTION(constant) extern const DistributionDefinition constant;
ORDERLAB_DISTRIBUTIONS(ORDERLAB_DECLARE_DISTRIBUTION)
#undef ORDERLAB_DECLARE_DISTRIBUTION

}  // namespace orderlab
