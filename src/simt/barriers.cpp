// Barriers of the thread block, and the end of a thread.
#include <algorithm>
#include <bit>
#include <cstdlib>

#include "simt/machine.hpp"

namespace orderlab::simt {

Switch Machine::begin_barrier(bool predicate, const std::source_location& where) {
  ThreadBlock& block = *warp_->block;
  Lane& lane = *lane_;
  lane.where = where;
  if (block.at_barrier != 0 && !same_place(block.barrier_where, where)) fail_divergent();
  block.barrier_where = where;
  block.votes += predicate ? 1 : 0;
  block.arrived = std::max(block.arrived, lane.acquired);
  ++block.at_barrier;
  warp_->at_barrier |= lane.bit();
  if (block.at_barrier + block.ended != block.lanes.size()) return begin_wait();
  open_barrier(block);
  return {};
}

int Machine::votes(BarrierVote vote) const {
  const ThreadBlock& block = *warp_->block;
  switch (vote) {
    case BarrierVote::count:
      return static_cast<int>(block.last_votes);
    case BarrierVote::all:
      return block.last_votes == block.last_voters ? 1 : 0;
    case BarrierVote::any:
      return block.last_votes != 0 ? 1 : 0;
    default:
      return 0;
  }
}

/// Another thread of the thread block is at another barrier.
void Machine::fail_divergent() {
  for (const Warp& warp : warp_->block->warps) {
    if (warp.at_barrier == 0) continue;
    const Lane& other = warp.lanes[std::countr_zero(warp.at_barrier)];
    fail({.kind = FailureKind::divergent_barrier, .other_thread = other.thread, .other_where = other.where});
  }
  std::abort();  // unreachable: one is there
}

/// All threads that have not ended are at the barrier: those that do not run are ready.
void Machine::open_barrier(ThreadBlock& block) {
  for (std::size_t w = 0; w < block.warps.size(); ++w) {
    Warp& warp = block.warps[w];
    if (warp.at_barrier == 0) continue;
    warp.ready |= warp.at_barrier;
    warp.at_barrier = 0;
    if (&warp != warp_) block.ready_warps |= std::uint32_t{1} << w;
  }
  warp_->ready &= ~lane_->bit();
  note_ready(block);
  block.acquired = std::max(block.acquired, block.arrived);
  block.last_votes = block.votes;
  block.last_voters = block.at_barrier;
  block.votes = block.at_barrier = block.arrived = 0;
  block.opened = ++block.clock;
  idle_atomics_ = 0;
}

void Machine::end_lane() {
  ThreadBlock& block = *warp_->block;
  Lane& ended = *lane_;
  settle();
  const std::uint32_t told = warp_->partial ? (*warp_->seen)[ended.in_warp()][ended.in_warp()] : 0;
  ended.last_clock = std::max({block.opened, warp_->full, told});
  warp_->ended |= ended.bit();
  ++block.ended;
  idle_atomics_ = 0;

  // Lanes that waited only for this one now wait for nobody.
  for (std::uint32_t waiting = warp_->at_primitive; waiting != 0; waiting &= (waiting - 1) & warp_->at_primitive) {
    const Lane& lane = warp_->lanes[std::countr_zero(waiting)];
    if ((lane.mask & ended.bit()) != 0 && all_meet(lane)) complete(lane);
  }
  if (block.at_barrier != 0 && block.at_barrier + block.ended == block.lanes.size()) open_barrier(block);
}

}  // namespace orderlab::simt
