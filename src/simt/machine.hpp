// Runs the threads of a launch in turns and checks what they do. One for each OS thread, kept between launches.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <source_location>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "orderlab/fused.hpp"
#include "orderlab/simt_thread.hpp"
#include "simt/device_memory.hpp"
#include "simt/failure.hpp"
#include "simt/fences.hpp"
#include "simt/fiber.hpp"
#include "simt/launch.hpp"
#include "simt/shared_memory.hpp"
#include "simt/sites.hpp"
#include "simt/suspects.hpp"
#include "simt/thread_block.hpp"
#include "vectors/permutation.hpp"

namespace orderlab::simt {

class Machine {
 public:
  Machine() : fibers_(&Machine::run_lanes, this) {}

  static Machine& of_this_thread();

  /// The machine whose thread of a kernel runs now, on this OS thread, or null: outside launches, and in the machine
  /// itself, whose own accesses are nobody's business.
  static thread_local constinit Machine* running;

  /// Runs all threads to their end. Fault.
  void run(const Launch& launch);

  // ---- What threads call; what they wait in lets others go on first.
  const Launch& launch() const { return *launch_; }
  Index3 thread_index() const { return warp_->block->indices[lane_->thread]; }
  const ThreadBlock& block() const { return *warp_->block; }

  /// Whether accesses are anybody's business: not in a thread block that is not checked.
  bool watches() const { return checks_ || launch_->warp_synchronous; }

  /// `instruction`: behind the call that tells of the access.
  void access(const void* address, std::size_t bytes, AccessKind kind, bool must_be_aligned, const void* instruction) {
    if (on_own_stack(address) || (kind == AccessKind::read && launch_->parameters.contains(address, bytes))) return;
    if (launch_->warp_synchronous) step_in_turn();
    if (checks_) access_in_turn(address, bytes, kind, must_be_aligned, instruction);
  }
  /// The same once its turn has come.
  void access_in_turn(const void* address, std::size_t bytes, AccessKind kind, bool must_be_aligned,
                      const void* instruction) {
    instruction_ = instruction;
    // Two doubles copied at once are one access of 16 bytes too, and need a multiple of 8 only, here as in CUDA.
    if (must_be_aligned && (reinterpret_cast<std::uintptr_t>(address) & (bytes < 8 ? bytes - 1 : 7)) != 0)
      fail_access(FailureKind::misaligned, address, bytes, kind);
    check_access(address, bytes, kind, kind != AccessKind::write);
  }
  void volatile_read(const void* address, std::size_t bytes, bool must_be_aligned, const void* instruction);
  void volatile_write(const void* address, std::size_t bytes, bool must_be_aligned, const void* instruction);
  void function_entered(const void* frame, const void* instruction) {
    if (static_cast<const std::byte*>(frame) < fiber_->low + FiberPool::kReserveBytes)
      fail({.kind = FailureKind::stack_overflow, .instruction = instruction});
  }
  [[noreturn]] void index_out_of_bounds(const char* file, std::uint32_t line, std::int64_t index);
  [[noreturn]] void misaligned(const char* file, std::uint32_t line, const char* type, std::size_t alignment,
                               const void* address);
  void outside_of_array(const char* file, std::uint32_t line, const char* type, const void* address);
  void keep(const void* address, std::size_t bytes, const std::source_location& where);
  [[noreturn]] void unsupported(const char* what, const std::source_location& where) {
    fail({.kind = FailureKind::unsupported, .where = where, .type = what});
  }

  Switch begin_barrier(bool predicate, const std::source_location& where);
  int votes(BarrierVote vote) const;
  void grid_barrier(const std::source_location& where);
  Switch begin_warp_barrier(std::uint32_t mask, const std::source_location& where) {
    return begin_meeting(Wait::warp_barrier, mask, 0, 0, where);
  }
  Switch begin_shuffle(Shuffle kind, std::uint32_t mask, std::uint64_t value, unsigned lane, int width,
                       const std::source_location& where);
  Switch begin_ballot(std::uint32_t mask, bool predicate, const std::source_location& where) {
    return begin_meeting(Wait::ballot, mask, predicate ? 1 : 0, 0, where);
  }
  std::uint64_t met_value() const { return lane_->value; }
  std::uint32_t active_mask(const std::source_location& where, bool whole);
  std::uint64_t next_clock() { return ++clock_; }
  void multiply_matrices(const MatrixProduct& product, const LaneMatrices& matrices, const std::source_location& where);
  void whole_warp(const void* memory, std::size_t alignment, std::size_t stride, std::size_t step,
                  const std::source_location& where);
  void fence(FenceScope scope, const std::source_location& where);
  Switch begin_atomic(AtomicOperation operation, AtomicType type, void* cell, const std::source_location& where);
  std::uint64_t end_atomic(AtomicOperation operation, AtomicType type, void* cell, std::uint64_t operand,
                           std::uint64_t compare);

