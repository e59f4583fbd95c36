// The CUDA language on the host: include this, then the unchanged source of kernels, and launch them on a
// simt::Device. Compile such a translation unit with the flags of the CMake target orderlab::kernel_flags. Long, as it
// is the list of CUDA's names.
#pragma once

// The standard library uses some of CUDA's names for attributes, so its headers come first.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <source_location>
#include <string>
#include <type_traits>
#include <vector>

#include "orderlab/format.hpp"
#include "orderlab/kernel.hpp"
#include "orderlab/narrow_on_host.hpp"
#include "orderlab/simt.hpp"
#include "orderlab/simt_thread.hpp"

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define ORDERLAB_ACCESSES_ARE_CHECKED
#endif
#endif
#if defined(__SANITIZE_THREAD__)
#define ORDERLAB_ACCESSES_ARE_CHECKED
#endif
#if !defined(ORDERLAB_ACCESSES_ARE_CHECKED) && !defined(ORDERLAB_UNCHECKED_COPY)
#error "orderlab: kernels are checked only if compiled with the flags of orderlab::kernel_flags (-fsanitize=thread)"
#endif

#if defined(__FAST_MATH__) || defined(__USE_FAST_MATH__)
#error \
    "orderlab: -ffast-math and --use_fast_math flush subnormals and change divisions; no claim describes that. Compile without"
#endif

// NOLINTBEGIN(readability-identifier-naming): the names are CUDA's

// ---- Architecture: of the branches that kernels take, and of launches' limits. Set it by -D, or before this header.
#ifndef __CUDA_ARCH__
#define __CUDA_ARCH__ 800
static_assert(__CUDA_ARCH__ == orderlab::simt::kDefaultArchitecture);
#else
namespace {
[[maybe_unused]] const orderlab::simt::CompiledFor orderlab_compiled_for(__CUDA_ARCH__);
}  // namespace
#endif

// ---- Qualifiers
// g++ reports no store of a function's result of class type, such as a 16-bit float; inlined there is no such result.
#define __global__ __attribute__((flatten))
#define __device__
#define __host__
#define __shared__ thread_local __attribute__((aligned(::orderlab::simt::kSharedAlignment)))  // see simt::Device
#define __constant__ const
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
// The compiler puts that many bytes in front of the function, and their address where a launch finds it.
#if defined(__clang__)  // takes no number there that depends on a template
#define __launch_bounds__(...)
#else
#define __launch_bounds__(...) ORDERLAB_MAX_THREADS(__VA_ARGS__, 0)
#endif
#define ORDERLAB_LITERAL_BOUNDS(...) ORDERLAB_MAX_THREADS(__VA_ARGS__, 0)  // of sources that orderlab host rewrites
#define ORDERLAB_MAX_THREADS(COUNT, ...) __attribute__((patchable_function_entry((COUNT), (COUNT))))
#define __align__(BYTES) __attribute__((aligned(BYTES)))

// ---- Built-in variables
#define threadIdx (::orderlab::simt::thread_index())
#define blockIdx (::orderlab::simt::block_index())
#define blockDim (::orderlab::simt::block_extent())
#define gridDim (::orderlab::simt::grid_extent())
inline constexpr int warpSize = static_cast<int>(orderlab::kWarp);

using dim3 = orderlab::simt::Dim3;
using uint3 = orderlab::simt::Index3;

namespace orderlab::cuda {

ORDERLAB_DYNAMIC_SHARED(unsigned char, dynamic_shared);

}  // namespace orderlab::cuda

