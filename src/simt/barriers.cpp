// Barriers of the thread block, and the end of a thread.
#include <algorithm>
#include <bit>

#include "simt/machine.hpp"

namespace orderlab::simt {

int Machine::barrier(BarrierVote vote, bool predicate, const std::source_location& where) {
  ThreadBlock& block = *warp_->block;
  Lane& lane = *lane_;
  lane.where = where;
  if (block.at_barrier != 0 && !same_place(block.barrier_where, where)) {
    const auto other = std::find_if(block.lanes.begin(), block.lanes.end(),
                                    [](const Lane& each) { return each.wait == Wait::barrier; });
    fail({.kind = FailureKind::divergent_barrier,
          .where = where,
          .other_thread = other->thread,
          .other_where = other->where});
  }
  block.barrier_where = where;
  block.votes += predicate ? 1 : 0;
  ++block.at_barrier;
  warp_->at_barrier |= lane.bit();
  if (block.at_barrier + block.ended == block.lanes.size()) {
    open_barrier(block);
  } else {
    lane.wait = Wait::barrier;
    pass_on();
  }
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

/// All threads that have not ended are at the barrier: those that do not run are ready.
void Machine::open_barrier(ThreadBlock& block) {
  for (Lane& lane : block.lanes) {
    if (lane.wait == Wait::ended) continue;
    block.acquired = std::max(block.acquired, lane.acquired);
    lane.wait = Wait::nothing;
  }
  for (Warp& warp : block.warps) {
    warp.ready |= warp.at_barrier;
    warp.at_barrier = 0;
    make_runnable(warp);
  }
  warp_->ready &= ~lane_->bit();
  block.last_votes = block.votes;
  block.last_voters = block.at_barrier;
  block.votes = block.at_barrier = 0;
  ++block.epoch;
  idle_atomics_ = 0;
}

void Machine::end_lane() {
  ThreadBlock& block = *warp_->block;
  Lane& ended = *lane_;
  ended.wait = Wait::ended;
  ended.fiber = nullptr;
  ended.last_epoch = block.epoch;
  ended.last_stamp = std::max(warp_->full, warp_->partial ? (*warp_->seen)[ended.in_warp()][ended.in_warp()] : 0);
  warp_->ended |= ended.bit();
  ++block.ended;
  idle_atomics_ = 0;

  // Those that waited for it alone wait for nobody now.
  for (std::uint32_t waiting = warp_->at_primitive; waiting != 0; waiting &= (waiting - 1) & warp_->at_primitive) {
    const Lane& lane = warp_->lanes[std::countr_zero(waiting)];
    if ((lane.mask & ended.bit()) != 0 && all_meet(lane)) complete(lane);
  }
  if (block.at_barrier != 0 && block.at_barrier + block.ended == block.lanes.size()) open_barrier(block);
}

}  // namespace orderlab::simt
