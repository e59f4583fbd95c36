// Runs the threads of a launch in turns and checks what they do. One for each OS thread, kept between launches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <source_location>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orderlab/permutation.hpp"
#include "orderlab/simt_thread.hpp"
#include "simt/device_memory.hpp"
#include "simt/failure.hpp"
#include "simt/fences.hpp"
#include "simt/fiber.hpp"
#include "simt/shared_memory.hpp"
#include "simt/thread_block.hpp"

namespace orderlab::simt {

/// All of one launch that stays the same while it runs.
struct Launch {
  std::string_view name;
  Dim3 grid;
  Dim3 block;
  std::size_t shared_bytes;
  std::size_t shared_limit;  ///< of static and dynamic shared memory together
  MemoryRange parameters;
  void (*thread)(const void* parameters);
  DeviceMemory* memory;
  std::uint64_t number;                  ///< from 1, of the launches of this device
  std::span<const std::uint32_t> order;  ///< in which the thread blocks start
  std::size_t resident;
  RandomStream turns;  ///< draws whose turn it is
  std::vector<AtomicArrival>* arrivals;
};

class Machine {
 public:
  Machine() : fibers_(&Machine::run_lanes, this) {}

  static Machine& of_this_thread();

  /// The machine whose thread of a kernel runs now, on this OS thread, or null: outside launches, and in the machine
  /// itself, whose own accesses are nobody's business.
  [[gnu::tls_model("initial-exec")]] static thread_local constinit Machine* running;

  /// Runs all threads to their end. Fault.
  void run(const Launch& launch);

  // ---- What threads call; what they wait in lets others go on first.
  const Launch& launch() const { return *launch_; }
  const Lane& lane() const { return *lane_; }
  const ThreadBlock& block() const { return *warp_->block; }

  /// `instruction`: behind the call that tells of the access.
  void access(const void* address, std::size_t bytes, AccessKind kind, bool must_be_aligned, const void* instruction) {
    if (on_own_stack(address)) return;
    instruction_ = instruction;
    // Two doubles copied at once are one access of 16 bytes too, and need a multiple of 8 only, here as in CUDA.
    if (must_be_aligned && (reinterpret_cast<std::uintptr_t>(address) & (bytes < 8 ? bytes - 1 : 7)) != 0)
      fail_access(FailureKind::misaligned, address, bytes, kind);
    check_access(address, bytes, kind, kind != AccessKind::write);
  }
  void volatile_read(const void* address, std::size_t bytes, bool must_be_aligned, const void* instruction);
  void function_entered(const void* frame, const void* instruction) {
    if (static_cast<const std::byte*>(frame) < fiber_->low + FiberPool::kReserveBytes)
      fail({.kind = FailureKind::stack_overflow, .instruction = instruction});
  }
  [[noreturn]] void index_out_of_bounds(const char* file, std::uint32_t line, std::int64_t index);
  [[noreturn]] void misaligned(const char* file, std::uint32_t line, const char* type, std::size_t alignment,
                               const void* address);
  void outside_of_array(const char* file, std::uint32_t line, const char* type, const void* address);
  void keep(const void* address, std::size_t bytes, const std::source_location& where);

  int barrier(BarrierVote vote, bool predicate, const std::source_location& where);
  void warp_barrier(std::uint32_t mask, const std::source_location& where);
  std::uint64_t shuffle(Shuffle kind, std::uint32_t mask, std::uint64_t value, unsigned lane, int width,
                        const std::source_location& where);
  std::uint32_t ballot(std::uint32_t mask, bool predicate, const std::source_location& where);
  std::uint32_t active_mask(const std::source_location& where);
  void fence(FenceScope scope, const std::source_location& where);
  std::uint64_t atomic(AtomicOperation operation, AtomicType type, void* cell, std::uint64_t operand,
                       std::uint64_t compare, const std::source_location& where);

 private:
  // ---- Turns: turns.cpp
  void begin(const Launch& launch);
  void start_block(std::uint32_t index);
  void end_block(ThreadBlock& block);
  void take_turn();
  void show(ThreadBlock& block);
  void settle(Warp& warp);
  void make_runnable(Warp& warp);
  void remove_runnable(Warp& warp);
  std::uint32_t draw_below(std::size_t bound);
  static void run_lanes(void* machine);
  Lane* next_ready();
  void go_to(Fiber& from, Lane* next);
  void pass_on() { go_to(*fiber_, next_ready()); }
  void end_lane();

