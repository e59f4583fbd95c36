// Barriers of the whole grid, in cooperative launches.
#include <bit>

#include "simt/machine.hpp"

namespace orderlab::simt {

void Machine::grid_barrier(const std::source_location& where) {
  lane_->where = where;
  if (!launch_->cooperative) fail({.kind = FailureKind::not_cooperative, .where_is_exact = true});
  ThreadBlock& block = *warp_->block;
  warp_->at_grid_barrier |= lane_->bit();
  ++block.at_grid_barrier;
  ++at_grid_barrier_;
  if (at_grid_barrier_ == launch_->grid.count() * block.lanes.size())
    open_grid_barrier();
  else
    pass_on();
}

/// All threads of the grid are there: those that do not run are ready, and all that was done before is ordered.
void Machine::open_grid_barrier() {
  for (const auto& each : blocks_) {
    ThreadBlock& block = *each;
    if (block.at_grid_barrier == 0) continue;
    block.at_grid_barrier = 0;
    block.opened = ++block.clock;
    for (std::size_t w = 0; w < block.warps.size(); ++w) {
      Warp& warp = block.warps[w];
      warp.ready |= warp.at_grid_barrier;
      warp.at_grid_barrier = 0;
      if (&warp != warp_) block.ready_warps |= std::uint32_t{1} << w;
    }
    note_ready(block);
  }
  warp_->ready &= ~lane_->bit();
  at_grid_barrier_ = 0;
  idle_atomics_ = 0;
  ++*launch_->generation;
}

/// No thread of the launch can go on: some wait for the whole grid, others have ended or wait elsewhere.
void Machine::note_stuck_grid() {
  for (const auto& block : blocks_) {
    for (const Warp& warp : block->warps) {
      if (warp.at_grid_barrier == 0 || block->at_grid_barrier == 0) continue;
      const Lane& lane = warp.lanes[std::countr_zero(warp.at_grid_barrier)];
      failure_ = {.kind = FailureKind::stuck_grid,
                  .block = block->index,
                  .thread = lane.thread,
                  .where = lane.where,
                  .where_is_exact = true,
                  .index = static_cast<std::int64_t>(launch_->grid.count() * block->lanes.size() - at_grid_barrier_)};
      return;
    }
  }
}

}  // namespace orderlab::simt
