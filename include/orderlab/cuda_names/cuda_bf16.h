// What orderlab/narrow_on_host.hpp leaves out of cuda_bf16.h.
#pragma once

#include "cuda_fp16.h"

// NOLINTBEGIN(readability-identifier-naming): the names are CUDA's
inline float2 __bfloat1622float2(__nv_bfloat162 a) { return {a.x, a.y}; }
inline __nv_bfloat162 __float22bfloat162_rn(float2 a) { return {a.x, a.y}; }
inline __nv_bfloat162 __float2bfloat162_rn(float a) { return {a, a}; }
// NOLINTEND(readability-identifier-naming)
