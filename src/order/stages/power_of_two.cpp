// power_of_two: neighbours among the first are added until a power of two of them is left, as MPI all-reduces begin.
#include <bit>

#include "order/stage_code.hpp"

namespace orderlab {

namespace {

struct PowerOfTwo {
  template <class A>
  static void reduce(const StageContext&, A& arith, Input<A> in, Output<A> out) {
    const std::size_t pairs = in.size() - out.size();
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i] = i < pairs ? arith.add(in[2 * i], in[2 * i + 1]) : in[pairs + i];
  }
};

}  // namespace

extern const Stage kPowerOfTwo;
const Stage kPowerOfTwo{
    .name = "power_of_two",
    .summary =
        "adds the first m - p pairs of neighbours and keeps the others, so that p partial sums are left, the greatest "
        "power of two up to m",
    .source = "MPICH, allreduce_intra_recursive_doubling.c; Open MPI, coll_base_allreduce.c",
    .parameters = {},
    .reduces = true,
    .guarantee = Guarantee::any_device,
    .count = [](const Arguments&, std::size_t m, Format) { return std::bit_floor(m); },
    .code = &kReduceCode<PowerOfTwo>,
};

}  // namespace orderlab
