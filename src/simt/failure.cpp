// Undefined behaviour of a thread, in words.
#include "simt/failure.hpp"

#include <cstdlib>
#include <cstring>
#include <functional>

#include "simt/machine.hpp"

namespace orderlab::simt {
namespace {

std::string location(const std::source_location& where) {
  std::string file = where.file_name();
  file.erase(0, file.rfind('/') + 1);
  return file + ":" + std::to_string(where.line());
}

std::string hexadecimal(std::uint32_t mask) {
  std::string digits = "0x00000000";
  for (std::size_t i = 0; i < 8; ++i) digits[9 - i] = "0123456789abcdef"[mask >> (4 * i) & 15];
  return digits;
}

std::string verb(AccessKind kind) {
  return kind == AccessKind::read ? "reads" : kind == AccessKind::write ? "writes" : "does an atomic on";
}

std::string past_verb(AccessKind kind) {
  return kind == AccessKind::read ? "has read" : kind == AccessKind::write ? "has written" : "has done an atomic on";
}

std::string byte_count(std::size_t bytes) { return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes"); }

std::string thread_name(const Failure& failure) {
  return "thread block " + std::to_string(failure.block) + ", thread " + std::to_string(failure.thread);
}

std::string conflict_text(const Failure& failure) {
  std::string who = "thread " + std::to_string(failure.other_thread);
  if (!failure.same_block) who += " of thread block " + std::to_string(failure.other_block);
  std::string text = " that " + who + " " + past_verb(failure.other_access);
  if (!failure.same_block)
    return text + ", without __threadfence and an atomic behind it; the writer needs both, and this thread block an " +
           "atomic after that";
  return text + ", with no barrier between them; put a __syncthreads there" +
         (failure.thread / kWarp == failure.other_thread / kWarp ? ", or a __syncwarp: the same warp is not enough"
                                                                 : "");
}

std::string mask_text(const Failure& failure) {
  const std::string lane = "lane " + std::to_string(failure.index);
  switch (failure.kind) {
    case FailureKind::caller_not_in_mask:
      return "names the mask " + hexadecimal(failure.mask) + ", in which its own " + lane + " is not";
    case FailureKind::lane_absent:
      return "reads a value from " + lane + ", which its warp does not have; read only from lanes that exist";
    case FailureKind::lane_ended:
      return "reads a value from " + lane + ", which has ended; keep it until then, or read from another";
    default:
      return "reads a value from " + lane + ", which the mask " + hexadecimal(failure.mask) + " does not name; " +
             (failure.drawn_mask
                  ? "__activemask gave this mask: the lanes that happen to be together, which need not be all that "
                    "come here; take a mask from __ballot_sync in front of the branch"
                  : "name it, or read from another");
  }
}

}  // namespace

void Machine::fail(Failure failure) {
  failure.block = warp_->block->index;
  failure.thread = lane_->thread;
  if (failure.where.line() == 0) failure.where = lane_->where;
  failure_ = failure;
  fibers_.jump(*fiber_, host_);
  std::abort();  // unreachable: the fiber is abandoned
}

void Machine::fail_access(FailureKind kind, const void* address, std::size_t bytes, AccessKind access) {
  fail({.kind = kind, .address = address, .bytes = bytes, .access = access});
}

void Machine::fail_conflict(const Access& other) {
  fail({.kind = FailureKind::conflict,
        .address = address_,
        .bytes = bytes_,
        .access = kind_,
        .other_block = other.block,
        .other_thread = other.thread,
        .other_access = other.kind,
        .same_block = other.block == warp_->block->index});
}

void Machine::fail_mask(FailureKind kind, std::uint32_t mask, unsigned lane, const std::source_location& where) {
  fail({.kind = kind,
        .where = where,
        .mask = mask,
        .drawn_mask = mask == warp_->active_masks[0] || mask == warp_->active_masks[1],
        .index = lane});
}

void Machine::index_out_of_bounds(const char* file, std::uint32_t line, std::int64_t index) {
  fail({.kind = FailureKind::index_out_of_bounds, .index = index, .file = file, .line = line});
}

/// " of shared memory ..." or " of the input array 3, at byte 40 of 80".
std::string Machine::place_text(const void* address) const {
  if (const DeviceArray* array = launch_->memory->near(address)) {
    const std::ptrdiff_t at = static_cast<const std::byte*>(address) - array->begin;
    return std::string(" at byte ") + std::to_string(at) + " of device array " + std::to_string(array->number) +
           (array->writable ? "" : ", an input,") + " of " + byte_count(array->bytes);
  }
  if (const MemoryRange* array = shared_.dynamic_array(address))
    return " at byte " + std::to_string(static_cast<const std::byte*>(address) - array->begin) +
           " of dynamic shared memory of " + byte_count(shared_.dynamic_bytes());
  if (thread_local_segment(address)) return " of static shared memory";
  return " that belong to no array of device or shared memory";
}

std::string Machine::text(const Failure& f) const {
  std::string text = "kernel " + std::string(launch_->name) + ", " + thread_name(f) + ": ";
  const std::string access = verb(f.access) + " " + byte_count(f.bytes) + place_text(f.address);
  const std::string at = f.where.line() == 0 ? "" : " (at " + location(f.where) + ")";
  const std::string after = f.where.line() == 0 ? "" : " (after " + location(f.where) + ")";
  switch (f.kind) {
    case FailureKind::out_of_bounds:
      return text + access + ": out of bounds" + after;
    case FailureKind::misaligned:
      return text + access + ": the address is not a multiple of the size" + after;
    case FailureKind::input_written:
      return text + access + ": inputs can only be read" + after;
    case FailureKind::unwritten_shared:
      return text + access + ", which nothing has written: reads shared memory before its thread block set it" + after;
    case FailureKind::conflict:
      return text + access + conflict_text(f) + after;
    case FailureKind::index_out_of_bounds:
      return text + "uses index " + std::to_string(f.index) + ", out of bounds of its array (at " + f.file + ":" +
             std::to_string(f.line) + ")";
    case FailureKind::stack_overflow:
      return text + "needs more local memory than there is; use smaller local arrays and no deep recursion" + after;
    case FailureKind::no_memory:
      return text + access + ": the memory to check it has run out; use smaller arrays" + after;
    case FailureKind::shuffle_width:
      return text + "shuffles in groups of " + std::to_string(f.index) + " lanes; a width is a power of two up to 32" +
             at;
    case FailureKind::divergent_barrier:
      return text + "waits at a divergent barrier: thread " + std::to_string(f.other_thread) + " waits at another, " +
             location(f.other_where) +
             "; all threads of a thread block that have not ended must reach the same __syncthreads" + at;
    case FailureKind::stuck:
      return text + "waits for ever for thread " + std::to_string(f.other_thread) + ", which its mask " +
             hexadecimal(f.mask) + " names, but which waits at " + location(f.other_where) +
             " or with another mask; all lanes of a mask must reach the same call with it" + at;
    case FailureKind::endless:
      if (f.access == AccessKind::read) return text + "waits at a volatile read for what no thread does" + after;
      return text + "waits at an atomic for what no thread does" + at;
    default:
      return text + mask_text(f) + at;
  }
}

}  // namespace orderlab::simt
