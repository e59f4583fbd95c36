// Which accesses are allowed: where an address lies, and whether it may be read or written there.
#include <new>

#include "simt/machine.hpp"

namespace orderlab::simt {
namespace {

bool overlaps(const void* a, std::size_t a_bytes, const void* b, std::size_t b_bytes) {
  const auto x = reinterpret_cast<std::uintptr_t>(a);
  const auto y = reinterpret_cast<std::uintptr_t>(b);
  return x < y + b_bytes && y < x + a_bytes;
}

}  // namespace

/// Where an access of a thread block that is not checked goes.
Machine::Space Machine::space_of(const void* address, std::size_t bytes) {
  if (shared_.at_hand(address, bytes) != nullptr) return Space::shared;
  if (launch_->memory->find(address, bytes) != nullptr) return Space::device;
  const bool shared = shared_.find(address, bytes) != nullptr || shared_.discover(address, bytes) != nullptr;
  return shared ? Space::shared : Space::device;
}

Machine::Space Machine::check_access(const void* address, std::size_t bytes, AccessKind kind, bool reads) {
  if (!checks_) return space_of(address, bytes);
  if (unsettled_.access.address != nullptr) settle_write();
  if (guess_.address != nullptr && kind != AccessKind::read && overlaps(guess_.address, guess_.bytes, address, bytes))
    fail_guess();
  address_ = address;
  bytes_ = bytes;
  kind_ = kind;
  do {
    try {
      return place_access(address, bytes, kind, reads);
    } catch (const std::bad_alloc&) {  // must not leave through the kernel, whose accesses throw nothing
    }
  } while (drop_records(address, bytes));
  fail_access(FailureKind::no_memory, address, bytes, kind);
}

/// No memory is left for records: the device array there goes on without, or else the largest that has any. False:
/// there are none to drop.
bool Machine::drop_records(const void* address, std::size_t bytes) {
  DeviceArray* array = launch_->memory->find(address, bytes);
  if (array == nullptr || array->without_records) {
    array = nullptr;
    launch_->memory->for_each([&](DeviceArray& each) {
      if (each.shadow && (array == nullptr || each.bytes > array->bytes)) array = &each;
    });
    if (array == nullptr) return false;
  }
  for (std::size_t i = 0; i < last_read_.count; ++i)
    if (last_read_.saved[i].shadow == &array->shadow) last_read_.count = 0;
  if (overlaps(guess_.address, guess_.bytes, array->begin, array->bytes)) guess_.address = nullptr;
  unsettled_.access.address = nullptr;
  array->drop_records();
  return true;
}

Machine::Space Machine::place_access(const void* address, std::size_t bytes, AccessKind kind, bool reads) {
  if (const SharedPlace* const place = shared_.at_hand(address, bytes)) {
    check_shared(*place, bytes, kind, reads);
    return Space::shared;
  }
  if (kind == AccessKind::read && (launch_->parameters.contains(address, bytes) || constants_.contains(address, bytes)))
    return Space::constant;
  if (DeviceArray* const array = launch_->memory->find(address, bytes)) {
    check_array(*array, address, bytes, kind, reads);
    return Space::device;
  }
  const SharedPlace* place = shared_.find(address, bytes);
  if (place == nullptr) place = shared_.discover(address, bytes);
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
  if (array.state != ArrayState::ready)
    fail_access(array.state == ArrayState::freed ? FailureKind::freed : FailureKind::of_another_gpu, address, bytes,
                kind);
  if (!array.writable) {
    if (kind != AccessKind::read) fail_access(FailureKind::input_written, address, bytes, kind);
    return;
  }
  const auto offset = static_cast<std::size_t>(static_cast<const std::byte*>(address) - array.begin);
  const bool has_records = !array.without_records;
  if (has_records && launch_->memory->records_accesses)
    array.accessed[static_cast<std::size_t>(kind)].add(launch_->number, offset, offset + bytes);
  if (!array.written.empty()) {
    if (reads && !array.written.holds_all(offset, bytes))
      fail_access(FailureKind::unwritten_device, address, bytes, kind);
    if (kind != AccessKind::read) array.written.add(offset, bytes);
  }
  if (!has_records) return;
  note_site();
  if (array.kept_in == launch_->number && kind != AccessKind::read && array.kept.holds_any(offset, bytes))
    fail_access(FailureKind::kept_written, address, bytes, kind);
  if (!array.shadow) array.shadow = Shadow(array.bytes);
  array.shadow.for_each(offset, bytes, *launch_->generation, [&](Cell& cell, std::size_t at, std::size_t count) {
    order_access(array.shadow, cell, kind, {at - offset, count});
  });
}

/// What __ldg reads is kept by a cache that no write of the launch reaches. The read itself is checked as any other.
void Machine::keep(const void* address, std::size_t bytes, const std::source_location& where) {
  lane_->where = where;
  if (!checks_) return;
  DeviceArray* const array = launch_->memory->find(address, bytes);
  if (array == nullptr || !array->writable || array->without_records) return;
  const auto offset = static_cast<std::size_t>(static_cast<const std::byte*>(address) - array->begin);
  try {
    if (array->shadow) {
      array->shadow.for_each(offset, bytes, *launch_->generation, [&](const Cell& cell, std::size_t, std::size_t) {
        if (cell.write.present || cell.atomic.present)
          fail({.kind = FailureKind::written_kept, .where_is_exact = true, .address = address, .bytes = bytes});
      });
    }
    if (array->kept_in != launch_->number) array->kept = ByteSet(array->bytes);
    array->kept_in = launch_->number;
    array->kept.add(offset, bytes);
  } catch (const std::bad_alloc&) {
    drop_records(address, bytes);
  }
}

void Machine::check_shared(const SharedPlace& place, std::size_t bytes, AccessKind kind, bool reads) {
  std::byte* const begin = place.region.begin + place.offset;
  const SharedMemory::Use use = shared_.use(place, bytes);
  if (use == SharedMemory::Use::of_the_compiler) return;
  if (use == SharedMemory::Use::out_of_bounds) fail_access(FailureKind::out_of_bounds, begin, bytes, kind);
  if (shared_.static_bytes() > kSharedBytes || shared_.static_bytes() + shared_.dynamic_bytes() > launch_->shared_limit)
    fail_access(FailureKind::too_much_shared, begin, bytes, kind);

  note_site();
  ThreadBlock& block = *warp_->block;
  Shadow& shadow = block.shared.shadow(place.number, place.region.bytes);
  shadow.for_each(place.offset, bytes, block.generation, [&](Cell& cell, std::size_t at, std::size_t count) {
    if (reads && !cell.write.present && !cell.atomic.present)
      fail_access(FailureKind::unwritten_shared, begin, bytes, kind);
    order_access(shadow, cell, kind, {at - place.offset, count});
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

}  // namespace orderlab::simt