 private:
  // ---- Turns: turns.cpp
  void begin(const Launch& launch);
  void start_block(std::uint32_t index);
  void end_block(ThreadBlock& block);
  Lane* next_turn();
  Lane* pick_turn();
  Warp* first_at_atomics() const;
  void show(ThreadBlock& block);
  void note_ready(ThreadBlock& block);
  void note_at_atomics(Warp& warp);
  std::uint32_t draw_below(std::size_t bound);
  std::uint32_t draw_bit(std::uint32_t bits);
  static void run_lanes(void* machine);
  void take_fiber(Lane& lane);

  /// The next lane of the running warp that can go on at once, or null.
  Lane* next_ready() {
    if (warp_->ready == 0) return nullptr;
    if (launch_->warp_synchronous) return next_in_turn();
    Lane* const next = &warp_->lanes[std::countr_zero(warp_->ready)];
    warp_->ready &= warp_->ready - 1;
    if (warp_->ready != 0) {  // its stack takes a while to come
      FiberPool::prefetch(warp_->lanes[std::countr_zero(warp_->ready)].fiber);
    }
    return next;
  }

  /// Leaves `from` for the fiber of `next`, or for the host where that is null: the switch that is left to do.
  Switch leave(Fiber& from, Lane* next) {
    Fiber* to = &host_;
    if (next != nullptr) {
      if (next->fiber.low == nullptr) take_fiber(*next);
      to = &next->fiber;
      lane_ = next;
      fiber_ = to;
    }
    if (to == &from) return {};  // it is drawn again
    running = next != nullptr ? this : nullptr;
    return fibers_.leave(from, *to);
  }
  void go_to(Fiber& from, Lane* next) {
    switch_stacks(leave(from, next));
    running = nullptr;
  }

  /// The running thread waits. To be done by whoever has called the machine, or by pass_on.
  Switch begin_wait() {
    settle();
    Lane* const next = next_ready();
    return leave(*fiber_, next != nullptr ? next : next_turn());
  }
  void pass_on() {
    switch_stacks(begin_wait());
    running = nullptr;
  }
  void end_lane();

  // ---- Warps in step: lanes take turns at every access, so that each access is that of the whole warp
  Lane* next_in_turn();
  void step_in_turn() {
    warp_->ready |= lane_->bit();
    pass_on();
  }

  // ---- Waiting for others: barriers.cpp, warp_primitives.cpp
  [[noreturn]] void fail_divergent();
  void open_barrier(ThreadBlock& block);
  void open_grid_barrier();
  void note_stuck_grid();
  bool none_can_go_on() const { return ready_blocks_.empty() && at_atomics_.empty(); }
  Switch begin_meeting(Wait wait, std::uint32_t mask, std::uint64_t value, std::uint8_t source,
                       const std::source_location& where);
  bool all_meet(const Lane& caller) const;
  void complete(const Lane& one);
  void complete_shuffle(std::uint32_t mask);
  void synchronise(std::uint32_t mask);
  void answer_active_masks(Warp& warp);
  std::uint32_t draw_group(std::uint32_t lanes);
  void note_stuck(ThreadBlock& block);

  // ---- Matrices: tensor_cores.cpp
  struct LaneProduct {
    const MatrixProduct& product;
    const LaneMatrices& matrices;
  };
  void meet_whole_warp(const LaneProduct* product, const std::source_location& where);
  void complete_whole_warp(std::uint32_t mask);
  void multiply(std::span<const LaneProduct* const, kWarp> lanes);
  const FusedUnit& tensor_unit_of(const MatrixProduct& product);

