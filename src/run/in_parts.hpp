// Steps that reduce their input part by part: what a step leaves of a part is still in a near cache when the next step
// reads it, and is never in memory as a whole.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

#include "run/plan_run.hpp"
#include "run/plan_steps.hpp"

namespace orderlab {

/// How partial sums can be reduced in parts: by the first `steps` steps, in parts of `size` partial sums each.
struct Parts {
  /// Partial sums of a part: 256 KiB of doubles, twice that of products.
  static constexpr std::size_t kMost = std::size_t{1} << 15;

  std::size_t steps = 0;
  std::size_t size = 0;
  std::size_t left = 0;  ///< partial sums that these steps leave of all

  static Parts of(std::span<const PlannedStep> steps) {
    Parts parts;
    std::size_t part = 1;  // the least part that all steps so far can reduce, and what they leave of it
    std::size_t left_of_part = 1;
    parts.left = steps.empty() ? 0 : steps.front().in;
    for (const PlannedStep& planned : steps) {
      const std::size_t unit = period(planned.step, planned.in);
      if (unit == 0 || unit > kMost) break;
      const std::size_t times = unit / std::gcd(unit, left_of_part);
      if (part * times > kMost) break;
      part *= times;
      left_of_part = left_of_part * times / unit * count_left(planned.step, unit);
      parts.left = planned.out;
      ++parts.steps;
    }
    parts.size = kMost / part * part;
    return parts;
  }
};

/// run_steps() in parts where that is faster. The result is in `buffers` or in
/// `joined`, or it is `in` if there are no steps; `joined` is written only when parts are used.
template <class A>
Input<A> run_in_parts(std::span<const PlannedStep> steps, A& arith, Input<A> in, Buffers<A>& buffers,
                      std::vector<typename A::Value>& joined, Draw draw = {}) {
  const Parts parts = Parts::of(steps);
  if (parts.steps > 1 && parts.size < in.size()) {
    joined.clear();
    joined.reserve(parts.left);
    for (std::size_t begin = 0; begin < in.size(); begin += parts.size) {
      const auto part = in.values().subspan(begin, std::min(parts.size, in.size() - begin));
      const auto left = run_steps(steps.first(parts.steps), arith, Input<A>(part), buffers, draw);
      joined.insert(joined.end(), left.values().begin(), left.values().end());
    }
    in = Input<A>(std::span<const typename A::Value>(joined));
    steps = steps.subspan(parts.steps);
  }
  return run_steps(steps, arith, in, buffers, draw);
}

}  // namespace orderlab