  // ---- Waiting for others: barriers.cpp, warp_primitives.cpp
  void open_barrier(ThreadBlock& block);
  std::uint64_t meet(Wait wait, std::uint32_t mask, std::uint64_t value, std::uint8_t source,
                     const std::source_location& where);
  bool all_meet(const Lane& caller) const;
  void complete(const Lane& one);
  void complete_shuffle(std::uint32_t mask);
  void synchronise(std::uint32_t mask);
  void answer_active_masks(Warp& warp);
  void note_stuck(ThreadBlock& block);

  // ---- Accesses: accesses.cpp, atomics.cpp
  enum class Space : std::uint8_t { device, shared, constant };
  Space check_access(const void* address, std::size_t bytes, AccessKind kind, bool reads);
  Space place_access(const void* address, std::size_t bytes, AccessKind kind, bool reads);
  void check_array(DeviceArray& array, const void* address, std::size_t bytes, AccessKind kind, bool reads);
  void check_shared(const SharedPlace& place, std::size_t bytes, AccessKind kind, bool reads);
  bool discover_constant(const void* address, std::size_t bytes);
  void order_access(Cell& cell, AccessKind kind);
  void note_atomic(Cell& cell, const Access& now);
  void order_after_reads(const Cell& cell);
  void note_read(Cell& cell, const Access& now);
  bool ordered(const Access& before) const;
  bool before_sync(std::uint32_t stamp, std::uint16_t thread) const;
  bool published(const Access& before) const;
  bool published_by(std::uint32_t block, std::uint32_t time) const;
  std::uint32_t acquired() const { return std::max(lane_->acquired, warp_->block->acquired); }
  void publish();
  bool on_own_stack(const void* address) const {
    return static_cast<std::size_t>(static_cast<const std::byte*>(address) - fiber_->low) < fiber_->bytes;
  }
  void wait_for_turn();
  void note_idle(const void* address, AccessKind kind);
  std::uint64_t perform(AtomicOperation operation, AtomicType type, void* cell, std::uint64_t operand,
                        std::uint64_t compare, Space space);

  // ---- Failures: failure.cpp
  [[noreturn]] void fail(Failure failure);
  [[noreturn]] void fail_access(FailureKind kind, const void* address, std::size_t bytes, AccessKind access);
  [[noreturn]] void fail_conflict(const Access& other);
  [[noreturn]] void fail_mask(FailureKind kind, std::uint32_t mask, unsigned lane, const std::source_location& where);
  std::string text(const Failure& failure) const;
  std::string place_text(const void* address) const;
  std::string shared_limit_text() const;

  const Launch* launch_ = nullptr;
  Fiber host_;  ///< the OS thread's own stack
  FiberPool fibers_;
  Fiber* fiber_ = nullptr;  ///< that runs, while a lane does
  Lane* lane_ = nullptr;
  Warp* warp_ = nullptr;

  std::vector<std::unique_ptr<ThreadBlock>> blocks_;  ///< as many as ever were resident at once
  std::vector<ThreadBlock*> free_blocks_;
  std::vector<Warp*> runnable_;
  std::size_t resident_ = 0;
  std::uint64_t turn_ = 0;
  WordReader draws_{RandomStream(0, 0, 0)};
  std::uint64_t generation_ = 0;

  SharedMemory shared_;
  ThreadBlock* shown_ = nullptr;  ///< whose shared memory is in place
  MemoryRange constants_;         ///< read-only memory met last
  Fences fences_;
  std::uint32_t atomics_ = 0;       ///< done in this launch
  std::uint32_t idle_atomics_ = 0;  ///< and volatile reads, done since memory changed or a thread got on

  const void* instruction_ = nullptr;  ///< of the access under check; null: a primitive, at the lane's `where`
  const void* address_ = nullptr;
  std::size_t bytes_ = 0;
  AccessKind kind_ = AccessKind::read;
  Failure failure_;
};

}  // namespace orderlab::simt
