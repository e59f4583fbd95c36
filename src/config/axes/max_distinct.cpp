// How many results are counted one by one. All orders at once have no such limit.
#include "config/axes/field.hpp"
#include "study/sample_options.hpp"

namespace orderlab::axes {

extern const Axis kMaxDistinct;
constinit const Axis kMaxDistinct = axis_of<study::kMaxDistinct>({
    .default_text = "1048576",
    .use = AxisUse::sums,
    .role = AxisRole::none,
    .get =
        [](const PointConfig& point) {
          return point.max_distinct == 0 ? std::string() : std::to_string(point.max_distinct);
        },
    .set = set_field<&PointConfig::max_distinct>,
    .stored =
        [](const PointConfig& point) { return point.all_orders ? std::string() : std::to_string(point.max_distinct); },
});

}  // namespace orderlab::axes
