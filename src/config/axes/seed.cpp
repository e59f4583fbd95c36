// The seed. Where all orders are enumerated nothing is drawn but terms, which have a seed of their own.
#include "config/axes/field.hpp"
#include "study/shared_options.hpp"

namespace orderlab::axes {

extern const Axis kSeed;
constinit const Axis kSeed = axis_of<study::kSeed>({
    .role = AxisRole::input,
    .column = "seed",
    .get = field_text<&PointConfig::seed>,
    .set = set_field<&PointConfig::seed>,
    .stored = [](const PointConfig& point) { return point.all_orders ? std::string() : std::to_string(point.seed); },
});

}  // namespace orderlab::axes
