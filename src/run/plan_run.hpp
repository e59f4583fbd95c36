// Running a range of a plan's steps on one meaning of arithmetic.hpp.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "orderlab/philox.hpp"
#include "orderlab/plan.hpp"
#include "run/fast_paths.hpp"

namespace orderlab {

/// Two buffers that steps write alternately, and other memory that they need. They only grow. Their initial content is
/// never read.
template <class A>
class Buffers {
 public:
  using Value = typename A::Value;

  struct Buffer {
    std::unique_ptr<Value[]> values;
    std::size_t size = 0;
  };

  StepMemory memory;

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

/// Runs `steps` on `in`, all that the first of them expects or a part of it. The result is in `buffers`, or it is `in`
/// itself if there are no steps.
template <class A>
Input<A> run_steps(std::span<const PlannedStep> steps, A& arith, Input<A> in, Buffers<A>& buffers, Draw draw) {
  std::size_t which = 0;
  for (const PlannedStep& planned : steps) {
    const std::size_t left = in.size() == planned.in ? planned.out : count_left(planned.step, in.size());
    const auto out = buffers.get(which, left);
    if constexpr (requires { arith.add_in(planned.format); }) arith.add_in(planned.format);
    run_step(planned.step, arith, in, out, buffers.memory, RandomStream(draw.seed, planned.stream, draw.sample));
    in = Input<A>(out);
    which = 1 - which;
  }
  return in;
}

}  // namespace orderlab
