// The meaning of a pipeline that has heights and no numbers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "order/arithmetic.hpp"

namespace orderlab {

/// Heights without numbers, of the partial sums that would be of format F.
template <class F>
class HeightsAlone {
 public:
  using Number = std::uint64_t;
  using T = F;
  using Value = HeightTracer::Tag;
  static constexpr bool kTagged = false;

  static Value add(Value a, Value b) { return std::max(a, b) + 1; }
  static Value add_ftz(Value a, Value b) { return add(a, b); }
  static Value start(Value a) { return a; }
  static Value start_ftz(Value a) { return a; }

  template <class Next>
  static Value group(Accumulate, bool, std::size_t count, Next next) {
    Value height = next();
    for (std::size_t i = 1; i < count; ++i) height = add(height, next());
    return height;
  }

  using Wide = HeightsAlone<float>;
  static Wide widened() { return {}; }
  static Value widen(Value v) { return v; }
  static Value narrow(Value v) { return v; }
  static void absorb(const Wide&) {}
};

}  // namespace orderlab
