// Device functions that orderlab/cuda_on_host.hpp leaves out: arithmetic, conversions and bits.
//
// Functions that CUDA computes by an approximation (__expf, rsqrtf) are rounded from the function of the C library.
#pragma once

#include "orderlab/cuda_on_host.hpp"

// NOLINTBEGIN(readability-identifier-naming): the names are CUDA's
inline float rsqrtf(float x) { return static_cast<float>(1 / std::sqrt(static_cast<double>(x))); }
inline double rsqrt(double x) { return 1 / std::sqrt(x); }
inline float rsqrt(float x) { return rsqrtf(x); }
inline float rcbrtf(float x) { return 1 / std::cbrt(x); }
inline double rcbrt(double x) { return 1 / std::cbrt(x); }
inline float __expf(float x) { return std::exp(x); }
inline float exp10f(float x) { return static_cast<float>(std::pow(10.0, static_cast<double>(x))); }
inline float __exp10f(float x) { return exp10f(x); }
inline float __logf(float x) { return std::log(x); }
inline float __log2f(float x) { return std::log2(x); }
inline float __log10f(float x) { return std::log10(x); }
inline float __sinf(float x) { return std::sin(x); }
inline float __cosf(float x) { return std::cos(x); }
inline float __tanf(float x) { return std::tan(x); }
inline void __sincosf(float x, float* sine, float* cosine) {
  *sine = std::sin(x);
  *cosine = std::cos(x);
}
inline float __powf(float x, float y) { return std::pow(x, y); }
inline float __fdividef(float x, float y) { return x / y; }
inline float fdividef(float x, float y) { return x / y; }
inline float __saturatef(float x) { return x > 1 ? 1.0F : x > 0 ? x : 0.0F; }
inline float sinpif(float x) { return static_cast<float>(std::sin(x * 3.14159265358979323846)); }
inline float cospif(float x) { return static_cast<float>(std::cos(x * 3.14159265358979323846)); }
inline double sinpi(double x) { return std::sin(x * 3.14159265358979323846); }
inline double cospi(double x) { return std::cos(x * 3.14159265358979323846); }
inline float normcdff(float x) { return static_cast<float>(0.5 * std::erfc(-x * 0.70710678118654752440)); }
inline double normcdf(double x) { return 0.5 * std::erfc(-x * 0.70710678118654752440); }

inline float norm3df(float x, float y, float z) { return std::hypot(x, y, z); }
inline double norm3d(double x, double y, double z) { return std::hypot(x, y, z); }
inline float rnorm3df(float x, float y, float z) { return 1 / norm3df(x, y, z); }
inline float norm4df(float x, float y, float z, float w) { return std::hypot(std::hypot(x, y, z), w); }
inline float rhypotf(float x, float y) { return 1 / std::hypot(x, y); }
inline double rhypot(double x, double y) { return 1 / std::hypot(x, y); }

inline float __fdiv_rn(float x, float y) { return x / y; }
inline float __frcp_rn(float x) { return 1 / x; }
inline float __fsqrt_rn(float x) { return std::sqrt(x); }
inline float __frsqrt_rn(float x) { return rsqrtf(x); }
inline double __ddiv_rn(double x, double y) { return x / y; }
inline double __drcp_rn(double x) { return 1 / x; }
inline double __dsqrt_rn(double x) { return std::sqrt(x); }

