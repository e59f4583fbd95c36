// Arrival in a uniformly random order.
#include <numeric>

#include "arrival/order_size.hpp"
#include "orderlab/arrival.hpp"
#include "vectors/permutation.hpp"

namespace orderlab {
namespace {

void check_uniform(const Arguments&, std::size_t m) { check_order_size(m); }

void draw_uniform(const Arguments&, const RandomStream& stream, std::span<std::uint32_t> order) {
  std::iota(order.begin(), order.end(), 0u);
  shuffle_values(order, stream);
}

}  // namespace

extern constinit const ArrivalModel kUniformArrival{
    .name = "uniform",
    .summary = "every order equally likely: the conservative default",
    .source = "Fisher-Yates with the bounded integers of [Lemire2019]",
    .parameters = {},
    .random = true,
    .uniform = true,
    .check = check_uniform,
    .draw = draw_uniform,
};

}  // namespace orderlab
