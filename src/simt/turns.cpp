// Whose turn it is: thread blocks start in the order given, warps and the lanes that wait at atomics are drawn.
#include <algorithm>
#include <bit>

#include "simt/machine.hpp"

namespace orderlab::simt {

thread_local constinit Machine* Machine::running = nullptr;

Machine& Machine::of_this_thread() {
  static thread_local Machine machine;  // shared memory is thread-local, so what watches it is too
  return machine;
}

void Machine::run(const Launch& launch) {
  begin(launch);
  try {
    std::size_t started = 0;
    while (true) {
      while (resident_ < launch.resident && started < launch.order.size()) start_block(launch.order[started++]);
      if (resident_ == 0) break;
      take_turn();
    }
  } catch (...) {
    fibers_.abandon_all();
    throw;
  }
}

void Machine::begin(const Launch& launch) {
  launch_ = &launch;
  failure_ = {};
  free_blocks_.clear();
  for (const auto& block : blocks_) free_blocks_.push_back(block.get());
  runnable_.clear();
  resident_ = 0;
  turn_ = 0;
  draws_ = WordReader(launch.turns);
  shown_ = nullptr;
  shared_.begin_launch(launch.shared_bytes);
  fences_.begin_launch();
  atomics_ = idle_atomics_ = 0;
  unsettled_.access.address = guess_.address = nullptr;
  last_read_.count = 0;
  strong_ = false;
}

void Machine::start_block(std::uint32_t index) {
  if (free_blocks_.empty()) {
    blocks_.push_back(std::make_unique<ThreadBlock>());
    free_blocks_.push_back(blocks_.back().get());
  }
  ThreadBlock& block = *free_blocks_.back();
  free_blocks_.pop_back();
  const Dim3 grid = launch_->grid;
  block.begin(index, {index % grid.x, index / grid.x % grid.y, index / grid.x / grid.y}, ++generation_, launch_->block);
  for (Warp& warp : block.warps) make_runnable(warp);
  ++resident_;
}

void Machine::end_block(ThreadBlock& block) {
  if (shown_ == &block) shown_ = nullptr;
  free_blocks_.push_back(&block);
  --resident_;
}

void Machine::take_turn() {
  Warp& warp = *runnable_[draw_below(runnable_.size())];
  if (warp.ready == 0) {
    std::uint32_t waiting = warp.at_atomic;
    for (auto skip = draw_below(static_cast<std::size_t>(std::popcount(waiting))); skip > 0; --skip)
      waiting &= waiting - 1;
    warp.ready = waiting & (0 - waiting);
    warp.at_atomic &= ~warp.ready;
  }
  if (launch_->resident > 1) show(*warp.block);
  warp_ = &warp;
  go_to(host_, next_ready());
  if (failure_.kind == FailureKind::none) settle(warp);
  if (failure_.kind != FailureKind::none) throw Fault(text(failure_));
}

void Machine::show(ThreadBlock& block) {
  if (shown_ == &block) return;
  if (shown_ != nullptr) shown_->shared.save();
  block.shared.restore();
  shown_ = &block;
}

/// After the turn of a warp, none of whose lanes is ready.
void Machine::settle(Warp& warp) {
  ThreadBlock& block = *warp.block;
  if (warp.at_active_mask != 0 && warp.ready == 0) answer_active_masks(warp);
  if (!warp.runnable()) remove_runnable(warp);
  if (block.ended == block.lanes.size())
    end_block(block);
  else if (block.runnable_warps == 0)
    note_stuck(block);
}

void Machine::make_runnable(Warp& warp) {
  if (warp.place != Warp::kNotRunnable) return;
  warp.place = runnable_.size();
  runnable_.push_back(&warp);
  ++warp.block->runnable_warps;
}

void Machine::remove_runnable(Warp& warp) {
  runnable_.back()->place = warp.place;
  runnable_[warp.place] = runnable_.back();
  runnable_.pop_back();
  warp.place = Warp::kNotRunnable;
  --warp.block->runnable_warps;
}

std::uint32_t Machine::draw_below(std::size_t bound) {
  return bound == 1 ? 0 : draws_.below(static_cast<std::uint32_t>(bound), turn_++);
}

/// The body of a fiber: runs one thread after the other, each as long as it does not have to wait on this stack alone.
void Machine::run_lanes(void* self) {
  Machine& machine = *static_cast<Machine*>(self);
  while (true) {
    Fiber& fiber = *machine.fiber_;
    running = &machine;
    machine.launch_->thread(machine.launch_->parameters.begin);
    running = nullptr;
    machine.end_lane();
    Lane* const next = machine.next_ready();
    if (next != nullptr && next->fiber == nullptr) {
      next->fiber = &fiber;
      machine.lane_ = next;
    } else {
      machine.fibers_.give_back(fiber);
      machine.go_to(fiber, next);
    }
  }
}

Lane* Machine::next_ready() {
  if (warp_->ready == 0) return nullptr;
  Lane* const next = &warp_->lanes[std::countr_zero(warp_->ready)];
  warp_->ready &= warp_->ready - 1;
  return next;
}

/// Leaves `from` for the fiber of `next`, or for the host where that is null.
void Machine::go_to(Fiber& from, Lane* next) {
  Fiber* to = &host_;
  if (next != nullptr) {
    if (next->fiber == nullptr) next->fiber = &fibers_.take();
    to = next->fiber;
    lane_ = next;
    fiber_ = to;
  }
  FiberPool::jump(from, *to);
}

}  // namespace orderlab::simt
