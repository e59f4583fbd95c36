// Arithmetic on CUDA's vector types, member by member, as helper_math.h of CUDA's samples has it.
#pragma once

#include "cuda_runtime.h"

// NOLINTBEGIN(readability-identifier-naming): the names are those of CUDA's samples
namespace orderlab::cuda {

template <class V>
constexpr unsigned kMembers = requires(V v) { v.w; } ? 4 : requires(V v) { v.z; } ? 3 : 2;

/// f of each member of two vectors.
template <class V, class F>
constexpr V by_member(V a, V b, F&& f) {
  V result = a;
  result.x = f(a.x, b.x);
  result.y = f(a.y, b.y);
  if constexpr (kMembers<V> >= 3) result.z = f(a.z, b.z);
  if constexpr (kMembers<V> == 4) result.w = f(a.w, b.w);
  return result;
}
template <class T, class V>
constexpr T dot_product(V a, V b) {
  T sum = a.x * b.x + a.y * b.y;
  if constexpr (kMembers<V> >= 3) sum += a.z * b.z;
  if constexpr (kMembers<V> == 4) sum += a.w * b.w;
  return sum;
}
template <class V, class T>
constexpr V with_all(T value) {
  return by_member(V{}, V{}, [value](auto, auto) { return value; });
}

}  // namespace orderlab::cuda

#define ORDERLAB_OPERATOR(V, T, OPERATOR)                                                             \
  inline V operator OPERATOR(V a, V b) {                                                              \
    return orderlab::cuda::by_member(a, b, [](T x, T y) { return static_cast<T>(x OPERATOR y); });    \
  }                                                                                                   \
  inline V operator OPERATOR(V a, T b) { return a OPERATOR orderlab::cuda::with_all<V>(b); }          \
  inline V operator OPERATOR(T a, V b) { return orderlab::cuda::with_all<V>(a) OPERATOR b; }          \
  inline void operator OPERATOR##=(V& a, V b) { a = a OPERATOR b; }                                   \
  inline void operator OPERATOR##=(V& a, T b) { a = a OPERATOR b; }
#define ORDERLAB_VECTOR_OPERATORS(V, T)                                                               \
  ORDERLAB_OPERATOR(V, T, +)                                                                          \
  ORDERLAB_OPERATOR(V, T, -)                                                                          \
  ORDERLAB_OPERATOR(V, T, *)                                                                          \
  ORDERLAB_OPERATOR(V, T, /)                                                                          \
  inline V operator-(const V& a) { return orderlab::cuda::with_all<V>(T{}) - a; }                     \
  inline V min(V a, V b) {                                                                            \
    return orderlab::cuda::by_member(a, b, [](T x, T y) { return y < x ? y : x; });                   \
  }                                                                                                   \
  inline V max(V a, V b) {                                                                            \
    return orderlab::cuda::by_member(a, b, [](T x, T y) { return x < y ? y : x; });                   \
  }                                                                                                   \
  inline V clamp(V v, V low, V high) { return max(low, min(v, high)); }                               \
  inline V clamp(V v, T low, T high) {                                                                \
    return clamp(v, orderlab::cuda::with_all<V>(low), orderlab::cuda::with_all<V>(high));             \
  }                                                                                                   \
  inline T dot(V a, V b) { return orderlab::cuda::dot_product<T>(a, b); }
ORDERLAB_VECTOR_OPERATORS(float2, float)
ORDERLAB_VECTOR_OPERATORS(float3, float)
ORDERLAB_VECTOR_OPERATORS(float4, float)
ORDERLAB_VECTOR_OPERATORS(double2, double)
ORDERLAB_VECTOR_OPERATORS(double3, double)
ORDERLAB_VECTOR_OPERATORS(double4, double)
ORDERLAB_VECTOR_OPERATORS(int2, int)
ORDERLAB_VECTOR_OPERATORS(int3, int)
ORDERLAB_VECTOR_OPERATORS(int4, int)
ORDERLAB_VECTOR_OPERATORS(uint2, unsigned)
ORDERLAB_VECTOR_OPERATORS(uint3, unsigned)
ORDERLAB_VECTOR_OPERATORS(uint4, unsigned)
#undef ORDERLAB_VECTOR_OPERATORS
#undef ORDERLAB_OPERATOR

#define ORDERLAB_LENGTHS(V)                                                                           \
  inline V fminf(V a, V b) { return min(a, b); }                                                      \
  inline V fmaxf(V a, V b) { return max(a, b); }                                                      \
  inline float length(V v) { return sqrtf(dot(v, v)); }                                               \
  inline V normalize(V v) { return v * rsqrtf(dot(v, v)); }                                           \
  inline V lerp(V a, V b, float t) { return a + t * (b - a); }                                        \
  inline V fabs(V v) {                                                                                \
    return orderlab::cuda::by_member(v, v, [](float x, float) { return std::fabs(x); });              \
  }                                                                                                   \
  inline V floorf(V v) {                                                                              \
    return orderlab::cuda::by_member(v, v, [](float x, float) { return std::floor(x); });             \
  }
ORDERLAB_LENGTHS(float2)
ORDERLAB_LENGTHS(float3)
ORDERLAB_LENGTHS(float4)
#undef ORDERLAB_LENGTHS
inline float clamp(float v, float low, float high) { return fmaxf(low, fminf(v, high)); }
inline int clamp(int v, int low, int high) { return max(low, min(v, high)); }
inline float3 cross(float3 a, float3 b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline float2 make_float2(float x) { return {x, x}; }
inline float2 make_float2(float3 v) { return {v.x, v.y}; }
inline float2 make_float2(float4 v) { return {v.x, v.y}; }
inline float2 make_float2(int2 v) { return {static_cast<float>(v.x), static_cast<float>(v.y)}; }
inline float3 make_float3(float x) { return {x, x, x}; }
inline float3 make_float3(float2 v, float z) { return {v.x, v.y, z}; }
inline float3 make_float3(float4 v) { return {v.x, v.y, v.z}; }
inline float4 make_float4(float x) { return {x, x, x, x}; }
inline float4 make_float4(float3 v) { return {v.x, v.y, v.z, 0}; }
inline float4 make_float4(float3 v, float w) { return {v.x, v.y, v.z, w}; }
inline int2 make_int2(int x) { return {x, x}; }
inline int3 make_int3(int x) { return {x, x, x}; }
inline int3 make_int3(float3 v) { return {static_cast<int>(v.x), static_cast<int>(v.y), static_cast<int>(v.z)}; }
inline uint3 make_uint3(unsigned x) { return {x, x, x}; }
// NOLINTEND(readability-identifier-naming)