namespace orderlab::simt::cuda {

using Where = std::source_location;

/// `value`: no operation before it is fused with one after it.
template <class T>
T unfused(T value) {
#ifdef ORDERLAB_FMAD
  asm("" : "+m"(value));
#endif
  return value;
}

template <class T>
T shuffled(Shuffle kind, unsigned mask, T value, unsigned lane, int width, const Where& where) {
  return from_bits<T>(shuffle(kind, mask, to_bits(value), lane, width, where));
}

/// Calls f(lane, value of that lane) for the lanes of `mask`, all of which call this.
template <class T, class F>
void for_each_lane(unsigned mask, T value, const Where& where, F&& f) {
  for (unsigned rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    f(lane, shuffled(Shuffle::index, mask, value, lane, static_cast<int>(kWarp), where));
  }
}

template <class T, class F>
T reduced(unsigned mask, T value, const Where& where, F&& combined) {
  T result{};
  bool any = false;
  for_each_lane(mask, value, where, [&](unsigned, T other) {
    result = any ? combined(result, other) : other;
    any = true;
  });
  return result;
}

template <class T>
struct AtomicTypeOf;
template <>
struct AtomicTypeOf<int> : std::integral_constant<AtomicType, AtomicType::int32> {};
template <>
struct AtomicTypeOf<unsigned> : std::integral_constant<AtomicType, AtomicType::uint32> {};
template <>
struct AtomicTypeOf<unsigned long long> : std::integral_constant<AtomicType, AtomicType::uint64> {};
template <>
struct AtomicTypeOf<Half> : std::integral_constant<AtomicType, AtomicType::fp16> {};
template <>
struct AtomicTypeOf<Bfloat16> : std::integral_constant<AtomicType, AtomicType::bf16> {};
template <>
struct AtomicTypeOf<Narrow16<Format::fp16>> : std::integral_constant<AtomicType, AtomicType::fp16> {};
template <>
struct AtomicTypeOf<Narrow16<Format::bf16>> : std::integral_constant<AtomicType, AtomicType::bf16> {};
template <>
struct AtomicTypeOf<float> : std::integral_constant<AtomicType, AtomicType::fp32> {};
template <>
struct AtomicTypeOf<double> : std::integral_constant<AtomicType, AtomicType::fp64> {};

template <class T>
concept AtomicInteger = std::is_same_v<T, int> || std::is_same_v<T, unsigned> || std::is_same_v<T, unsigned long long>;
template <class T>
concept AtomicNumber = requires {
  AtomicTypeOf<T>::value;
};

template <class T>
T done_atomically(AtomicOperation operation, T* cell, T operand, T compare, const Where& where) {
  return from_bits<T>(atomic(operation, AtomicTypeOf<T>::value, cell, to_bits(operand), to_bits(compare), where));
}

}  // namespace orderlab::simt::cuda

// ---- Synchronisation
#define ORDERLAB_WHERE const std::source_location& where = std::source_location::current()

inline void __syncthreads(ORDERLAB_WHERE) { orderlab::simt::barrier(orderlab::simt::BarrierVote::none, false, where); }
inline int __syncthreads_count(int predicate, ORDERLAB_WHERE) {
  return orderlab::simt::barrier(orderlab::simt::BarrierVote::count, predicate != 0, where);
}
inline int __syncthreads_and(int predicate, ORDERLAB_WHERE) {
  return orderlab::simt::barrier(orderlab::simt::BarrierVote::all, predicate != 0, where);
}
inline int __syncthreads_or(int predicate, ORDERLAB_WHERE) {
  return orderlab::simt::barrier(orderlab::simt::BarrierVote::any, predicate != 0, where);
}
inline void __syncwarp(unsigned mask = 0xFFFFFFFF, ORDERLAB_WHERE) { orderlab::simt::warp_barrier(mask, where); }
inline void __threadfence(ORDERLAB_WHERE) { orderlab::simt::fence(orderlab::simt::FenceScope::device, where); }
inline void __threadfence_system(ORDERLAB_WHERE) { orderlab::simt::fence(orderlab::simt::FenceScope::device, where); }
inline void __threadfence_block(ORDERLAB_WHERE) { orderlab::simt::fence(orderlab::simt::FenceScope::block, where); }

