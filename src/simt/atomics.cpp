// Atomic operations: a thread waits for its turn, then reads and writes the cell at once.
#include <algorithm>
#include <cstring>
#include <type_traits>

#include "orderlab/format.hpp"
#include "run/addition.hpp"
#include "simt/machine.hpp"

namespace orderlab::simt {
namespace {

constexpr std::uint32_t kEndless = std::uint32_t{1} << 22;  // turns that, drawn, miss no thread that can get on

/// Integers wrap, also signed ones, as two's complement.
template <class T>
T integer_result(AtomicOperation operation, T old, T operand, T compare) {
  using U = std::make_unsigned_t<T>;
  switch (operation) {
    case AtomicOperation::add:
      return static_cast<T>(static_cast<U>(old) + static_cast<U>(operand));
    case AtomicOperation::subtract:
      return static_cast<T>(static_cast<U>(old) - static_cast<U>(operand));
    case AtomicOperation::increment:
      return old >= operand ? T{0} : static_cast<T>(old + 1);
    case AtomicOperation::decrement:
      return old == 0 || old > operand ? operand : static_cast<T>(old - 1);
    case AtomicOperation::compare_exchange:
      return old == compare ? operand : old;
    case AtomicOperation::minimum:
      return std::min(old, operand);
    case AtomicOperation::maximum:
      return std::max(old, operand);
    case AtomicOperation::bit_and:
      return static_cast<T>(old & operand);
    case AtomicOperation::bit_or:
      return static_cast<T>(old | operand);
    case AtomicOperation::bit_xor:
      return static_cast<T>(old ^ operand);
    default:
      return operand;
  }
}

/// Calls f with a null pointer to the C++ type.
template <class F>
auto with_atomic_type(AtomicType type, F&& f) {
  switch (type) {
    case AtomicType::int32:
      return f(static_cast<std::int32_t*>(nullptr));
    case AtomicType::uint32:
      return f(static_cast<std::uint32_t*>(nullptr));
    case AtomicType::uint64:
      return f(static_cast<std::uint64_t*>(nullptr));
    case AtomicType::fp16:
      return f(static_cast<Half*>(nullptr));
    case AtomicType::bf16:
      return f(static_cast<Bfloat16*>(nullptr));
    case AtomicType::fp32:
      return f(static_cast<float*>(nullptr));
    default:
      return f(static_cast<double*>(nullptr));
  }
}

std::size_t atomic_bytes(AtomicType type) {
  return with_atomic_type(type, [](auto* p) { return sizeof *p; });
}

}  // namespace

Switch Machine::begin_atomic(AtomicOperation operation, AtomicType type, void* cell,
                             const std::source_location& where) {
  lane_->where = where;
  const std::size_t bytes = atomic_bytes(type);
  if (reinterpret_cast<std::uintptr_t>(cell) % bytes != 0)
    fail({.kind = FailureKind::misaligned,
          .where_is_exact = true,
          .address = cell,
          .bytes = bytes,
          .access = AccessKind::atomic,
          .alignment = bytes});
  if (operation == AtomicOperation::compare_exchange) forget_guess(cell, bytes);
  return begin_turn();
}

std::uint64_t Machine::end_atomic(AtomicOperation operation, AtomicType type, void* cell, std::uint64_t operand,
                                  std::uint64_t compare) {
  instruction_ = nullptr;
  const Space space =
      check_access(cell, atomic_bytes(type), AccessKind::atomic, operation != AtomicOperation::exchange);
  lane_->acquired = ++atomics_;
  publish();
  return perform(operation, type, cell, operand, compare, space);
}

Switch Machine::begin_turn() {
  const std::size_t waiting = warp_->place == Warp::kNotWaiting ? 0 : 1;
  const bool alone =  // nobody else could have the turn
      (warp_->ready | warp_->at_atomic) == 0 && at_atomics_.size() == waiting && ready_blocks_.empty();
  if (alone) {
    settle();
    return {};
  }
  warp_->at_atomic |= lane_->bit();
  return begin_wait();
}

/// A loop may wait for another thread by it, which must get on. Volatile accesses are ordered as relaxed ones (PTX ISA,
/// "Memory Consistency Model"): no conflict with atomics and with volatile writes behind a __threadfence, the flags of
/// barriers made by hand. A volatile write without a fence since the last write is an ordinary one: it is part of the
/// data, as in reductions that leave __syncwarp out.
void Machine::volatile_read(const void* address, std::size_t bytes, bool must_be_aligned, const void* instruction) {
  if (on_own_stack(address)) return;
  if (launch_->warp_synchronous)
    step_in_turn();
  else
    switch_stacks(begin_turn());
  running = nullptr;
  strong_ = true;
  if (checks_) access_in_turn(address, bytes, AccessKind::read, must_be_aligned, instruction);
  strong_ = false;
  note_idle(address, AccessKind::read);
}

void Machine::volatile_write(const void* address, std::size_t bytes, bool must_be_aligned, const void* instruction) {
  if (on_own_stack(address)) return;
  if (launch_->warp_synchronous) step_in_turn();
  strong_ = lane_->released;
  if (checks_) access_in_turn(address, bytes, AccessKind::write, must_be_aligned, instruction);
  if (!strong_) return;
  strong_ = false;
  ++atomics_;
  publish();
}

void Machine::note_idle(const void* address, AccessKind kind) {
  if (++idle_atomics_ > kEndless)
    fail({.kind = FailureKind::endless,
          .where_is_exact = kind == AccessKind::atomic,
          .instruction = instruction_,
          .address = address,
          .access = kind});
}

std::uint64_t Machine::perform(AtomicOperation operation, AtomicType type, void* cell, std::uint64_t operand,
                               std::uint64_t compare, Space space) {
  return with_atomic_type(type, [&]<class T>(T*) {
    T old;
    std::memcpy(static_cast<void*>(&old), cell, sizeof old);
    T result = from_bits<T>(operand);
    if constexpr (std::is_integral_v<T>) {
      result = integer_result(operation, old, result, from_bits<T>(compare));
    } else {
      if (operation == AtomicOperation::add) {
        launch_->arrivals->push_back({warp_->block->index, lane_->thread, static_cast<double>(result)});
        result = added(old, result, space == Space::device);
      }
    }
    if (to_bits(old) != to_bits(result)) {
      idle_atomics_ = 0;
      if (operation == AtomicOperation::compare_exchange || operation == AtomicOperation::exchange)
        ++*launch_->exchanges;
    }
    note_idle(cell, AccessKind::atomic);
    std::memcpy(cell, &result, sizeof result);
    return to_bits(old);
  });
}

}  // namespace orderlab::simt
