// The list of look-back models.
#include "orderlab/arrival.hpp"

/// One line for each model, the constant that its file defines, in the order that users see.
#define ORDERLAB_LOOKBACK_MODELS(ENTRY) \
  ENTRY(kArrivalLookback)               \
  ENTRY(kUniformLookback)               \
  ENTRY(kFixedLookback)                 \
  ENTRY(kAnchorLookback)

namespace orderlab {

#define ORDERLAB_DECLARE_MODEL(constant) extern const LookbackModel constant;
ORDERLAB_LOOKBACK_MODELS(ORDERLAB_DECLARE_MODEL)
#undef ORDERLAB_DECLARE_MODEL

namespace {

#define ORDERLAB_ADDRESS(constant) &constant,
constexpr const LookbackModel* kLookbackModels[] = {ORDERLAB_LOOKBACK_MODELS(ORDERLAB_ADDRESS)};
#undef ORDERLAB_ADDRESS

}  // namespace

std::span<const LookbackModel* const> lookback_models() { return kLookbackModels; }

}  // namespace orderlab
