// Compile-time guards: included wherever additions must be the IEEE 754 ones, as written. No code here.
#pragma once

#include <cfloat>

#ifdef __FAST_MATH__
#error "orderlab: -ffast-math reorders and drops additions; compile without it"
#endif
#ifndef ORDERLAB_FP_CONTRACT_OFF
#error "orderlab: compile with -ffp-contract=off and define ORDERLAB_FP_CONTRACT_OFF (CMake target orderlab_flags)"
#endif
static_assert(FLT_EVAL_METHOD == 0, "orderlab: float arithmetic must not be done in a wider format (use -mfpmath=sse)");
