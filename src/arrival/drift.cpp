// Launch order blurred by normal delays that grow along the grid, as small differences add up from thread block to
// thread block.
#include <cmath>

#include "arrival/delayed_launch.hpp"
#include "arrival/order_size.hpp"
#include "core/arithmetic_guard.hpp"
#include "orderlab/arrival.hpp"

namespace orderlab {
namespace {

constexpr Parameter kDriftParameters[] = {
    {.name = "first", .kind = ParameterKind::real, .default_text = ""},
    {.name = "last", .kind = ParameterKind::real, .default_text = ""},
};

void check_drift(const Arguments&, std::size_t m) { check_order_size(m); }

/// Sorts by i + s_i N_i, ties by i; N_i is the normal number of block i of the stream. s_i^2 goes in equal steps from
/// first^2 for i = 0 to last^2 for the last i: independent delays add up by their variances.
void draw_drift(const Arguments& arguments, const RandomStream& stream, std::span<std::uint32_t> order) {
  const double first = arguments.real(0);
  const double last = arguments.real(1);
  const auto steps = static_cast<double>(order.size() < 2 ? 1 : order.size() - 1);
  delayed_launch(stream, order, [&](std::size_t i) {
    const double passed = static_cast<double>(i) / steps;
    const double variance = first * first * (1 - passed) + last * last * passed;
    return std::sqrt(variance);
  });
}

}  // namespace

extern constinit const ArrivalModel kDriftArrival{
    .name = "drift",
    .summary =
        "sorted by launch index + N(0, s), in positions; s^2 grows linearly along the grid, from first^2 to last^2",
    .source =
        "orderlab, a two-parameter fit to the recordings of [Shanmugavelu2024]; normal numbers of [BoxMuller1958]",
    .parameters = kDriftParameters,
    .random = true,
    .check = check_drift,
    .draw = draw_drift,
};

}  // namespace orderlab
