// Whose turn it is: thread blocks start in the order given, warps and the lanes that wait at atomics are drawn.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>

#include "core/stop.hpp"
#include "simt/machine.hpp"

namespace orderlab::simt {

namespace {

// Atomics in turn that change nothing: after so many a thread may wait for another one, so the next turn is drawn.
constexpr std::uint32_t kMostIdle = 1U << 14;

}  // namespace

thread_local constinit Machine* Machine::running = nullptr;

Machine& Machine::of_this_thread() {
  static thread_local Machine machine;  // shared memory is thread-local, so what watches it is too
  return machine;
}

void Machine::run(const Launch& launch) {
  begin(launch);
  stop_ = StopScope::current();
  const Unstopped on_fibers;  // nothing can be thrown through a kernel
  try {
    std::size_t started = 0;
    while (true) {
      while (resident_ < launch.resident && started < launch.order.size()) start_block(launch.order[started++]);
      if (resident_ == 0) break;
      if (none_can_go_on())
        note_stuck_grid();
      else
        go_to(host_, pick_turn());  // returns when a thread block has ended or a thread has failed
      if (is_stopped()) throw Stopped{};
      if (failure_.kind != FailureKind::none) {
        tell_equal_writes();
        throw Fault(text(failure_), place(failure_));
      }
      end_block(*warp_->block);
    }
  } catch (...) {
    fibers_.abandon_all();
    throw;
  }
  tell_equal_writes();
}

void Machine::begin(const Launch& launch) {
  launch_ = &launch;
  failure_ = {};
  free_blocks_.clear();
  for (const auto& block : blocks_) free_blocks_.push_back(block.get());
  at_atomics_.clear();
  ready_blocks_.clear();
  resident_ = at_grid_barrier_ = 0;
  turn_ = 0;
  draws_ = WordReader(launch.turns);
  shown_ = nullptr;
  shared_.begin_launch(launch.shared_bytes);
  fences_.begin_launch();
  atomics_ = idle_atomics_ = 0;
  unsettled_.access.address = guess_.address = nullptr;
  last_read_.count = 0;
  equal_writes_.clear();
  strong_ = false;
  checks_ = true;
  clock_ = 0;
  thread_ = launch.thread;
  started_ = 0;
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
  for (std::size_t w = 0; w < block.warps.size(); ++w) block.ready_warps |= std::uint32_t{1} << w;
  note_ready(block);
  ++resident_;
  if (launch_->checked != nullptr) {  // the only one that is resident
    checks_ = (*launch_->checked)[started_];
    thread_ = checks_ ? launch_->thread : launch_->unchecked_thread;
    idle_atomics_ = 0;
  }
  ++started_;
}

/// The next lane that can go on behind the running one, or the first.
Lane* Machine::next_in_turn() {
  const std::uint32_t behind = lane_ == nullptr || warp_ != warp_of_lane_ ? ~0U : ~(lane_->bit() | (lane_->bit() - 1));
  const std::uint32_t ready = (warp_->ready & behind) != 0 ? warp_->ready & behind : warp_->ready;
  const std::uint32_t next = ready & (0 - ready);
  warp_->ready &= ~next;
  warp_of_lane_ = warp_;
  return &warp_->lanes[std::countr_zero(next)];
}

void Machine::end_block(ThreadBlock& block) {
  if (shown_ == &block) shown_ = nullptr;
  free_blocks_.push_back(&block);
  --resident_;
}

void Machine::show(ThreadBlock& block) {
  if (shown_ == &block) return;
  if (shown_ != nullptr) shown_->shared.save();
  block.shared.restore();
  shown_ = &block;
}

/// The lane that goes on after the turn of a warp none of whose lanes is ready; null where the host has to.
Lane* Machine::next_turn() {
  Warp& warp = *warp_;
  ThreadBlock& block = *warp.block;
  if (warp.at_active_mask != 0) answer_active_masks(warp);
  if (warp.ready != 0) return next_ready();
  if ((warp.at_atomic != 0) != (warp.place != Warp::kNotWaiting)) note_at_atomics(warp);
  if (block.ended == block.lanes.size() || is_stopped()) return nullptr;
  if (block.ready_warps == 0 && block.atomic_warps == 0 && block.at_grid_barrier == 0) {
    note_stuck(block);
    return nullptr;
  }
  if (none_can_go_on()) {
    note_stuck_grid();
    return nullptr;
  }
  return pick_turn();
}

/// Thread blocks run until all their warps wait, since nobody can see which one gets there first; then the next atomic
/// is drawn, or in turn.
Lane* Machine::pick_turn() {
  Warp* warp = nullptr;
  if (!ready_blocks_.empty()) {
    ThreadBlock& block = *ready_blocks_.back();
    const std::uint32_t drawn = draw_bit(block.ready_warps);
    block.ready_warps &= ~drawn;
    if (block.ready_warps == 0) ready_blocks_.pop_back();
    warp = &block.warps[static_cast<std::size_t>(std::countr_zero(drawn))];
  } else {
    const bool in_turn = launch_->in_turn && idle_atomics_ < kMostIdle;
    warp = in_turn ? first_at_atomics() : at_atomics_[draw_below(at_atomics_.size())];
    warp->ready = in_turn ? warp->at_atomic & (0 - warp->at_atomic) : draw_bit(warp->at_atomic);
    warp->at_atomic &= ~warp->ready;
  }
  if (launch_->resident > 1) show(*warp->block);
  warp_ = warp;
  return next_ready();
}

Warp* Machine::first_at_atomics() const {
  const auto place = [](const Warp* warp) {
    return std::pair(warp->block->index, static_cast<std::size_t>(warp - warp->block->warps.data()));
  };
  return *std::min_element(at_atomics_.begin(), at_atomics_.end(),
                           [&](const Warp* a, const Warp* b) { return place(a) < place(b); });
}

/// Warps of the thread block are ready that were not.
void Machine::note_ready(ThreadBlock& block) {
  if (block.ready_warps != 0 && (ready_blocks_.empty() || ready_blocks_.back() != &block))
    ready_blocks_.push_back(&block);
}

/// Some lanes of the warp wait at atomics now, or none does any more.
void Machine::note_at_atomics(Warp& warp) {
  if (warp.at_atomic != 0) {
    warp.place = at_atomics_.size();
    at_atomics_.push_back(&warp);
    ++warp.block->atomic_warps;
    return;
  }
  at_atomics_.back()->place = warp.place;
  at_atomics_[warp.place] = at_atomics_.back();
  at_atomics_.pop_back();
  warp.place = Warp::kNotWaiting;
  --warp.block->atomic_warps;
}

std::uint32_t Machine::draw_bit(std::uint32_t bits) {
  for (auto skip = draw_below(static_cast<std::size_t>(std::popcount(bits))); skip > 0; --skip) bits &= bits - 1;
  return bits & (0 - bits);
}

std::uint32_t Machine::draw_below(std::size_t bound) {
  return bound == 1 ? 0 : draws_.below(static_cast<std::uint32_t>(bound), turn_++);
}

/// The body of a fiber: runs one thread after the other, each as long as it does not have to wait on this stack alone.
void Machine::run_lanes(void* self) {
  Machine& machine = *static_cast<Machine*>(self);
  while (true) {
    running = &machine;
    machine.thread_(machine.launch_->parameters.begin);
    running = nullptr;
    Lane& ended = *machine.lane_;
    machine.end_lane();
    Lane* next = machine.next_ready();
    if (next == nullptr) next = machine.next_turn();
    if (next != nullptr && next->fiber.low == nullptr) {
      next->fiber = ended.fiber;
      machine.lane_ = next;
      machine.fiber_ = &next->fiber;
    } else {
      machine.go_to(machine.fibers_.give_back(ended.fiber), next);
    }
  }
}

void Machine::take_fiber(Lane& lane) { lane.fiber = fibers_.take(); }

}  // namespace orderlab::simt
