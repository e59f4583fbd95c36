// power_of_two: neighbours among the first are added until a power of two of them is left, as MPI all-reduces begin.
#include <bit>

#include "orderlab/order.hpp"

namespace orderlab {

namespace {

Steps describe_power_of_two(const Arguments&, std::size_t m, Format) {
  const std::size_t left = std::bit_floor(m);
  const std::size_t pairs = m - left;
  steps::Add step{.groups = {{.first = 2 * pairs, .count = left - pairs, .stride = 1, .members = 1, .place = pairs}}};
  if (pairs > 0) step.groups.insert(step.groups.begin(), {.count = pairs, .stride = 2, .members = 2});
  return {{std::move(step)}};
}

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
    .describe = describe_power_of_two,
};

}  // namespace orderlab
