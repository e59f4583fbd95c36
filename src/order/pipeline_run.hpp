// Running a range of stages on one meaning of arithmetic.hpp.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "order/stage_code.hpp"
#include "orderlab/philox.hpp"

namespace orderlab {

/// Two buffers that stages write in turn, and what else they need; they only grow.
template <class A>
struct Buffers {
  std::array<std::vector<typename A::Value>, 2> values;
  StageMemory memory;

  std::span<typename A::Value> get(std::size_t which, std::size_t size) {
    if (values[which].size() < size) values[which].resize(size);
    return std::span(values[which]).first(size);
  }

  /// Exchanges the buffer that holds `out` for another.
  void exchange(const Input<A>& out, std::vector<typename A::Value>& other) {
    std::swap(values[out.begins(values[1]) ? 1 : 0], other);
  }
};

/// Where the draws of one run come from.
struct Draw {
  std::uint64_t seed;
  std::uint64_t sample;
};

/// Runs `stages` on `in`; `first_ordinal` random stages precede them in the pipeline. The result lies in `buffers` or
/// is `in` itself where there are no stages.
template <class A>
Input<A> run_stages(std::span<const StageCall> stages, A& arith, Input<A> in, Buffers<A>& buffers, Draw draw,
                    std::uint16_t first_ordinal = 0) {
  std::size_t which = 0;
  std::uint16_t ordinal = first_ordinal;
  for (const StageCall& call : stages) {
    const auto stream = static_cast<std::uint16_t>(streams::kFirstStage + ordinal);
    if (is_random(call)) ++ordinal;
    const StageContext context{call.arguments, RandomStream(draw.seed, stream, draw.sample), buffers.memory};
    const auto out = buffers.get(which, count_left(call, in.size(), kFormatOf<typename A::T>));
    if (call.stage->reduces)
      std::get<ReduceFunction<A>>(call.stage->code->reduce)(context, arith, in, out);
    else
      std::get<ArrangeFunction<A>>(call.stage->code->arrange)(context, in, out);
    in = Input<A>(out);
    which = 1 - which;
  }
  return in;
}

}  // namespace orderlab
