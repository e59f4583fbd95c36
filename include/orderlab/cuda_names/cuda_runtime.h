// CUDA's runtime on the host: what nvcc includes in front of every source, and orderlab host with it.
#pragma once

// <memory> uses a name that CUDA defines, __noinline__, so it comes before; CUDA's own headers include the others too.
// clang-format off
#include <cmath>
#define lerp fma  // not std::lerp, which C++20's <math.h> has in the global namespace: programs have a lerp there
#include <math.h>
#undef lerp
// clang-format on
#include <ctype.h>
#include <float.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <new>
#include <utility>

#include "orderlab/cuda_on_host.hpp"
#include "orderlab/host_program.hpp"

#undef __constant__  // a variable that the host sets by cudaMemcpyToSymbol
#define __constant__
#define __inline__ inline
#define __grid_constant__
#define __managed__ __attribute__((section("orderlab_managed")))
#define __CUDACC__ 1
#define __NVCC__ 1
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 4

namespace orderlab::host_program {

/// Where dynamic shared memory begins. As an address that the compiler knows nothing of.
template <class T>
auto dynamic_shared() {
  auto* memory = reinterpret_cast<std::remove_extent_t<T>*>(cuda::dynamic_shared);
  asm("" : "+r"(memory));
  if constexpr (std::is_array_v<T>)
    return reinterpret_cast<T*>(memory);
  else
    return memory;
}

}  // namespace orderlab::host_program

#include "cuda_runtime_api.h"
#include "device_functions.h"
#include "vector_types.h"
