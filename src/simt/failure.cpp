// Undefined behaviour of a thread, in words.
#include "simt/failure.hpp"

#include <cstdlib>
#include <cstring>
#include <functional>

#include "simt/machine.hpp"
#include "simt/symbols.hpp"

namespace orderlab::simt {
namespace {

std::string location(const std::source_location& where) {
  return std::string(file_name(where.file_name())) + ":" + std::to_string(where.line());
}

/// FILE:LINE of what went wrong; where that is not known, of the primitive before.
struct Place {
  std::string text;  ///< empty: not known
  bool is_exact = true;
};

Place place_of(const Failure& f) {
  if (f.file != nullptr) return {std::string(file_name(f.file)) + ":" + std::to_string(f.line)};
  if (f.instruction != nullptr && !f.where_is_exact) {
    const std::string line = source_line(static_cast<const std::byte*>(f.instruction) - 1);  // in the call itself
    if (!line.empty()) return {line};
  }
  if (f.where.line() == 0) return {};
  return {location(f.where), f.where_is_exact};
}

/// " (at FILE:LINE)" or " (after FILE:LINE)".
std::string place_in_source(const Failure& f) {
  const Place place = place_of(f);
  return place.text.empty() ? "" : (place.is_exact ? " (at " : " (after ") + place.text + ")";
}

/// float4 of "'const struct float4'".
std::string type_name(std::string_view type) {
  if (type.size() >= 2 && type.starts_with('\'')) type = type.substr(1, type.size() - 2);
  for (const std::string_view word : {"const ", "volatile ", "struct ", "class "})
    if (type.starts_with(word)) type.remove_prefix(word.size());
  return std::string(type);
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

/// The same of both accesses of a conflict.
std::string places_in_source(const Failure& f) {
  std::string other;
  if (f.other_instruction != nullptr)
    other = source_line(static_cast<const std::byte*>(f.other_instruction) - 1);
  else if (f.other_where.line() != 0)
    other = location(f.other_where);
  std::string text = place_in_source(f);
  if (other.empty()) return text;
  if (text.empty()) return " (the other at " + other + ")";
  text.pop_back();
  return text + "; the other at " + other + ")";
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
  if (failure.where.line() != 0)
    failure.where_is_exact = true;
  else
    failure.where = lane_->where;
  failure_ = failure;
  switch_stacks(fibers_.leave(*fiber_, host_));
  std::abort();  // unreachable: the fiber is abandoned
}

void Machine::fail_access(FailureKind kind, const void* address, std::size_t bytes, AccessKind access) {
  fail({.kind = kind,
        .where_is_exact = instruction_ == nullptr,
        .instruction = instruction_,
        .address = address,
        .bytes = bytes,
        .access = access,
        .alignment = bytes < 8 ? bytes : 8});
}

void Machine::fail_conflict(const Access& other) {
  const Site site = sites_[other.site];
  fail({.kind = FailureKind::conflict,
        .where_is_exact = instruction_ == nullptr,
        .instruction = instruction_,
        .address = address_,
        .bytes = bytes_,
        .access = kind_,
        .other_block = other.block,
        .other_thread = other.thread,
        .other_access = other.kind,
        .same_block = other.block == warp_->block->index,
        .other_where = site.where,
        .other_instruction = site.instruction});
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

void Machine::misaligned(const char* file, std::uint32_t line, const char* type, std::size_t alignment,
                         const void* address) {
  fail({.kind = FailureKind::misaligned,
        .address = address,
        .file = file,
        .line = line,
        .type = type,
        .alignment = alignment});
}

/// An address that no array holds is left to the check of the access, which knows more.
void Machine::outside_of_array(const char* file, std::uint32_t line, const char* type, const void* address) {
  const SharedPlace* const place = shared_.find(address, 1);
  const bool in_another = on_own_stack(address) || launch_->memory->find(address, 1) != nullptr ||
                          (place != nullptr && shared_.use(*place, 1) != SharedMemory::Use::out_of_bounds);
  if (in_another)
    fail({.kind = FailureKind::outside_of_array, .address = address, .file = file, .line = line, .type = type});
}

/// " at byte 40 of ..." with the array that holds the address or ends next to it.
std::string Machine::place_text(const void* address) const {
  return on_own_stack(address) ? " of its local memory" : array_text(address);
}

std::string Machine::array_text(const void* address) const {
  if (const DeviceArray* array = launch_->memory->near(address)) {
    const std::string at = " at byte " + std::to_string(static_cast<const std::byte*>(address) - array->begin) + " of ";
    const std::string size = " of " + byte_count(array->bytes);
    if (array->is_variable) return at + "__device__ variable \"" + source_name(array->name).variable + "\"" + size;
    return at + "device array " + (array->name.empty() ? std::to_string(array->number) : "\"" + array->name + "\"") +
           (array->writable ? "" : ", an input,") + size;
  }
  if (shared_.is_dynamic(address) || thread_local_segment(address)) return shared_.describe(address);
  if (segment_of(address)) return " of the program's own memory, at no variable that its symbol table has";
  return " that belong to no array of device or shared memory";
}

std::string Machine::shared_limit_text() const {
  const std::string bytes = std::to_string(shared_.static_bytes());
  if (shared_.static_bytes() > kSharedBytes)
    return "static shared arrays of " + bytes + " bytes are in use; " + std::to_string(kSharedBytes) + " are allowed";
  return "static shared arrays of " + bytes + " bytes and dynamic shared memory of " +
         std::to_string(shared_.dynamic_bytes()) + " bytes are in use; " + std::to_string(launch_->shared_limit) +
         " are allowed together";
}

/// Whether threads could wait for thread blocks that have not started.
std::string Machine::resident_text() const {
  const std::size_t blocks = launch_->grid.count();
  if (launch_->resident >= blocks) return {};
  return "; at most " + std::to_string(launch_->resident) + " of " + std::to_string(blocks) +
         " thread blocks are resident: a thread block that waits for others needs a cooperative launch, as only there "
         "CUDA promises that all run; Schedule::resident sets how many do here";
}

/// What settle_write has noted, for who launched it.
void Machine::tell_equal_writes() const {
  for (const Suspect& write : equal_writes_) {
    const Site other = sites_[write.other.site];
    const Site& site = sites_[write.site];
    Failure f{.instruction = site.instruction, .other_where = other.where, .other_instruction = other.instruction};
    const Failure swapped{
        .instruction = other.instruction, .other_where = site.where, .other_instruction = site.instruction};
    if (place(swapped) < place(f)) f = swapped;  // the same note, whichever thread came first
    const bool between = launch_->checked != nullptr && launch_->memory->find(write.address, write.bytes) != nullptr;
    const std::string array = array_text(write.address);  // " at byte 4 of ..."
    launch_->equal_writes->push_back(
        {place(f), "kernel " + std::string(launch_->name) + ": several threads write the same value to an element" +
                       array.substr(array.find(" of ")) +
                       ", and nothing orders them: no fault as long as the values are equal" + places_in_source(f) +
                       (between ? "; thread blocks that were not checked may have written others (--check all)" : "")});
  }
}

std::string Machine::place(const Failure& f) const { return place_of(f).text; }

std::string Machine::text(const Failure& f) const {
  std::string text = "kernel " + std::string(launch_->name) + ", " + thread_name(f) + ": ";
  const std::string access = verb(f.access) + " " + byte_count(f.bytes) + place_text(f.address);
  const std::string at = place_in_source(f);
  switch (f.kind) {
    case FailureKind::out_of_bounds:
      return text + access + ": out of bounds" + at;
    case FailureKind::misaligned:
      return text +
             (f.type == nullptr ? access : "accesses an object of type " + type_name(f.type) + place_text(f.address)) +
             ": the address is not a multiple of " + std::to_string(f.alignment) + at;
    case FailureKind::input_written:
      return text + access + ": inputs can only be read" + at;
    case FailureKind::unwritten_shared:
      return text + access + ", which nothing has written: reads shared memory before its thread block set it" + at;
    case FailureKind::unwritten_device:
      return text + access +
             ", which nothing has written: uninitialised memory holds anything; set it first, as by cudaMemset" + at;
    case FailureKind::freed:
      return text + access + ", which has been freed" + at;
    case FailureKind::of_another_gpu:
      return text + access +
             ", which is of another GPU; cudaDeviceEnablePeerAccess lets kernels access it, or copy it" + at;
    case FailureKind::kept_written:
      return text + access +
             ", which a thread has read by __ldg: that is for data which nothing writes while the kernel runs" + at;
    case FailureKind::written_kept:
      return text + "reads " + byte_count(f.bytes) + place_text(f.address) +
             " by __ldg, which this launch has written: __ldg is for data which nothing writes while the kernel runs" +
             at;
    case FailureKind::too_much_shared:
      return text + access + ": " + shared_limit_text() + at;
    case FailureKind::outside_of_array:
      return text + "accesses an object of type " + type_name(f.type) +
             " outside of the array that its pointer belongs to: out of bounds" + at;
    case FailureKind::conflict:
      return text + access + conflict_text(f) + places_in_source(f);
    case FailureKind::index_out_of_bounds:
      return text + "uses index " + std::to_string(f.index) + ", out of bounds of its array" + at;
    case FailureKind::stack_overflow:
      return text + "needs more local memory than there is; use smaller local arrays and no deep recursion" + at;
    case FailureKind::no_memory:
      return text + access + ": the memory to check it has run out; use smaller arrays" + at;
    case FailureKind::shuffle_width:
      return text + "shuffles in groups of " + std::to_string(f.index) + " lanes; a width is a power of two up to 32" +
             at;
    case FailureKind::not_whole_warp:
      return text + "does what all 32 lanes of a warp do together, and lane " + std::to_string(f.index) + " " +
             (f.thread / kWarp * kWarp + static_cast<std::size_t>(f.index) < launch_->block.count()
                  ? "has ended"
                  : "does not exist; launch whole warps") +
             at;
    case FailureKind::other_product:
      return text + "multiplies other matrices than thread " + std::to_string(f.other_thread) +
             "; all lanes of a warp do so with the same shape and formats" + at;
    case FailureKind::no_tensor_unit:
      return text + "multiplies matrices of " + f.type + ", for which the tensor cores of compute capability " +
             std::to_string(f.index / 100) + "." + std::to_string(f.index / 10 % 10) +
             " have no such instruction; take those of another GPU by Device::use_tensor_cores_of" + at;
    case FailureKind::matrix_stride:
      return text + "accesses a matrix whose rows, columns or blocks of them are " + std::to_string(f.index) +
             " bytes apart; that must be a multiple of " + std::to_string(f.alignment) + at;
    case FailureKind::divergent_barrier:
      return text + "waits at a divergent barrier: thread " + std::to_string(f.other_thread) + " waits at another, " +
             location(f.other_where) +
             "; all threads of a thread block that have not ended must reach the same __syncthreads" + at;
    case FailureKind::stuck:
      return text + "waits for ever for thread " + std::to_string(f.other_thread) + ", which its mask " +
             hexadecimal(f.mask) + " names, but which waits at " + location(f.other_where) +
             " or with another mask; all lanes of a mask must reach the same call with it" + at;
    case FailureKind::stuck_grid:
      return text + "waits for ever for the whole grid, of which " + std::to_string(f.index) +
             (f.index == 1 ? " thread has" : " threads have") +
             " ended or wait elsewhere; all threads of the grid must reach grid_group::sync" + at;
    case FailureKind::unsupported:
      return text + f.type + at;
    case FailureKind::not_cooperative:
      return text + "waits for the whole grid, but not all of it need be running; launch the kernel by " +
             "launch_cooperative, as by cudaLaunchCooperativeKernel" + at;
    case FailureKind::endless:
      return text + "waits at " + (f.access == AccessKind::read ? "a volatile read" : "an atomic") +
             " for what no thread does" + resident_text() + at;
    default:
      return text + mask_text(f) + at;
  }
}

}  // namespace orderlab::simt
