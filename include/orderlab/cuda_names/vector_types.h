// CUDA's vector types and what makes them.
#pragma once

#include "orderlab/cuda_on_host.hpp"

// NOLINTBEGIN(readability-identifier-naming): the names are CUDA's
#define ORDERLAB_VECTORS(NAME, T, ALIGN2, ALIGN4)                                         \
  struct NAME##1 {                                                                        \
    T x;                                                                                  \
  };                                                                                      \
  struct alignas(ALIGN2) NAME##2 {                                                        \
    T x, y;                                                                               \
  };                                                                                      \
  ORDERLAB_VECTOR3(NAME, T)                                                               \
  struct alignas(ALIGN4) NAME##4 {                                                        \
    T x, y, z, w;                                                                         \
  };                                                                                      \
  constexpr NAME##1 make_##NAME##1(T x) { return {x}; }                                   \
  constexpr NAME##2 make_##NAME##2(T x, T y) { return {x, y}; }                           \
  constexpr NAME##3 make_##NAME##3(T x, T y, T z) { return {x, y, z}; }                   \
  constexpr NAME##4 make_##NAME##4(T x, T y, T z, T w) { return {x, y, z, w}; }
#define ORDERLAB_VECTOR3(NAME, T) \
  struct NAME##3 {                \
    T x, y, z;                    \
  };
ORDERLAB_VECTORS(char, signed char, 2, 4)
ORDERLAB_VECTORS(uchar, unsigned char, 2, 4)
ORDERLAB_VECTORS(short, short, 4, 8)
ORDERLAB_VECTORS(ushort, unsigned short, 4, 8)
ORDERLAB_VECTORS(int, int, 8, 16)
ORDERLAB_VECTORS(long, long, 16, 16)
ORDERLAB_VECTORS(ulong, unsigned long, 16, 16)
ORDERLAB_VECTORS(longlong, long long, 16, 16)
ORDERLAB_VECTORS(ulonglong, unsigned long long, 16, 16)
ORDERLAB_VECTORS(float, float, 8, 16)
ORDERLAB_VECTORS(double, double, 16, 16)
#undef ORDERLAB_VECTOR3
#define ORDERLAB_VECTOR3(NAME, T)  // uint3 is the type of threadIdx
ORDERLAB_VECTORS(uint, unsigned, 8, 16)
#undef ORDERLAB_VECTOR3
#undef ORDERLAB_VECTORS
// NOLINTEND(readability-identifier-naming)