// ---- Warp primitives
template <class T>
T __shfl_sync(unsigned mask, T value, int lane, int width = warpSize, ORDERLAB_WHERE) {
  return orderlab::simt::cuda::shuffled(orderlab::simt::Shuffle::index, mask, value, static_cast<unsigned>(lane), width,
                                        where);
}
template <class T>
T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = warpSize, ORDERLAB_WHERE) {
  return orderlab::simt::cuda::shuffled(orderlab::simt::Shuffle::up, mask, value, delta, width, where);
}
template <class T>
T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = warpSize, ORDERLAB_WHERE) {
  return orderlab::simt::cuda::shuffled(orderlab::simt::Shuffle::down, mask, value, delta, width, where);
}
template <class T>
T __shfl_xor_sync(unsigned mask, T value, int lane_mask, int width = warpSize, ORDERLAB_WHERE) {
  return orderlab::simt::cuda::shuffled(orderlab::simt::Shuffle::exclusive_or, mask, value,
                                        static_cast<unsigned>(lane_mask), width, where);
}
inline unsigned __ballot_sync(unsigned mask, int predicate, ORDERLAB_WHERE) {
  return orderlab::simt::ballot(mask, predicate != 0, where);
}
inline int __any_sync(unsigned mask, int predicate, ORDERLAB_WHERE) {
  return orderlab::simt::ballot(mask, predicate != 0, where) != 0 ? 1 : 0;
}
inline int __all_sync(unsigned mask, int predicate, ORDERLAB_WHERE) {
  return orderlab::simt::ballot(mask, predicate == 0, where) == 0 ? 1 : 0;  // lanes that have ended count as true
}

// Available from sm_70 and sm_80 on: what the lanes of a mask tell each other by shuffles.
template <class T>
unsigned __match_any_sync(unsigned mask, T value, ORDERLAB_WHERE) {
  unsigned same = 0;
  orderlab::simt::cuda::for_each_lane(mask, value, where, [&](unsigned lane, T other) {
    if (orderlab::simt::to_bits(other) == orderlab::simt::to_bits(value)) same |= 1u << lane;
  });
  return same;
}
template <class T>
unsigned __match_all_sync(unsigned mask, T value, int* all_equal, ORDERLAB_WHERE) {
  *all_equal = __match_any_sync(mask, value, where) == mask ? 1 : 0;
  return *all_equal != 0 ? mask : 0;
}
#define ORDERLAB_WARP_REDUCTION(NAME, TYPE, COMBINED)                                                          \
  inline TYPE NAME(unsigned mask, TYPE value, ORDERLAB_WHERE) {                                                \
    return orderlab::simt::cuda::reduced(mask, value, where, [](TYPE a, TYPE b) -> TYPE { return COMBINED; }); \
  }
#define ORDERLAB_WARP_REDUCTIONS(TYPE)                                                            \
  ORDERLAB_WARP_REDUCTION(__reduce_add_sync, TYPE,                                                \
                          static_cast<TYPE>(static_cast<unsigned>(a) + static_cast<unsigned>(b))) \
  ORDERLAB_WARP_REDUCTION(__reduce_min_sync, TYPE, std::min(a, b))                                \
  ORDERLAB_WARP_REDUCTION(__reduce_max_sync, TYPE, std::max(a, b))
ORDERLAB_WARP_REDUCTIONS(unsigned)
ORDERLAB_WARP_REDUCTIONS(int)
ORDERLAB_WARP_REDUCTION(__reduce_and_sync, unsigned, a& b)
ORDERLAB_WARP_REDUCTION(__reduce_or_sync, unsigned, a | b)
ORDERLAB_WARP_REDUCTION(__reduce_xor_sync, unsigned, a ^ b)
#undef ORDERLAB_WARP_REDUCTIONS
#undef ORDERLAB_WARP_REDUCTION

inline unsigned __activemask(ORDERLAB_WHERE) { return orderlab::simt::active_mask(where); }

// ---- Atomics; the operand converts to the type of the cell
template <orderlab::simt::cuda::AtomicNumber T>
T atomicAdd(T* cell, std::type_identity_t<T> value, ORDERLAB_WHERE) {
  return orderlab::simt::cuda::done_atomically(orderlab::simt::AtomicOperation::add, cell, value, T{}, where);
}
template <orderlab::simt::cuda::AtomicNumber T>
T atomicExch(T* cell, std::type_identity_t<T> value, ORDERLAB_WHERE) {
  return orderlab::simt::cuda::done_atomically(orderlab::simt::AtomicOperation::exchange, cell, value, T{}, where);
}
template <orderlab::simt::cuda::AtomicInteger T>
T atomicCAS(T* cell, std::type_identity_t<T> compare, std::type_identity_t<T> value, ORDERLAB_WHERE) {
  return orderlab::simt::cuda::done_atomically(orderlab::simt::AtomicOperation::compare_exchange, cell, value, compare,
                                               where);
}
#define ORDERLAB_INTEGER_ATOMIC(NAME, OPERATION)                                                                       \
  template <orderlab::simt::cuda::AtomicInteger T>                                                                     \
  T NAME(T* cell, std::type_identity_t<T> value, ORDERLAB_WHERE) {                                                     \
    return orderlab::simt::cuda::done_atomically(orderlab::simt::AtomicOperation::OPERATION, cell, value, T{}, where); \
  }
