// What a running thread of a kernel asks of the simulated GPU. cuda_on_host.hpp gives these the names of CUDA.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <source_location>
#include <span>
#include <type_traits>

#include "orderlab/simt.hpp"
#include "orderlab/tensor_cores.hpp"

namespace orderlab::simt {

/// A position in a grid or a thread block, as CUDA's uint3.
struct Index3 {
  unsigned x = 0;
  unsigned y = 0;
  unsigned z = 0;
};

// Every function here is called by a thread of a launch, else Error(usage). `where` is the place in the kernel.

[[gnu::const]] Index3 thread_index();
[[gnu::const]] Index3 block_index();
[[gnu::const]] Dim3 block_extent();
[[gnu::const]] Dim3 grid_extent();

/// A value of up to 8 bytes as bits, as shuffles and atomics take and give it.
template <class T>
std::uint64_t to_bits(T value) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 8, "values of up to 8 bytes");
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}

template <class T>
T from_bits(std::uint64_t bits) {
  T value;
  std::memcpy(static_cast<void*>(&value), &bits, sizeof value);
  return value;
}

/// A thread that waits leaves its stack, and another one goes on: where the address to go on at is kept, and that of
/// the other one. Null: the thread itself goes on.
struct Switch {
  void** from = nullptr;
  void* to = nullptr;
};

/// Leaves this stack; comes back when another thread leaves its own for this one. Inline, since a processor predicts
/// that a function returns to its caller, and the one that leaves is another than the one that comes back. The other
/// threads change all registers that the target has.
[[gnu::always_inline]] inline void switch_stacks([[maybe_unused]] Switch next) {
#if defined(__x86_64__)
  if (next.to == nullptr) return;
  asm volatile(
      "leaq -128(%%rsp), %%rsp\n\t"  // the red zone stays as it is
      "pushq %%rbp\n\t"
      "leaq 1f(%%rip), %%rax\n\t"
      "pushq %%rax\n\t"
      "movq %%rsp, (%0)\n\t"
      "movq %1, %%rsp\n\t"
      "popq %%rax\n\t"
      "jmpq *%%rax\n"
      "1:\n\t"
      "popq %%rbp\n\t"
      "leaq 128(%%rsp), %%rsp"
      : "+D"(next.from), "+S"(next.to)
      :
      : "rax", "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "xmm0", "xmm1", "xmm2",
        "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15",
        "st", "st(1)", "st(2)", "st(3)", "st(4)", "st(5)", "st(6)", "st(7)",
#if defined(__AVX512F__)
        "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25", "xmm26", "xmm27",
        "xmm28", "xmm29", "xmm30", "xmm31", "k0", "k1", "k2", "k3", "k4", "k5", "k6", "k7",
#endif
#if defined(__APX_F__)
        "r16", "r17", "r18", "r19", "r20", "r21", "r22", "r23", "r24", "r25", "r26", "r27", "r28", "r29", "r30", "r31",
#endif
        "memory", "cc");
#endif
}

// What a thread waits in has two parts: the first chooses who goes on, the second is what comes behind the switch.
Switch begin_barrier(bool predicate, std::source_location where);
Switch begin_warp_barrier(unsigned mask, std::source_location where);
Switch begin_ballot(unsigned mask, bool predicate, std::source_location where);

/// What the ballot or the shuffle that the thread has begun gives.
std::uint64_t met_value();

/// What a barrier of the thread block tells of the threads' predicates: nothing, how many hold, whether all, whether
/// any.
enum class BarrierVote : std::uint8_t { none, count, all, any };
int barrier_votes(BarrierVote vote);

[[gnu::always_inline]] inline int barrier(BarrierVote vote, bool predicate, const std::source_location& where) {
  switch_stacks(begin_barrier(predicate, where));
  return vote == BarrierVote::none ? 0 : barrier_votes(vote);
}

/// All threads of the grid wait for each other, none of which has ended; behind it each knows what all did before.
void grid_barrier(const std::source_location& where);

/// The lanes of `mask` meet at calls at any places; those of the other primitives of a warp at one place, which is
/// stricter than CUDA.
[[gnu::always_inline]] inline void warp_barrier(unsigned mask, const std::source_location& where) {
  switch_stacks(begin_warp_barrier(mask, where));
}

enum class Shuffle : std::uint8_t { index, up, down, exclusive_or };

Switch begin_shuffle(Shuffle kind, unsigned mask, std::uint64_t value, unsigned lane, int width,
                     std::source_location where);

/// The value of another lane; the own one where `lane` leads out of the group of `width` lanes.
[[gnu::always_inline]] inline std::uint64_t shuffle(Shuffle kind, unsigned mask, std::uint64_t value, unsigned lane,
                                                    int width, const std::source_location& where) {
  switch_stacks(begin_shuffle(kind, mask, value, lane, width, where));
  return met_value();
}

/// The lanes of `mask` whose predicate holds.
[[gnu::always_inline]] inline unsigned ballot(unsigned mask, bool predicate, const std::source_location& where) {
  switch_stacks(begin_ballot(mask, predicate, where));
  return static_cast<unsigned>(met_value());
}

