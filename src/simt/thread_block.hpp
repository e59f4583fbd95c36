// The state of thread blocks, warps and lanes between two turns.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <source_location>
#include <vector>

#include "orderlab/kernel.hpp"
#include "orderlab/simt_thread.hpp"
#include "simt/fiber.hpp"
#include "simt/shared_memory.hpp"

namespace orderlab::simt {

/// For each lane of a warp, the clock of the thread block behind a synchronisation.
using LaneStamps = std::array<std::uint32_t, kWarp>;

/// The primitive of the warp that a lane waits at.
enum class Wait : std::uint8_t {
  nothing,
  warp_barrier,
  shuffle_index,
  shuffle_up,
  shuffle_down,
  shuffle_exclusive_or,
  ballot,
  whole_warp,
};

/// A thread. Every switch between threads touches one, so it fits a line of the cache.
struct alignas(64) Lane {
  static constexpr std::uint32_t kNotEnded = ~std::uint32_t{0};

  Fiber fiber;                 ///< none before it starts and after it ends
  std::source_location where;  ///< the primitive that it waits at, or passed last
  std::uint64_t value;         ///< given to a primitive of the warp, and what that gave
  std::uint32_t mask;          ///< the mask given to that primitive
  std::uint16_t thread;
  Wait wait;
  std::uint8_t source;       ///< lane that a shuffle reads
  std::uint32_t acquired;    ///< number of the last atomic that it, or a thread it was synchronised with, did
  std::uint32_t last_clock;  ///< clock of the last synchronisation that it took part in, when it has ended; kNotEnded
  std::array<std::uint32_t, 2> fenced_clock;  ///< clock of the last synchronisation before its last fence, by scope
  std::array<bool, 2> unfenced;               ///< accesses since that fence, by scope
  bool released;                              ///< a fence since its last write: a volatile write announces it

  unsigned in_warp() const { return thread % kWarp; }
  std::uint32_t bit() const { return std::uint32_t{1} << in_warp(); }

  /// Whether what it did at that clock is known behind a later barrier: not what it did between the last
  /// synchronisation that it took part in and its end.
  bool told(std::uint32_t clock) const { return clock < last_clock; }
};
#ifndef ORDERLAB_ADDRESS_SANITIZER
static_assert(sizeof(Lane) == 64);
#endif

struct ThreadBlock;

/// Lanes as bit masks.
struct Warp {
  static constexpr std::size_t kNotWaiting = ~std::size_t{0};
  using Seen = std::array<LaneStamps, kWarp>;

  ThreadBlock* block;
  Lane* lanes;
  std::uint32_t existing;   ///< lanes that the thread block has
  std::uint32_t ready;      ///< can go on at once
  std::uint32_t at_atomic;  ///< can go on when drawn
  std::uint32_t at_primitive;
  std::uint32_t at_active_mask;
  std::array<std::uint32_t, 2> active_masks;  ///< what __activemask gave last, to the two groups
  std::uint32_t at_barrier;
  std::uint32_t at_grid_barrier;
  std::uint32_t ended;
  std::uint32_t last;          ///< clock of the thread block behind the last synchronisation of any of its lanes
  std::uint32_t full;          ///< behind the last one of all of them
  std::unique_ptr<Seen> seen;  ///< [l][k]: behind the last one after which l knows what k did, if `partial`
  bool partial;                ///< some synchronisation since `full` named only some lanes
  std::size_t place;           ///< in the list of warps with lanes at atomics

  /// Lanes of a mask that a primitive waits for: CUDA's are defined over those that exist and have not ended.
  std::uint32_t live(std::uint32_t mask) const { return mask & existing & ~ended; }
};

struct ThreadBlock {
  std::uint32_t index;  ///< linear, in the grid
  Index3 position;
  std::uint64_t generation;  ///< numbers the thread blocks that ran on this OS thread
  std::uint32_t clock;       ///< barriers, and synchronisations of its warps
  std::uint32_t opened;      ///< clock behind the last barrier
  std::uint32_t acquired;    ///< as of a lane, of what the last barrier ordered
  std::uint32_t arrived;     ///< the same of the threads that are at the barrier
  std::size_t at_barrier;
  std::size_t at_grid_barrier;
  std::size_t votes;       ///< predicates that hold at the barrier
  std::size_t last_votes;  ///< votes at the barrier before
  std::size_t last_voters;
  std::source_location barrier_where;
  std::size_t ended;
  std::uint32_t ready_warps;               ///< bits of those that can go on at once; not of the running one
  std::size_t atomic_warps;                ///< those with lanes at atomics, as of their last turn
  std::vector<std::uint32_t> open_fences;  ///< behind which no atomic has come yet
  std::vector<Lane> lanes;
  std::vector<Index3> indices;  ///< threadIdx of each thread
  Dim3 index_extent{0, 0, 0};   ///< that they are for
  std::vector<Warp> warps;
  SharedImage shared;

  Warp& warp_of(const Lane& lane) { return warps[lane.thread / kWarp]; }

  /// All threads of a thread block of that extent, none of them started.
  void begin(std::uint32_t index, Index3 position, std::uint64_t generation, Dim3 extent);

 private:
  void number(Dim3 extent);
};

}  // namespace orderlab::simt
