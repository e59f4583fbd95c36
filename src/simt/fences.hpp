// Fences of a launch: which accesses of a thread block the others may rely on, and from when on.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "orderlab/simt_thread.hpp"
#include "simt/thread_block.hpp"

namespace orderlab::simt {

/// One fence that a thread executed. It covers what that thread had done, and what others had done before the last
/// synchronisation with it.
struct Fence {
  std::uint32_t previous;   ///< the fence before it in the thread block, or kNone
  std::uint32_t clock;      ///< the thread block's clock when it was executed
  std::uint32_t opened;     ///< clock behind the last barrier before it
  std::uint32_t full;       ///< behind the last synchronisation of the whole warp before it
  std::uint32_t time;       ///< accesses with a lower one came before it
  std::uint32_t published;  ///< number of the atomic or volatile write that came behind it, kNone
  std::uint32_t known;      ///< by synchronisations of only some lanes: Fences::known of that, or kNone
  std::uint16_t thread;
  FenceScope scope;
};

class Fences {
 public:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  void begin_launch() {
    fences_.clear();
    last_.clear();
    rows_.clear();
    time_ = 0;
  }

  std::uint32_t time() const { return time_; }
  Fence& operator[](std::uint32_t i) { return fences_[i]; }
  const Fence& operator[](std::uint32_t i) const { return fences_[i]; }

  /// Index of the last one of thread block `block`, or kNone.
  std::uint32_t last(std::uint32_t block) const { return block < last_.size() ? last_[block] : kNone; }

  /// Keeps what the lane of a fence knew of each lane of its warp; returns its index, for Fence::known.
  std::uint32_t keep(const LaneStamps& known) {
    rows_.push_back(known);
    return static_cast<std::uint32_t>(rows_.size() - 1);
  }
  const LaneStamps& known(std::uint32_t row) const { return rows_[row]; }

  /// Adds a fence of thread block `block`; returns its index.
  std::uint32_t add(std::uint32_t block, Fence fence) {
    if (block >= last_.size()) last_.resize(block + 1, kNone);
    fence.previous = last_[block];
    fence.published = kNone;
    fence.time = ++time_;
    last_[block] = static_cast<std::uint32_t>(fences_.size());
    fences_.push_back(fence);
    return last_[block];
  }

 private:
  std::vector<Fence> fences_;
  std::vector<std::uint32_t> last_;  ///< by thread block
  std::vector<LaneStamps> rows_;
  std::uint32_t time_ = 0;
};

}  // namespace orderlab::simt
