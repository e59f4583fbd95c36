// Launch order blurred by normal delays that grow along the grid, as small differences add up from thread block to
// thread block.
#include "arrival/delayed_launch.hpp"
#include "arrival/order_size.hpp"
#include "orderlab/arrival.hpp"

namespace orderlab {
namespace {

constexpr Parameter kDriftParameters[] = {
    {.name = "first", .kind = ParameterKind::real, .default_text = ""},
    {.name = "last", .kind = ParameterKind::real, .default_text = ""},
};

void check_drift(const Arguments&, std::size_t m) { check_order_size(m); }

/// Sorts by i + s_i N_i, ties by i; N_i is the normal number of block i of the stream.
constexpr SortKey kDriftKey{
    .spreads = [](const Arguments& arguments, std::size_t m, std::size_t first, std::span<double> s) {
      growing_spreads(arguments.real(0), arguments.real(1), m, first, s);
    }};

void draw_drift(const Arguments& arguments, const RandomStream& stream, std::span<std::uint32_t> order) {
  delayed_launch(kDriftKey, arguments, stream, order);
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
    .key = &kDriftKey,
    .check = check_drift,
    .draw = draw_drift,
};

}  // namespace orderlab