  // ---- Accesses: accesses.cpp, atomics.cpp
  enum class Space : std::uint8_t { device, shared, constant };
  Space check_access(const void* address, std::size_t bytes, AccessKind kind, bool reads);
  Space space_of(const void* address, std::size_t bytes);
  Space place_access(const void* address, std::size_t bytes, AccessKind kind, bool reads);
  bool drop_records(const void* address, std::size_t bytes);
  void check_array(DeviceArray& array, const void* address, std::size_t bytes, AccessKind kind, bool reads);
  void check_shared(const SharedPlace& place, std::size_t bytes, AccessKind kind, bool reads);
  bool discover_constant(const void* address, std::size_t bytes);
  void note_site() { site_ = sites_.number({instruction_, lane_->where}); }

  // ---- Their order: happens_before.cpp, unordered.cpp
  Access access_now(AccessKind kind, bool strong) const {
    const ThreadBlock& block = *warp_->block;
    return Access::made(block.index, block.clock, fences_.time(), lane_->thread, kind, strong, site_);
  }
  /// Whether an earlier access is the running thread's own, or was before the last barrier of its thread block.
  bool plainly_ordered(const Access& before) const {
    const ThreadBlock& block = *warp_->block;
    return before.block == block.index &&
           (before.thread == lane_->thread || (before.clock < block.opened && block.ended == 0) ||
            (launch_->warp_synchronous && before.thread / kWarp == lane_->thread / kWarp));
  }
  /// What nearly all accesses need of order_any_access: no atomics, no other thread since the last barrier.
  void order_access(Shadow& shadow, Cell& cell, AccessKind kind, PartOfAccess part) {
    const bool plain = kind != AccessKind::atomic && !strong_ && !cell.atomic.present && cell.more == 0 &&
                       (!cell.write.present || plainly_ordered(cell.write));
    if (plain && kind == AccessKind::read && !cell.read.present) {
      remember_read(shadow, cell);
      cell.read = access_now(AccessKind::read, false);
      cell.readers = lane_->bit();
      cell.strong_reads = false;
    } else if (plain && kind == AccessKind::write &&
               (!cell.read.present || (plainly_ordered(cell.read) &&
                                       (cell.readers == lane_->bit() || cell.read.clock < warp_->block->opened)))) {
      cell.read.present = false;
      cell.write = access_now(AccessKind::write, false);
      last_read_.count = 0;
      idle_atomics_ = 0;
      lane_->released = false;
    } else {
      order_any_access(shadow, cell, kind, part);
      return;
    }
    lane_->unfenced = {true, true};
  }
  void order_any_access(Shadow& shadow, Cell& cell, AccessKind kind, PartOfAccess part);
  bool order_after_writes(Shadow& shadow, const Cell& cell, AccessKind kind, PartOfAccess part);
  void keep_other_write(Shadow& shadow, Cell& cell);
  void order_after_atomics(Shadow& shadow, Cell& cell, AccessKind kind);
  void order_after_reads(Shadow& shadow, Cell& cell, bool strong);
  void note_atomic(Shadow& shadow, Cell& cell, const Access& now);
  void note_read(Shadow& shadow, Cell& cell, const Access& now);
  bool ordered(const Access& before) const;
  bool before_sync(std::uint32_t clock, unsigned thread) const;
  bool published(const Access& before) const;
  bool published_by(std::uint32_t block, std::uint32_t time) const;
  std::uint32_t acquired() const { return std::max(lane_->acquired, warp_->block->acquired); }
  void publish();
  bool may_write_the_same(const Access& other, AccessKind kind, PartOfAccess part);
  void settle_write();
  void note_equal_writes(const Suspect& write);
  bool may_be_guess(const Access& other, AccessKind kind);
  bool keeps_guess() const { return guess_.address != nullptr && guess_.address == address_; }
  [[noreturn]] void fail_guess();
  void forget_guess(const void* cell, std::size_t bytes);
  void remember_reads(Shadow& shadow, const Cell& cell, SavedReads& saved);
  /// Before a plain read: an atomicCAS may follow.
  void remember_read(Shadow& shadow, Cell& cell) {
    if (last_read_.count == 0 || last_read_.address != address_ || last_read_.bytes != bytes_) {
      last_read_.address = address_;
      last_read_.bytes = bytes_;
      last_read_.count = 0;
    }
    for (std::size_t i = 0; i < last_read_.count; ++i)
      if (last_read_.saved[i].cell == &cell) return;
    if (last_read_.count == last_read_.saved.size()) return;  // bytes of a split word
    if (bytes_ > 8) return;
    SavedReads& saved = last_read_.saved[last_read_.count++];
    saved.cell = &cell;
    saved.any = cell.read.present;
    if (saved.any) remember_reads(shadow, cell, saved);
  }
  [[noreturn]] void fail_suspect(const Suspect& suspect, AccessKind kind);
  /// What must be known before other threads go on.
  void settle() {
    if (unsettled_.access.address != nullptr) settle_write();
    if (guess_.address != nullptr) fail_guess();
    last_read_.count = 0;
  }
  bool on_own_stack(const void* address) const {
    return static_cast<std::size_t>(static_cast<const std::byte*>(address) - fiber_->low) < Fiber::kBytes;
  }
  Switch begin_turn();
  void note_idle(const void* address, AccessKind kind);
  std::uint64_t perform(AtomicOperation operation, AtomicType type, void* cell, std::uint64_t operand,
                        std::uint64_t compare, Space space);

