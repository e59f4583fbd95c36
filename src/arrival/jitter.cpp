// Launch order blurred by independent normal delays.
#include <algorithm>

#include "arrival/delayed_launch.hpp"
#include "arrival/order_size.hpp"
#include "orderlab/arrival.hpp"

namespace orderlab {
namespace {

constexpr Parameter kJitterParameters[] = {{.name = "s", .kind = ParameterKind::real, .default_text = ""}};

void check_jitter(const Arguments&, std::size_t m) { check_order_size(m); }

/// Sorts by i + s N_i, ties by i; N_i is the normal number of block i of the stream.
constexpr SortKey kJitterKey{.spreads = [](const Arguments& arguments, std::size_t, std::size_t, std::span<double> s) {
  std::fill(s.begin(), s.end(), arguments.real(0));
}};

void draw_jitter(const Arguments& arguments, const RandomStream& stream, std::span<std::uint32_t> order) {
  delayed_launch(kJitterKey, arguments, stream, order);
}

}  // namespace

extern constinit const ArrivalModel kJitterArrival{
    .name = "jitter",
    .summary = "sorted by launch index + N(0, s), s in positions",
    .source =
        "orderlab, a one-parameter fit to the recordings of [Shanmugavelu2024]; normal numbers of [BoxMuller1958]",
    .parameters = kJitterParameters,
    .random = true,
    .key = &kJitterKey,
    .check = check_jitter,
    .draw = draw_jitter,
};

}  // namespace orderlab
