// How many orders are drawn, or that all are enumerated.
#include "config/all_orders.hpp"
#include "config/axes/field.hpp"
#include "study/sample_options.hpp"

namespace orderlab::axes {

extern const Axis kSamples;
constinit const Axis kSamples = axis_of<study::kSamples>({
    .help = "orders to draw, or \"all\" to enumerate all orders of few partial sums",
    .word = kAllOrders,
    .column = "samples_asked",
    .always_shown = true,
    .always_written = true,
    .get =
        [](const PointConfig& point) {
          return point.all_orders ? std::string(kAllOrders) : std::to_string(point.asked);
        },
    .set =
        [](PointConfig& point, const std::string& text) {
          point.all_orders = text == kAllOrders;
          point.asked = count_in(text).value_or(0);
        },
});

}  // namespace orderlab::axes