  // ---- Failures: failure.cpp
  [[noreturn]] void fail(Failure failure);
  [[noreturn]] void fail_access(FailureKind kind, const void* address, std::size_t bytes, AccessKind access);
  [[noreturn]] void fail_conflict(const Access& other);
  [[noreturn]] void fail_mask(FailureKind kind, std::uint32_t mask, unsigned lane, const std::source_location& where);
  std::string text(const Failure& failure) const;
  std::string place(const Failure& failure) const;
  std::string resident_text() const;
  std::string place_text(const void* address) const;
  std::string array_text(const void* address) const;
  void tell_equal_writes() const;
  std::string shared_limit_text() const;

  bool is_stopped() const { return stop_ != nullptr && stop_->stop_requested(); }

  const Launch* launch_ = nullptr;
  std::vector<double> factors_;  ///< of a matrix product
  std::vector<double> sums_;
  const std::stop_token* stop_ = nullptr;  ///< token of the call that launched
  Fiber host_;                             ///< the OS thread's own stack
  FiberPool fibers_;
  Fiber* fiber_ = nullptr;  ///< fiber of the running lane
  Lane* lane_ = nullptr;
  Warp* warp_ = nullptr;

  std::vector<std::unique_ptr<ThreadBlock>> blocks_;  ///< as many as ever were resident at once
  std::vector<ThreadBlock*> free_blocks_;
  std::vector<ThreadBlock*> ready_blocks_;  ///< with warps that can go on at once
  std::vector<Warp*> at_atomics_;           ///< with lanes that can go on when drawn
  std::uint64_t clock_ = 0;
  std::size_t resident_ = 0;
  std::size_t started_ = 0;             ///< thread blocks
  const Warp* warp_of_lane_ = nullptr;  ///< of the lane that next_in_turn gave last
  std::size_t at_grid_barrier_ = 0;     ///< threads
  std::uint64_t turn_ = 0;
  WordReader draws_{RandomStream(0, 0, 0)};
  std::uint64_t generation_ = 0;

  SharedMemory shared_;
  ThreadBlock* shown_ = nullptr;  ///< whose shared memory is in place
  MemoryRange constants_;         ///< read-only memory met last
  Fences fences_;
  std::uint32_t atomics_ = 0;       ///< done in this launch
  std::uint32_t idle_atomics_ = 0;  ///< and volatile reads, done since memory changed or a thread got on

  /// Instruction of the access under check; null: a primitive, at the lane's `where`.
  const void* instruction_ = nullptr;
  const void* address_ = nullptr;
  std::size_t bytes_ = 0;
  AccessKind kind_ = AccessKind::read;
  Sites sites_;
  std::uint16_t site_ = 0;                            ///< site of the access under check
  bool strong_ = false;                               ///< it is volatile, and ordered as an atomic is
  bool checks_ = true;                                ///< accesses of the running thread block are checked
  void (*thread_)(const void* parameters) = nullptr;  ///< what its threads run
  Failure failure_;
  std::vector<Suspect> equal_writes_;  ///< of the launch, across warps: one of each two sites

  // ---- Of the running thread, since it has had its turn
  Unsettled unsettled_{};  ///< a write
  Suspect guess_;          ///< a plain read
  LastRead last_read_{};
};

}  // namespace orderlab::simt