inline int __float2int_rn(float x) { return static_cast<int>(std::nearbyint(x)); }
inline int __float2int_rz(float x) { return static_cast<int>(x); }
inline int __float2int_rd(float x) { return static_cast<int>(std::floor(x)); }
inline int __float2int_ru(float x) { return static_cast<int>(std::ceil(x)); }
inline unsigned __float2uint_rn(float x) { return static_cast<unsigned>(std::nearbyint(x)); }
inline unsigned __float2uint_rz(float x) { return static_cast<unsigned>(x); }
inline unsigned __float2uint_rd(float x) { return static_cast<unsigned>(std::floor(x)); }
inline unsigned __float2uint_ru(float x) { return static_cast<unsigned>(std::ceil(x)); }
inline long long __float2ll_rn(float x) { return std::llrint(x); }
inline long long __double2ll_rn(double x) { return std::llrint(x); }
inline int __double2int_rn(double x) { return static_cast<int>(std::nearbyint(x)); }
inline int __double2int_rz(double x) { return static_cast<int>(x); }
inline float __int2float_rn(int x) { return static_cast<float>(x); }
inline float __int2float_rz(int x) { return static_cast<float>(x); }
inline float __uint2float_rn(unsigned x) { return static_cast<float>(x); }
inline float __ull2float_rn(unsigned long long x) { return static_cast<float>(x); }
inline double __ull2double_rn(unsigned long long x) { return static_cast<double>(x); }
inline unsigned __double2uint_rn(double x) { return static_cast<unsigned>(std::nearbyint(x)); }
inline unsigned __double2uint_rz(double x) { return static_cast<unsigned>(x); }
inline unsigned long long __double2ull_rn(double x) { return static_cast<unsigned long long>(std::nearbyint(x)); }
inline unsigned long long __float2ull_rn(float x) { return static_cast<unsigned long long>(std::nearbyint(x)); }
inline float __ll2float_rn(long long x) { return static_cast<float>(x); }
inline double __int2double_rn(int x) { return x; }
inline double __uint2double_rn(unsigned x) { return x; }
inline double __ll2double_rn(long long x) { return static_cast<double>(x); }
inline float __double2float_rn(double x) { return static_cast<float>(x); }
inline int __double2hiint(double x) { return static_cast<int>(std::bit_cast<std::uint64_t>(x) >> 32); }
inline int __double2loint(double x) { return static_cast<int>(std::bit_cast<std::uint64_t>(x)); }
inline double __hiloint2double(int high, int low) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(static_cast<unsigned>(high)) << 32 |
                               static_cast<unsigned>(low));
}

inline int __mul24(int a, int b) { return a * b; }
inline unsigned __umul24(unsigned a, unsigned b) { return a * b; }
inline int __mulhi(int a, int b) { return static_cast<int>(static_cast<long long>(a) * b >> 32); }
inline unsigned __umulhi(unsigned a, unsigned b) {
  return static_cast<unsigned>(static_cast<unsigned long long>(a) * b >> 32);
}
__extension__ using orderlab_int128 = __int128;
__extension__ using orderlab_uint128 = unsigned __int128;
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return static_cast<unsigned long long>(static_cast<orderlab_uint128>(a) * b >> 64);
}
inline int __clzll(long long x) { return std::countl_zero(static_cast<unsigned long long>(x)); }
inline int __ffsll(long long x) { return __builtin_ffsll(x); }
inline unsigned __brev(unsigned x) {
  unsigned reversed = 0;
  for (int i = 0; i < 32; ++i) reversed |= (x >> i & 1U) << (31 - i);
  return reversed;
}
inline unsigned __byte_perm(unsigned a, unsigned b, unsigned selector) {
  const std::uint64_t both = static_cast<std::uint64_t>(b) << 32 | a;
  unsigned result = 0;
  for (unsigned i = 0; i < 4; ++i)
    result |= static_cast<unsigned>(both >> (8 * (selector >> (4 * i) & 7)) & 0xFF) << (8 * i);
  return result;
}
inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>((static_cast<std::uint64_t>(high) << 32 | low) << (shift & 31) >> 32);
}
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>((static_cast<std::uint64_t>(high) << 32 | low) >> (shift & 31));
}
inline int __dp4a(int a, int b, int c) {
  for (int i = 0; i < 4; ++i) c += static_cast<signed char>(a >> 8 * i) * static_cast<signed char>(b >> 8 * i);
  return c;
}
inline long long __mul64hi(long long a, long long b) {
  return static_cast<long long>(static_cast<orderlab_int128>(a) * b >> 64);
}
inline int __hadd(int a, int b) { return (a & b) + ((a ^ b) >> 1); }
inline int __rhadd(int a, int b) { return (a | b) - ((a ^ b) >> 1); }
inline unsigned __uhadd(unsigned a, unsigned b) { return (a & b) + ((a ^ b) >> 1); }
inline unsigned __urhadd(unsigned a, unsigned b) { return (a | b) - ((a ^ b) >> 1); }
inline unsigned __usad(unsigned a, unsigned b, unsigned c) { return (a < b ? b - a : a - b) + c; }
inline unsigned __sad(int a, int b, unsigned c) { return static_cast<unsigned>(std::abs(a - b)) + c; }

