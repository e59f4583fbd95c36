// What orderlab/narrow_on_host.hpp leaves out of cuda_fp16.h: functions of float2, halves of pairs, atomics of pairs.
#pragma once

#include "cuda_runtime.h"

// NOLINTBEGIN(readability-identifier-naming): the names are CUDA's
/// Rounded towards zero, down or up.
inline __half orderlab_half_towards(float x, float end) {
  const __half nearest = x;
  const float value = nearest;
  const bool is_beyond = end == 0 ? std::fabs(value) > std::fabs(x) : end < 0 ? value > x : value < x;
  if (!is_beyond) return nearest;
  const auto bits = std::bit_cast<std::uint16_t>(nearest);
  const bool away = end != 0 && (value == 0 || (value > 0) == (end > 0));
  if (value == 0) return std::bit_cast<__half>(static_cast<std::uint16_t>(end < 0 ? 0x8001 : 0x0001));
  return std::bit_cast<__half>(static_cast<std::uint16_t>(away ? bits + 1 : bits - 1));
}
inline __half __float2half_rz(float x) { return orderlab_half_towards(x, 0); }
inline __half __float2half_rd(float x) { return orderlab_half_towards(x, -1); }
inline __half __float2half_ru(float x) { return orderlab_half_towards(x, 1); }
inline float2 __half22float2(__half2 a) { return {a.x, a.y}; }
inline __half2 __float22half2_rn(float2 a) { return {a.x, a.y}; }
inline __half2 __lows2half2(__half2 a, __half2 b) { return {a.x, b.x}; }
inline __half2 __highs2half2(__half2 a, __half2 b) { return {a.y, b.y}; }
inline __half2 __low2half2(__half2 a) { return {a.x, a.x}; }
inline __half2 __high2half2(__half2 a) { return {a.y, a.y}; }
inline __half2 __lowhigh2highlow(__half2 a) { return {a.y, a.x}; }
inline __half hexp(__half x) { return std::exp(static_cast<float>(x)); }
inline __half hlog(__half x) { return std::log(static_cast<float>(x)); }
inline __half hrcp(__half x) { return 1.0F / static_cast<float>(x); }
inline __half hrsqrt(__half x) { return rsqrtf(static_cast<float>(x)); }
inline __half habs(__half x) { return __habs(x); }

/// Each number by an atomic of its own, as CUDA guarantees no more.
template <orderlab::Format F>
orderlab::simt::Narrow16Pair<F> atomicAdd(orderlab::simt::Narrow16Pair<F>* cell,
                                          std::type_identity_t<orderlab::simt::Narrow16Pair<F>> value,
                                          const std::source_location& where = std::source_location::current()) {
  return {atomicAdd(&cell->x, value.x, where), atomicAdd(&cell->y, value.y, where)};
}
// NOLINTEND(readability-identifier-naming)
