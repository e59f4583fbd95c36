#pragma once

#include "cuda_runtime.h"

// NOLINTBEGIN(readability-identifier-naming): the names are CUDA's
inline int __dp4a(char4 a, char4 b, int c) { return __dp4a(std::bit_cast<int>(a), std::bit_cast<int>(b), c); }
// NOLINTEND(readability-identifier-naming)
