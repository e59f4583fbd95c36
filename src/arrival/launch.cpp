// Arrival in launch order.
#include <numeric>

#include "arrival/order_size.hpp"
#include "orderlab/arrival.hpp"

namespace orderlab {
namespace {

void check_launch(const Arguments&, std::size_t m) { check_order_size(m); }

void draw_launch(const Arguments&, const RandomStream&, std::span<std::uint32_t> order) {
  std::iota(order.begin(), order.end(), 0u);
}

}  // namespace

extern constinit const ArrivalModel kLaunchArrival{
    .name = "launch",
    .summary = "launch order, always",
    .source = "definition: the identity",
    .parameters = {},
    .random = false,
    .check = check_launch,
    .draw = draw_launch,
};

}  // namespace orderlab
