// The list of operations.
#include "orderlab/operation.hpp"

/// One line for each, the constant that its file defines, in the order that users see.
#define ORDERLAB_OPERATIONS(ENTRY) \
  ENTRY(kSumOperation)             \
  ENTRY(kIndexAdd)                 \
  ENTRY(kScatterAdd)               \
  ENTRY(kScatterReduce)            \
  ENTRY(kIndexPut)                 \
  ENTRY(kBincount)                 \
  ENTRY(kMatmul)                   \
  ENTRY(kRmsNorm)                  \
  ENTRY(kLayerNorm)                \
  ENTRY(kSoftmax)                  \
  ENTRY(kLogSoftmax)               \
  ENTRY(kAttention)                \
  ENTRY(kConvTranspose2d)          \
  ENTRY(kConvFilter)               \
  ENTRY(kAllReduce)                \
  ENTRY(kCumsum)                   \
  ENTRY(kScanOperation)

namespace orderlab {

#define ORDERLAB_DECLARE_OPERATION(constant) extern const TensorOperation constant;
ORDERLAB_OPERATIONS(ORDERLAB_DECLARE_OPERATION)
#undef ORDERLAB_DECLARE_OPERATION

namespace {

#define ORDERLAB_ADDRESS(constant) &constant,
constexpr const TensorOperation* kOperations[] = {ORDERLAB_OPERATIONS(ORDERLAB_ADDRESS)};
#undef ORDERLAB_ADDRESS

}  // namespace

std::span<const TensorOperation* const> operations() { return kOperations; }

}  // namespace orderlab
