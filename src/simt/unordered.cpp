// Two patterns without order that valid CUDA code has.
//
// Threads that store the same value. CUDA C++ Programming Guide, "SIMT Architecture": "If a
// non-atomic instruction executed by a warp writes to the same location in global or shared memory for more than one of
// the threads of the warp, the number of serialized writes that occur to that location varies [...], and which thread
// performs the final write is undefined." One of them is performed, so equal values are harmless. The guide says
// nothing of several warps: there equal values are a conflict, or a note where the launch takes those, as NVIDIA's
// racecheck tells of them for information. Who reads behind one of the writes that are remembered has the value of all.
// Not found any more: lanes whose values are equal by chance, and a conflict with a write of the same value, or a read
// before it, that a later one replaced in the record. Thread blocks that are not checked may write between two that
// are; the note says so.
//
// The guide's loop around atomicCAS ("Atomic Functions"), which begins with a plain read: `old = *address; do { assumed
// = old; old = atomicCAS(address, assumed, ...); } while (assumed != old);`. What was read is only a guess. Not found
// any more: a thread that also uses it otherwise, if its next operation on the cell is an atomicCAS in front of which
// no other thread has had a turn.
#include <cstring>
#include <new>

#include "simt/machine.hpp"

namespace orderlab::simt {

/// Whether the write under check is no conflict with another one if it stores what is there. settle_write finds out.
bool Machine::may_write_the_same(const Access& other, AccessKind kind, PartOfAccess part) {
  if (kind != AccessKind::write || strong_ || bytes_ > unsettled_.before.size()) return false;
  const bool same_warp = other.block == warp_->block->index && other.thread / kWarp == lane_->thread / kWarp;
  if (!same_warp && launch_->equal_writes == nullptr) return false;
  if (unsettled_.access.address == nullptr) {
    std::memcpy(unsettled_.before.data(), address_, bytes_);
    unsettled_.suspects = 0;
    unsettled_.across_warps = false;
  }
  if (unsettled_.suspects == 0 || !same_warp) unsettled_.access = {address_, bytes_, site_, other};
  unsettled_.across_warps = unsettled_.across_warps || !same_warp;
  unsettled_.suspects |= ~std::uint64_t{0} >> (unsettled_.before.size() - part.bytes) << part.begin;
  return true;
}

/// Before anything else happens: the write may have stored another value than was there.
void Machine::settle_write() {
  const Suspect suspect = unsettled_.access;
  unsettled_.access.address = nullptr;
  const auto* const stored = static_cast<const std::byte*>(suspect.address);
  if (std::memcmp(stored, unsettled_.before.data(), suspect.bytes) != 0) {
    for (std::size_t i = 0; i < suspect.bytes; ++i)
      if ((unsettled_.suspects >> i & 1) != 0 && stored[i] != unsettled_.before[i])
        fail_suspect(suspect, AccessKind::write);
  }
  if (unsettled_.across_warps) note_equal_writes(suspect);
}

void Machine::note_equal_writes(const Suspect& write) {
  for (const Suspect& known : equal_writes_) {
    if (known.site == write.site && known.other.site == write.other.site) return;
    if (known.site == write.other.site && known.other.site == write.site) return;
  }
  try {
    equal_writes_.push_back(write);
  } catch (const std::bad_alloc&) {  // must not leave through the kernel
  }
}

/// Whether the plain read under check is no conflict with an atomic if an atomicCAS by the same thread follows.
bool Machine::may_be_guess(const Access& other, AccessKind kind) {
  if (kind != AccessKind::read || (bytes_ != 4 && bytes_ != 8)) return false;
  if (guess_.address != nullptr && guess_.address != address_) fail_suspect(guess_, AccessKind::read);
  guess_ = {address_, bytes_, site_, other};
  return true;
}

/// Other threads go on, or the guess is overwritten, and no atomicCAS has come.
void Machine::fail_guess() { fail_suspect(guess_, AccessKind::read); }

/// An atomicCAS: what its thread has just read there is nobody's business.
void Machine::forget_guess(const void* cell, std::size_t bytes) {
  if (guess_.address == cell && guess_.bytes == bytes) guess_.address = nullptr;
  if (last_read_.address != cell || last_read_.bytes != bytes) return;
  for (std::size_t i = 0; i < last_read_.count; ++i) {
    const SavedReads& saved = last_read_.saved[i];
    Cell& cell_read = *saved.cell;
    cell_read.read.present = false;
    if (!saved.any) continue;
    cell_read.read = saved.read;
    cell_read.readers = saved.readers;
    cell_read.strong_reads = saved.strong_reads;
    if (cell_read.more == 0) continue;
    MoreAccesses& more = saved.shadow->more(cell_read);
    const Access atomic = more.other_atomic;
    more = saved.more;
    more.other_atomic = atomic;
  }
  last_read_.count = 0;
}

void Machine::remember_reads(Shadow& shadow, const Cell& cell, SavedReads& saved) {
  saved.shadow = &shadow;
  saved.read = cell.read;
  saved.readers = cell.readers;
  saved.strong_reads = cell.strong_reads;
  saved.more = cell.more != 0 ? shadow.more(cell) : MoreAccesses{};
}

void Machine::fail_suspect(const Suspect& suspect, AccessKind kind) {
  address_ = suspect.address;
  bytes_ = suspect.bytes;
  instruction_ = sites_[suspect.site].instruction;
  kind_ = kind;
  guess_.address = nullptr;
  fail_conflict(suspect.other);
}

}  // namespace orderlab::simt
