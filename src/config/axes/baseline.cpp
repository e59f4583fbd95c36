// The order that results are compared with.
#include "config/axes/field.hpp"
#include "study/input_options.hpp"

namespace orderlab::axes {

extern const Axis kBaseline;
constinit const Axis kBaseline = axis_of<study::kBaseline>({
    .default_text = kAbsent,
    .help = "fixed order that Vs compares with; with op also deterministic, launch, exact or run; its own if left out",
    .column = "baseline",
    .null_where_absent = true,
    .get = field_text<&PointConfig::baseline>,
    .set = set_field<&PointConfig::baseline>,
    .words =
        [](const PointConfig& point) { return point.baseline.empty() ? "own baseline" : "against " + point.baseline; },
});

}  // namespace orderlab::axes
