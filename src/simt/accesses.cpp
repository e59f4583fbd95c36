// Which accesses are allowed, and which are ordered: happens-before by barriers, warp synchronisations, and fences with
// atomics behind them.
#include <new>

#include "simt/machine.hpp"

namespace orderlab::simt {

Machine::Space Machine::check_access(const void* address, std::size_t bytes, AccessKind kind, bool reads) {
  address_ = address;
  bytes_ = bytes;
  kind_ = kind;
  try {
    return place_access(address, bytes, kind, reads);
  } catch (const std::bad_alloc&) {  // must not leave through the kernel, whose accesses throw nothing
  }
  fail_access(FailureKind::no_memory, address, bytes, kind);
}

Machine::Space Machine::place_access(const void* address, std::size_t bytes, AccessKind kind, bool reads) {
  if (DeviceArray* const array = launch_->memory->find(address, bytes)) {
    check_array(*array, address, bytes, kind, reads);
    return Space::device;
  }
  const SharedPlace* place = shared_.find(address, bytes);
  if (place == nullptr) {
    if (kind == AccessKind::read &&
        (launch_->parameters.contains(address, bytes) || constants_.contains(address, bytes)))
      return Space::constant;
    place = shared_.discover(address, bytes);
  }
  if (place != nullptr) {
    check_shared(*place, bytes, kind, reads);
    return Space::shared;
  }
  if (kind == AccessKind::read && discover_constant(address, bytes)) return Space::constant;
  DeviceArray* const variable = launch_->memory->discover_variable(address, bytes);
  if (variable == nullptr) fail_access(FailureKind::out_of_bounds, address, bytes, kind);
  check_array(*variable, address, bytes, kind, reads);
  return Space::device;
}

void Machine::check_array(DeviceArray& array, const void* address, std::size_t bytes, AccessKind kind, bool reads) {
  if (!array.writable) {
    if (kind != AccessKind::read) fail_access(FailureKind::input_written, address, bytes, kind);
    return;
  }
  const auto offset = static_cast<std::size_t>(static_cast<const std::byte*>(address) - array.begin);
  if (!array.written.empty()) {
    for (std::size_t i = offset; i < offset + bytes; ++i) {
      if (reads && !array.written[i]) fail_access(FailureKind::unwritten_device, address, bytes, kind);
      if (kind != AccessKind::read) array.written[i] = true;
    }
  }
  if (array.kept_in == launch_->number && kind != AccessKind::read)
    for (std::size_t i = offset; i < offset + bytes; ++i)
      if (array.kept[i]) fail_access(FailureKind::kept_written, address, bytes, kind);
  if (!array.shadow) array.shadow = Shadow(array.bytes);
  array.shadow.for_each(offset, bytes, launch_->number, [&](Cell& cell) { order_access(cell, kind); });
}

/// What __ldg reads is kept by a cache that no write of the launch reaches. The read itself is checked as any other.
void Machine::keep(const void* address, std::size_t bytes, const std::source_location& where) {
  lane_->where = where;
  DeviceArray* const array = launch_->memory->find(address, bytes);
  if (array == nullptr || !array->writable) return;
  const auto offset = static_cast<std::size_t>(static_cast<const std::byte*>(address) - array->begin);
  if (array->shadow) {
    array->shadow.for_each(offset, bytes, launch_->number, [&](Cell& cell) {
      if (cell.write.present || cell.atomic.present)
        fail({.kind = FailureKind::written_kept, .where_is_exact = true, .address = address, .bytes = bytes});
    });
  }
  if (array->kept_in != launch_->number) array->kept.assign(array->bytes, false);
  array->kept_in = launch_->number;
  for (std::size_t i = offset; i < offset + bytes; ++i) array->kept[i] = true;
}

void Machine::check_shared(const SharedPlace& place, std::size_t bytes, AccessKind kind, bool reads) {
  std::byte* const begin = place.region.begin + place.offset;
  const SharedMemory::Use use = shared_.use(place, bytes);
  if (use == SharedMemory::Use::of_the_compiler) return;
  if (use == SharedMemory::Use::out_of_bounds) fail_access(FailureKind::out_of_bounds, begin, bytes, kind);
  if (shared_.static_bytes() > kSharedBytes || shared_.static_bytes() + shared_.dynamic_bytes() > launch_->shared_limit)
    fail_access(FailureKind::too_much_shared, begin, bytes, kind);

  ThreadBlock& block = *warp_->block;
  Shadow& shadow = block.shared.shadow(place.number, place.region.bytes);
  shadow.for_each(place.offset, bytes, block.generation, [&](Cell& cell) {
    if (reads && !cell.write.present && !cell.atomic.present)
      fail_access(FailureKind::unwritten_shared, begin, bytes, kind);
    order_access(cell, kind);
  });
  if (kind == AccessKind::read || launch_->resident == 1) return;
  for (std::size_t at = place.offset / Shadow::kWord * Shadow::kWord; at < place.offset + bytes; at += Shadow::kWord) {
    Cell& word = shadow.word(at, block.generation);
    if (!word.touched) block.shared.touch(place.region.begin + at);
    word.touched = true;
  }
}

/// Whether that is read-only data of the program.
bool Machine::discover_constant(const void* address, std::size_t bytes) {
  const auto segment = read_only_segment(address);
  if (!segment || !segment->contains(address, bytes)) return false;
  constants_ = *segment;
  return true;
}

/// Faults unless the access under check comes after all that it could conflict with; records it.
void Machine::order_access(Cell& cell, AccessKind kind) {
  const ThreadBlock& block = *warp_->block;
  const Access now{block.index, block.epoch, warp_->stamp, fences_.time(), lane_->thread, kind, true};
  lane_->unfenced = {true, true};
  if (cell.write.present && !ordered(cell.write)) fail_conflict(cell.write);
  if (kind != AccessKind::atomic) {
    if (cell.atomic.present && !ordered(cell.atomic)) fail_conflict(cell.atomic);
    if (cell.other_atomic.present && !ordered(cell.other_atomic)) fail_conflict(cell.other_atomic);
  }
  if (kind == AccessKind::read) {
    note_read(cell, now);
    return;
  }
  order_after_reads(cell);
  cell.read.present = cell.other_read = cell.other_warp.present = false;
  if (kind == AccessKind::atomic) {
    note_atomic(cell, now);
    return;
  }
  cell.write = now;
  cell.atomic.present = cell.other_atomic.present = false;
  idle_atomics_ = 0;
}

/// Atomics on one cell need no order among them, but a plain access behind them must come after all. Those of other
/// thread blocks it may know by the value that its own atomic returned (a ticket), so only the last counts.
void Machine::note_atomic(Cell& cell, const Access& now) {
  const Access& before = cell.atomic;
  if (cell.other_atomic.present && (cell.other_atomic.block != now.block || ordered(cell.other_atomic)))
    cell.other_atomic.present = false;
  if (!cell.other_atomic.present && before.present && before.block == now.block && !ordered(before))
    cell.other_atomic = before;
  cell.atomic = now;
}

void Machine::order_after_reads(const Cell& cell) {
  if (!cell.read.present) return;
  const Access& read = cell.read;
  if (cell.other_read && cell.other_block != warp_->block->index && !published_by(cell.other_block, cell.other_time)) {
    Access other = read;
    other.block = cell.other_block;
    fail_conflict(other);
  }
  if (!ordered(read)) fail_conflict(read);
  if (cell.other_warp.present && !ordered(cell.other_warp)) fail_conflict(cell.other_warp);
  if (read.block != warp_->block->index || read.epoch < warp_->block->epoch) return;
  if (read.thread / kWarp != lane_->thread / kWarp) return;
  for (std::uint32_t rest = cell.readers & ~lane_->bit(); rest != 0; rest &= rest - 1) {
    Access each = read;
    each.thread =
        static_cast<std::uint16_t>(read.thread / kWarp * kWarp + static_cast<unsigned>(std::countr_zero(rest)));
    if (!ordered(each)) fail_conflict(each);
  }
}

/// Keeps, besides the latest read, enough of those that a later write could conflict with.
void Machine::note_read(Cell& cell, const Access& now) {
  const Access before = cell.read;
  cell.read = now;
  if (!before.present) {
    cell.readers = lane_->bit();
    return;
  }
  if (before.block != now.block) {
    cell.other_read = true;
    cell.other_block = before.block;
    cell.other_time = before.time;
    cell.other_warp.present = false;
    cell.readers = lane_->bit();
  } else if (before.epoch < now.epoch) {
    cell.other_warp.present = false;
    cell.readers = lane_->bit();
  } else if (before.thread / kWarp != now.thread / kWarp) {
    cell.other_warp = before;
    cell.readers = lane_->bit();
  } else if (before.stamp < warp_->full) {
    cell.readers = lane_->bit();
  } else {
    cell.readers |= lane_->bit();
    cell.read.stamp = before.stamp;  // an earlier one than that of some: it may hide a conflict, never make one up
  }
}

/// Whether the running lane was synchronised with `thread` of its warp after what that did at `stamp`.
bool Machine::before_sync(std::uint32_t stamp, std::uint16_t thread) const {
  return stamp < warp_->full || (warp_->partial && stamp < (*warp_->seen)[lane_->in_warp()][thread % kWarp]);
}

/// Whether the running thread knows of an earlier access.
bool Machine::ordered(const Access& before) const {
  const ThreadBlock& block = *warp_->block;
  if (before.block == block.index) {
    if (before.thread == lane_->thread) return true;
    if (before.epoch < block.epoch && block.lanes[before.thread].told(before.epoch, before.stamp)) return true;
    if (before.thread / kWarp == lane_->thread / kWarp && before_sync(before.stamp, before.thread)) return true;
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
    if (fence.thread == before.thread || before.epoch < fence.epoch) return true;
    if (fence.thread / kWarp != before.thread / kWarp) continue;
    if (before.stamp < fence.full) return true;
    if (fence.known != Fences::kNone && before.stamp < fences_.known(fence.known)[before.thread % kWarp]) return true;
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
  const bool covers_more =
      lane_->unfenced[s] || block.epoch > lane_->fenced_epoch[s] || warp_->stamp > lane_->fenced_stamp[s];
  if (!covers_more) return;
  lane_->unfenced[s] = false;
  lane_->fenced_epoch[s] = block.epoch;
  lane_->fenced_stamp[s] = warp_->stamp;
  block.open_fences.push_back(fences_.add(
      block.index, {.previous = Fences::kNone,
                    .epoch = block.epoch,
                    .stamp = warp_->stamp,
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
  std::erase_if(block.open_fences, [&](std::uint32_t i) {
    Fence& fence = fences_[i];
    const bool known = fence.thread == lane_->thread ||
                       (fence.epoch < block.epoch && block.lanes[fence.thread].told(fence.epoch, fence.stamp)) ||
                       (fence.thread / kWarp == lane_->thread / kWarp && before_sync(fence.stamp, fence.thread));
    if (known) fence.published = atomics_;
    return known;
  });
}

}  // namespace orderlab::simt
