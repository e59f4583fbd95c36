// Which accesses are ordered: happens-before by barriers, warp synchronisations, and fences with atomics or volatile
// writes behind them. Two patterns without order that CUDA allows are told apart by values or by what follows; see
// unordered.cpp.
#include <bit>

#include "simt/machine.hpp"

namespace orderlab::simt {

/// Faults unless the access under check comes after all that it could conflict with; records it.
void Machine::order_any_access(Shadow& shadow, Cell& cell, AccessKind kind, PartOfAccess part) {
  Lane& lane = *lane_;
  const bool strong = strong_ || kind == AccessKind::atomic;
  const Access now = access_now(kind, strong);
  lane.unfenced = {true, true};
  const bool behind_writes = order_after_writes(shadow, cell, kind, part);
  if (!strong && cell.atomic.present) order_after_atomics(shadow, cell, kind);
  if (kind == AccessKind::read) {
    if (strong && cell.atomic.present) lane.acquired = ++atomics_;
    if (keeps_guess()) return;
    note_read(shadow, cell, now);
    return;
  }
  if (behind_writes)
    order_after_reads(shadow, cell, strong);
  else
    keep_other_write(shadow, cell);  // reads since that one had its value
  last_read_.count = 0;
  cell.read.present = false;
  if (cell.more != 0) shadow.more(cell).other_read = shadow.more(cell).other_warp.present = false;
  idle_atomics_ = kind == AccessKind::atomic ? idle_atomics_ : 0;
  if (strong) {
    note_atomic(shadow, cell, now);
    return;
  }
  if (behind_writes && cell.more != 0)
    shadow.more(cell).warp_write.present = shadow.more(cell).block_write.present = false;
  lane.released = false;
  cell.write = now;
  cell.atomic.present = false;
  if (cell.more != 0) shadow.more(cell).other_atomic.present = false;
}

/// Whether the access under check comes after all plain writes of the cell, or reads what several of them wrote, behind
/// one of these. Faults if not, unless it may write the same.
bool Machine::order_after_writes(Shadow& shadow, const Cell& cell, AccessKind kind, PartOfAccess part) {
  if (!cell.write.present) return true;
  bool behind_one = ordered(cell.write);
  const Access* unordered = behind_one ? nullptr : &cell.write;
  if (cell.more != 0) {
    const MoreAccesses& more = shadow.more(cell);
    for (const Access* other : {&more.warp_write, &more.block_write}) {
      if (!other->present) continue;
      if (ordered(*other))
        behind_one = true;
      else if (unordered == nullptr)
        unordered = other;
    }
  }
  if (unordered == nullptr || (kind == AccessKind::read && behind_one)) return true;
  if (!may_write_the_same(*unordered, kind, part)) fail_conflict(*unordered);
  return false;
}

/// Before a write of the same value replaces the latest one, which nothing orders before it.
void Machine::keep_other_write(Shadow& shadow, Cell& cell) {
  const Access before = cell.write;
  if (ordered(before)) return;
  if (before.block != warp_->block->index) {
    MoreAccesses& more = shadow.more(cell);
    more.block_write = before;
    more.warp_write.present = false;
  } else if (before.thread / kWarp != lane_->thread / kWarp) {
    shadow.more(cell).warp_write = before;
  }
}

void Machine::order_after_atomics(Shadow& shadow, Cell& cell, AccessKind kind) {
  if (!ordered(cell.atomic)) {
    if (!may_be_guess(cell.atomic, kind)) fail_conflict(cell.atomic);
  } else if (cell.more != 0) {
    const Access other = shadow.more(cell).other_atomic;
    if (other.present && !ordered(other) && !may_be_guess(other, kind)) fail_conflict(other);
  }
}

/// Atomics on one cell need no order among them, but a plain access behind them must come after all. Those of other
/// thread blocks it may know by the value that its own atomic returned (a ticket), so only the last counts.
void Machine::note_atomic(Shadow& shadow, Cell& cell, const Access& now) {
  const Access before = cell.atomic;
  cell.atomic = now;
  const bool unordered = before.present && before.block == now.block && !ordered(before);
  if (cell.more == 0 && !unordered) return;
  Access& other = shadow.more(cell).other_atomic;
  if (other.present && (other.block != now.block || ordered(other))) other.present = false;
  if (!other.present && unordered) other = before;
}

void Machine::order_after_reads(Shadow& shadow, Cell& cell, bool strong) {
  if (!cell.read.present) return;
  const Access& read = cell.read;
  if (cell.more != 0) {
    const MoreAccesses& more = shadow.more(cell);
    if (more.other_read && !(strong && more.other_strong) && more.other_block != warp_->block->index &&
        !published_by(more.other_block, more.other_time)) {
      Access other = read;
      other.block = more.other_block;
      fail_conflict(other);
    }
    if (more.other_warp.present && !(strong && more.other_warp.strong) && !ordered(more.other_warp))
      fail_conflict(more.other_warp);
  }
  if (strong && cell.strong_reads) return;
  if (!ordered(read)) fail_conflict(read);
  if (read.block != warp_->block->index || read.clock < warp_->block->opened) return;
  if (read.thread / kWarp != lane_->thread / kWarp) return;
  for (std::uint32_t rest = cell.readers & ~lane_->bit(); rest != 0; rest &= rest - 1) {
    Access each = read;
    each.thread = (read.thread / kWarp * kWarp + static_cast<unsigned>(std::countr_zero(rest))) & 1023;
    if (!ordered(each)) fail_conflict(each);
  }
}

/// Keeps, besides the latest read, enough of those that a later write could conflict with.
void Machine::note_read(Shadow& shadow, Cell& cell, const Access& now) {
  if (!now.strong) remember_read(shadow, cell);
  const Access before = cell.read;
  cell.read = now;
  if (before.present && before.block != now.block) {
    MoreAccesses& more = shadow.more(cell);
    more.other_strong = before.strong && cell.strong_reads && (!more.other_read || more.other_strong);
    more.other_read = true;
    more.other_block = before.block;
    more.other_time = before.time;
    more.other_warp.present = false;
  } else if (before.present && before.clock < warp_->block->opened) {
    if (cell.more != 0) shadow.more(cell).other_warp.present = false;
  } else if (before.present && before.thread / kWarp != now.thread / kWarp) {
    shadow.more(cell).other_warp = before;
  } else if (before.present && before.clock >= warp_->full) {
    cell.readers |= lane_->bit();
    cell.strong_reads = cell.strong_reads && now.strong;
    cell.read.clock = before.clock;  // an earlier one than that of some: it may hide a conflict, never make one up
    return;
  }
  cell.readers = lane_->bit();
  cell.strong_reads = now.strong;
}

/// Whether the running lane was synchronised with `thread` of its warp after what that did at `clock`.
bool Machine::before_sync(std::uint32_t clock, unsigned thread) const {
  return clock < warp_->full || (warp_->partial && clock < (*warp_->seen)[lane_->in_warp()][thread % kWarp]);
}

/// Whether the running thread knows of an earlier access.
bool Machine::ordered(const Access& before) const {
  const ThreadBlock& block = *warp_->block;
  if (before.block == block.index) {
    if (before.thread == lane_->thread) return true;
    if (before.clock < block.opened && (block.ended == 0 || block.lanes[before.thread].told(before.clock))) return true;
    if (before.thread / kWarp == lane_->thread / kWarp &&
        (launch_->warp_synchronous || before_sync(before.clock, before.thread)))
      return true;
  }
  return published(before);
}

/// Whether a fence came after the access, an atomic after the fence, and one of the running thread after that.
bool Machine::published(const Access& before) const {
  for (std::uint32_t i = fences_.last(before.block); i != Fences::kNone; i = fences_[i].previous) {
    const Fence& fence = fences_[i];
    if (before.time >= fence.time) return false;  // those before it are older still
    if (fence.published >= acquired()) continue;
    if (fence.scope == FenceScope::block && before.block != warp_->block->index) continue;
    if (fence.thread == before.thread || before.clock < fence.opened) return true;
    if (fence.thread / kWarp != before.thread / kWarp) continue;
    if (before.clock < fence.full) return true;
    if (fence.known != Fences::kNone && before.clock < fences_.known(fence.known)[before.thread % kWarp]) return true;
  }
  return false;
}

/// The same of a read of whom only the thread block is known.
bool Machine::published_by(std::uint32_t block, std::uint32_t time) const {
  for (std::uint32_t i = fences_.last(block); i != Fences::kNone && time < fences_[i].time; i = fences_[i].previous)
    if (fences_[i].published < acquired()) return true;
  return false;
}

void Machine::fence(FenceScope scope, const std::source_location& where) {
  ThreadBlock& block = *warp_->block;
  const auto s = static_cast<std::size_t>(scope);
  lane_->where = where;
  lane_->released = true;
  const std::uint32_t last = std::max(block.opened, warp_->last);
  if (!lane_->unfenced[s] && last <= lane_->fenced_clock[s]) return;  // covers no more than the one before
  lane_->unfenced[s] = false;
  lane_->fenced_clock[s] = last;
  block.open_fences.push_back(fences_.add(
      block.index, {.previous = Fences::kNone,
                    .clock = block.clock,
                    .opened = block.opened,
                    .full = warp_->full,
                    .time = 0,
                    .published = Fences::kNone,
                    .known = warp_->partial ? fences_.keep((*warp_->seen)[lane_->in_warp()]) : Fences::kNone,
                    .thread = lane_->thread,
                    .scope = scope}));
}

/// The running thread does atomic number `atomics_`: it publishes the fences that it knows of.
void Machine::publish() {
  ThreadBlock& block = *warp_->block;
  if (block.open_fences.empty()) return;
  std::erase_if(block.open_fences, [&](std::uint32_t i) {
    Fence& fence = fences_[i];
    const bool known = fence.thread == lane_->thread ||
                       (fence.clock < block.opened && block.lanes[fence.thread].told(fence.clock)) ||
                       (fence.thread / kWarp == lane_->thread / kWarp && before_sync(fence.clock, fence.thread));
    if (known) fence.published = atomics_;
    return known;
  });
}

}  // namespace orderlab::simt