/// Lanes that are here together, the caller among them: of those of the warp that reach this place before they have to
/// wait for others, all or a drawn part. Whatever relies on more than that is exposed by some sample.
unsigned active_mask(const std::source_location& where);

/// The same, but always all of them: the lanes that shuffles and votes without a mask mean.
unsigned converged_mask(const std::source_location& where);

/// How often this has been called in the launch.
std::uint64_t next_clock();

/// A number of a matrix.
struct MatrixNumber {
  unsigned row;
  unsigned column;
  double value;
};

/// What one instruction of tensor cores does: sums += A B.
struct MatrixProduct {
  TensorInstruction instruction;
  Format factors;
  Format sums;
  unsigned rows;     ///< of A and the sums
  unsigned columns;  ///< of B and the sums
  unsigned depth;    ///< columns of A, rows of B

  friend bool operator==(const MatrixProduct&, const MatrixProduct&) = default;
};

/// The numbers that one lane holds, of its formats.
struct LaneMatrices {
  std::span<const MatrixNumber> a;
  std::span<const MatrixNumber> b;
  std::span<MatrixNumber> sums;
};

/// All 32 lanes of the warp meet here with the same product, and each gets its sums. A sum starts from its value and is
/// that of fused_sum, by the unit of the launch (Device::use_tensor_cores_of).
void multiply_matrices(const MatrixProduct& product, const LaneMatrices& matrices, const std::source_location& where);

/// All 32 lanes of the warp meet here, each to access its numbers of a matrix at `memory`, a multiple of `alignment`,
/// whose rows or columns are `stride` bytes apart, a multiple of `step`. Orders no accesses.
void whole_warp(const void* memory, std::size_t alignment, std::size_t stride, std::size_t step,
                const std::source_location& where);

/// What a fence orders accesses for: the thread block or the device.
enum class FenceScope : std::uint8_t { block, device };
void fence(FenceScope scope, const std::source_location& where);

enum class AtomicOperation : std::uint8_t {
  add,
  subtract,
  increment,
  decrement,
  exchange,
  compare_exchange,
  minimum,
  maximum,
  bit_and,
  bit_or,
  bit_xor
};
enum class AtomicType : std::uint8_t { int32, uint32, uint64, fp16, bf16, fp32, fp64 };

Switch begin_atomic(AtomicOperation operation, AtomicType type, void* cell, std::source_location where);
std::uint64_t end_atomic(AtomicOperation operation, AtomicType type, void* cell, std::uint64_t operand,
                         std::uint64_t compare);

/// Bits of a cell of device or shared memory before an atomic operation on it. Floats can be added and exchanged.
///
/// Special: fp32 additions in device memory, not in shared memory, take subnormal operands and results for zero.
[[gnu::always_inline]] inline std::uint64_t atomic(AtomicOperation operation, AtomicType type, void* cell,
                                                   std::uint64_t operand, std::uint64_t compare,
                                                   const std::source_location& where) {
  switch_stacks(begin_atomic(operation, type, cell, where));
  return end_atomic(operation, type, cell, operand, compare);
}

/// What __ldg reads must not be written in the same launch; the read follows.
void keep(const void* address, std::size_t bytes, const std::source_location& where);

/// A Fault: the thread does `what`, which no launch can: "runs inline PTX". `what` outlives the launch.
[[noreturn]] void unsupported(const char* what, const std::source_location& where);

/// Whether a thread of a launch calls this.
bool in_kernel();

/// The value of __CUDA_ARCH__ where nobody sets it.
inline constexpr int kDefaultArchitecture = 800;

/// A source that sets __CUDA_ARCH__ says so to launches, before main.
class CompiledFor {
 public:
  explicit CompiledFor(int architecture);
};

/// __CUDA_ARCH__ of the sources with kernels; of several that set it, the one with the least shared memory.
int compute_architecture();

/// Most shared memory of a thread block, static and dynamic together, where a kernel has not opted in to more: CUDA C++
/// Programming Guide, "Technical Specifications per Compute Capability".
inline constexpr std::size_t kSharedBytes = std::size_t{48} << 10;

/// Most dynamic shared memory of any architecture, with opting in: compute capability 9.0.
inline constexpr std::size_t kMaxDynamicSharedBytes = std::size_t{227} << 10;

/// Alignment of every shared array, so that most have free bytes behind them, which are out of bounds.
inline constexpr std::size_t kSharedAlignment = 4096;

}  // namespace orderlab::simt

/// Declares the array that kernels declare with `extern __shared__ TYPE NAME[];`: in the namespace of the kernels, in
/// front of them, in each source with such kernels. All such arrays begin at the same byte, as in CUDA.
/// orderlab::cuda::dynamic_shared is there already.
#define ORDERLAB_DYNAMIC_SHARED(TYPE, NAME) \
  ORDERLAB_NOT_DEFINED_HERE(extern thread_local TYPE NAME[] __asm__("orderlab_dynamic_shared_memory"))

#if defined(__clang__)  // warns of arrays in an unnamed namespace
#define ORDERLAB_NOT_DEFINED_HERE(DECLARATION)                                                  \
  _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wundefined-internal\"") \
      DECLARATION _Pragma("clang diagnostic pop")
#else
#define ORDERLAB_NOT_DEFINED_HERE(DECLARATION) DECLARATION
#endif
