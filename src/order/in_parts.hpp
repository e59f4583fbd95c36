// Stages that reduce their input part by part: the output of a stage for a part is still in a near cache when the next
// stage reads it, and is never in memory as a whole.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

#include "order/pipeline_run.hpp"

namespace orderlab {

/// How m partial sums can be reduced in parts: the first `stages` stages by parts of `size` partial sums each.
struct StageParts {
  /// Partial sums of a part: 256 KiB of doubles, twice that of products.
  static constexpr std::size_t kMost = std::size_t{1} << 15;

  std::size_t stages = 0;
  std::size_t size = 0;
  std::size_t left = 0;  ///< partial sums that these stages leave of all m

  static StageParts of(std::span<const StageCall> stages, std::size_t m, Format accumulate) {
    StageParts parts;
    std::size_t part = 1;  // the least part that all stages so far can reduce, and what they leave of it
    std::size_t left_of_part = 1;
    for (const StageCall& call : stages) {
      const StageCode& code = *call.stage->code;
      const std::size_t unit = code.unit == nullptr ? 0 : code.unit(call.arguments, m, accumulate);
      if (unit == 0 || unit > kMost) break;
      const std::size_t times = unit / std::gcd(unit, left_of_part);
      if (part * times > kMost) break;
      part *= times;
      left_of_part = left_of_part * times / unit * count_left(call, unit, accumulate);
      m = count_left(call, m, accumulate);
      ++parts.stages;
    }
    parts.size = kMost / part * part;
    parts.left = m;
    return parts;
  }
};

/// run_stages() in parts where that is faster, for stages none of which is random. The result is in `buffers` or in
/// `joined`, or it is `in` if there are no stages; `joined` is written only when parts are used.
template <class A>
Input<A> run_in_parts(std::span<const StageCall> stages, A& arith, Input<A> in, Buffers<A>& buffers,
                      std::vector<typename A::Value>& joined) {
  const StageParts parts = StageParts::of(stages, in.size(), kFormatOf<typename A::T>);
  if (parts.stages > 1 && parts.size < in.size()) {
    joined.clear();
    joined.reserve(parts.left);
    for (std::size_t begin = 0; begin < in.size(); begin += parts.size) {
      const auto part = in.values().subspan(begin, std::min(parts.size, in.size() - begin));
      const auto left = run_stages(stages.first(parts.stages), arith, Input<A>(part), buffers, {});
      joined.insert(joined.end(), left.values().begin(), left.values().end());
    }
    in = Input<A>(std::span<const typename A::Value>(joined));
    stages = stages.subspan(parts.stages);
  }
  return run_stages(stages, arith, in, buffers, {});
}

}  // namespace orderlab
