// Additions as the stages do them, for programs that walk over many orders.
#pragma once

#include "run/arithmetic.hpp"

namespace orderlab {

/// a + b, without the error terms that stages collect.
template <class T, bool kFlush>
T added(T a, T b) {
  Floats<T, false> arith;
  return kFlush ? arith.add_ftz(a, b) : arith.add(a, b);
}

/// +0.0 + a.
template <class T, bool kFlush>
T started(T a) {
  Floats<T, false> arith;
  return kFlush ? arith.start_ftz(a) : arith.start(a);
}

template <class T>
T added(T a, T b, bool flush) {
  return flush ? added<T, true>(a, b) : added<T, false>(a, b);
}

}  // namespace orderlab
