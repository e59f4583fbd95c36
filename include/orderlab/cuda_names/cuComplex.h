// CUDA's complex numbers.
#pragma once

#include "cuda_runtime.h"

// NOLINTBEGIN(readability-identifier-naming): the names are CUDA's
typedef float2 cuFloatComplex;
typedef float2 cuComplex;
typedef double2 cuDoubleComplex;
#define ORDERLAB_COMPLEX(C, T, SUFFIX)                                                       \
  inline T cuCreal##SUFFIX(C z) { return z.x; }                                              \
  inline T cuCimag##SUFFIX(C z) { return z.y; }                                              \
  inline C cuConj##SUFFIX(C z) { return {z.x, -z.y}; }                                       \
  inline C cuCadd##SUFFIX(C a, C b) { return {a.x + b.x, a.y + b.y}; }                       \
  inline C cuCsub##SUFFIX(C a, C b) { return {a.x - b.x, a.y - b.y}; }                       \
  inline C cuCmul##SUFFIX(C a, C b) { return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; } \
  inline C cuCdiv##SUFFIX(C a, C b) {                                                        \
    const T norm = b.x * b.x + b.y * b.y;                                                    \
    return {(a.x * b.x + a.y * b.y) / norm, (a.y * b.x - a.x * b.y) / norm};                 \
  }                                                                                          \
  inline T cuCabs##SUFFIX(C z) { return std::hypot(z.x, z.y); }
ORDERLAB_COMPLEX(cuFloatComplex, float, f)
ORDERLAB_COMPLEX(cuDoubleComplex, double, )
#undef ORDERLAB_COMPLEX
inline cuFloatComplex make_cuFloatComplex(float x, float y) { return {x, y}; }
inline cuFloatComplex make_cuComplex(float x, float y) { return {x, y}; }
inline cuDoubleComplex make_cuDoubleComplex(double x, double y) { return {x, y}; }
// NOLINTEND(readability-identifier-naming)
