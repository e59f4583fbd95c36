// The built-in stages, one line each.
#include "orderlab/order.hpp"

#define ORDERLAB_STAGES(STAGE) \
  STAGE(kShuffle)              \
  STAGE(kArrive)               \
  STAGE(kReverse)              \
  STAGE(kRotate)               \
  STAGE(kSort)                 \
  STAGE(kPerm)                 \
  STAGE(kRound)                \
  STAGE(kIn)                   \
  STAGE(kSeq)                  \
  STAGE(kChunks)               \
  STAGE(kStrided)              \
  STAGE(kLanes)                \
  STAGE(kTile)                 \
  STAGE(kHalving)              \
  STAGE(kAdjacent)             \
  STAGE(kPairwise)             \
  STAGE(kNumpy)                \
  STAGE(kPolars)               \
  STAGE(kCubTile)              \
  STAGE(kCubRake)              \
  STAGE(kPowerOfTwo)           \
  STAGE(kDoubleTree)           \
  STAGE(kRankTree)             \
  STAGE(kTree)                 \
  STAGE(kQueue)                \
  STAGE(kFused)

namespace orderlab {

#define ORDERLAB_DECLARE(stage) extern const Stage stage;
ORDERLAB_STAGES(ORDERLAB_DECLARE)

std::span<const Stage* const> stages() {
#define ORDERLAB_ADDRESS(stage) &stage,
  static constexpr const Stage* kStages[] = {ORDERLAB_STAGES(ORDERLAB_ADDRESS)};
  return kStages;
}

}  // namespace orderlab
