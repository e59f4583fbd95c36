// Running a range of stages on one meaning of arithmetic.hpp.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "order/stage_code.hpp"
#include "orderlab/philox.hpp"

namespace orderlab {

/// Two buffers that stages write alternately, and other memory that they need. They only grow. Their initial content is
/// never read.
template <class A>
class Buffers {
 public:
  using Value = typename A::Value;

  struct Buffer {
    std::unique_ptr<Value[]> values;
    std::size_t size = 0;
  };

  StageMemory memory;

  std::span<Value> get(std::size_t which, std::size_t size) {
    Buffer& buffer = buffers_[which];
    if (buffer.size < size) buffer = {std::make_unique_for_overwrite<Value[]>(size), size};
    return {buffer.values.get(), size};
  }

  /// Exchanges the buffer that holds `out` for another.
  void exchange(const Input<A>& out, Buffer& other) {
    std::swap(buffers_[out.begins(buffers_[1].values.get()) ? 1 : 0], other);
  }

 private:
  std::array<Buffer, 2> buffers_;
};

/// Where the draws of one run come from.
struct Draw {
  std::uint64_t seed;
  std::uint64_t sample;
};

/// Runs `stages` on `in`; `first_ordinal` random stages precede them in the pipeline. The result is in `buffers`, or
/// it is `in` itself if there are no stages.
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