template <class T>
T __ldlu(const T* address) { return *address; }
template <class T>
T __ldcv(const T* address) { return *address; }
template <class T>
void __stwb(T* address, T value) { *address = value; }
template <class T>
void __stwt(T* address, T value) { *address = value; }
template <class T>
T __ldcg(const T* address) { return *address; }
template <class T>
T __ldca(const T* address) { return *address; }
template <class T>
T __ldcs(const T* address) { return *address; }
template <class T>
void __stcg(T* address, T value) { *address = value; }
template <class T>
void __stcs(T* address, T value) { *address = value; }

/// Counts its calls in the launch: a loop that waits for time to pass ends.
inline long long clock64() { return static_cast<long long>(orderlab::simt::next_clock()); }
inline void __nanosleep(unsigned) {}
inline void __prof_trigger(int) {}
inline void __brkpt() {}
inline void __trap() { orderlab::simt::unsupported("ends by __trap", std::source_location::current()); }

// Shuffles and votes without a mask, of before compute capability 7.0: of the lanes that are together.
#define ORDERLAB_WHERE const std::source_location& where = std::source_location::current()
template <class T>
T __shfl(T value, int lane, int width = warpSize, ORDERLAB_WHERE) {
  return __shfl_sync(orderlab::simt::converged_mask(where), value, lane, width, where);
}
template <class T>
T __shfl_up(T value, unsigned delta, int width = warpSize, ORDERLAB_WHERE) {
  return __shfl_up_sync(orderlab::simt::converged_mask(where), value, delta, width, where);
}
template <class T>
T __shfl_down(T value, unsigned delta, int width = warpSize, ORDERLAB_WHERE) {
  return __shfl_down_sync(orderlab::simt::converged_mask(where), value, delta, width, where);
}
template <class T>
T __shfl_xor(T value, int mask, int width = warpSize, ORDERLAB_WHERE) {
  return __shfl_xor_sync(orderlab::simt::converged_mask(where), value, mask, width, where);
}
inline unsigned __ballot(int predicate, ORDERLAB_WHERE) { return __ballot_sync(orderlab::simt::converged_mask(where), predicate, where); }
inline int __any(int predicate, ORDERLAB_WHERE) { return __any_sync(orderlab::simt::converged_mask(where), predicate, where); }
inline int __all(int predicate, ORDERLAB_WHERE) { return __all_sync(orderlab::simt::converged_mask(where), predicate, where); }

// Atomics with a scope.
#define ORDERLAB_SCOPED(NAME)                                                          \
  template <class T>                                                                   \
  T NAME##_block(T* cell, std::type_identity_t<T> value, ORDERLAB_WHERE) {             \
    return NAME(cell, value, where);                                                   \
  }                                                                                    \
  template <class T>                                                                   \
  T NAME##_system(T* cell, std::type_identity_t<T> value, ORDERLAB_WHERE) {            \
    return NAME(cell, value, where);                                                   \
  }
ORDERLAB_SCOPED(atomicAdd)
ORDERLAB_SCOPED(atomicExch)
ORDERLAB_SCOPED(atomicSub)
ORDERLAB_SCOPED(atomicInc)
ORDERLAB_SCOPED(atomicDec)
ORDERLAB_SCOPED(atomicMax)
ORDERLAB_SCOPED(atomicMin)
ORDERLAB_SCOPED(atomicAnd)
ORDERLAB_SCOPED(atomicOr)
ORDERLAB_SCOPED(atomicXor)
#undef ORDERLAB_SCOPED
template <class T>
T atomicCAS_block(T* cell, std::type_identity_t<T> compare, std::type_identity_t<T> value, ORDERLAB_WHERE) {
  return atomicCAS(cell, compare, value, where);
}
template <class T>
T atomicCAS_system(T* cell, std::type_identity_t<T> compare, std::type_identity_t<T> value, ORDERLAB_WHERE) {
  return atomicCAS(cell, compare, value, where);
}
#undef ORDERLAB_WHERE
// NOLINTEND(readability-identifier-naming)