ORDERLAB_INTEGER_ATOMIC(atomicSub, subtract)
ORDERLAB_INTEGER_ATOMIC(atomicInc, increment)
ORDERLAB_INTEGER_ATOMIC(atomicDec, decrement)
ORDERLAB_INTEGER_ATOMIC(atomicMin, minimum)
ORDERLAB_INTEGER_ATOMIC(atomicMax, maximum)
ORDERLAB_INTEGER_ATOMIC(atomicAnd, bit_and)
ORDERLAB_INTEGER_ATOMIC(atomicOr, bit_or)
ORDERLAB_INTEGER_ATOMIC(atomicXor, bit_xor)
#undef ORDERLAB_INTEGER_ATOMIC

// ---- Arithmetic, every operation rounded to nearest
inline float __fadd_rn(float a, float b) { return orderlab::simt::cuda::unfused(a) + orderlab::simt::cuda::unfused(b); }
inline float __fsub_rn(float a, float b) { return orderlab::simt::cuda::unfused(a) - orderlab::simt::cuda::unfused(b); }
inline float __fmul_rn(float a, float b) { return orderlab::simt::cuda::unfused(a * b); }
inline float __fmaf_rn(float a, float b, float c) { return std::fma(a, b, c); }
inline double __dadd_rn(double a, double b) {
  return orderlab::simt::cuda::unfused(a) + orderlab::simt::cuda::unfused(b);
}
inline double __dsub_rn(double a, double b) {
  return orderlab::simt::cuda::unfused(a) - orderlab::simt::cuda::unfused(b);
}
inline double __dmul_rn(double a, double b) { return orderlab::simt::cuda::unfused(a * b); }
inline double __fma_rn(double a, double b, double c) { return std::fma(a, b, c); }

// ---- Bits
inline unsigned __float_as_uint(float x) { return std::bit_cast<unsigned>(x); }
inline int __float_as_int(float x) { return std::bit_cast<int>(x); }
inline float __uint_as_float(unsigned x) { return std::bit_cast<float>(x); }
inline float __int_as_float(int x) { return std::bit_cast<float>(x); }
inline long long __double_as_longlong(double x) { return std::bit_cast<long long>(x); }
inline double __longlong_as_double(long long x) { return std::bit_cast<double>(x); }
inline int __popc(unsigned x) { return std::popcount(x); }
inline int __popcll(unsigned long long x) { return std::popcount(x); }
inline int __clz(int x) { return std::countl_zero(static_cast<unsigned>(x)); }
inline int __ffs(int x) { return __builtin_ffs(x); }

template <class T>
T __ldg(const T* address, ORDERLAB_WHERE) {
  orderlab::simt::keep(address, sizeof(T), where);
  return *address;
}

/// The arguments may have different types, as in CUDA.
template <class A, class B>
requires(std::is_arithmetic_v<A>&& std::is_arithmetic_v<B>) constexpr std::common_type_t<A, B> min(A a, B b) {
  using Common = std::common_type_t<A, B>;
  return std::min(static_cast<Common>(a), static_cast<Common>(b));
}
template <class A, class B>
requires(std::is_arithmetic_v<A>&& std::is_arithmetic_v<B>) constexpr std::common_type_t<A, B> max(A a, B b) {
  using Common = std::common_type_t<A, B>;
  return std::max(static_cast<Common>(a), static_cast<Common>(b));
}

#undef ORDERLAB_WHERE

// NOLINTEND(readability-identifier-naming)
