// The order. The JSON has its expression, which other texts may have too.
#include "config/axes/field.hpp"
#include "study/input_options.hpp"

namespace orderlab::axes {

extern const Axis kOrder;
constinit const Axis kOrder = axis_of<study::kOrder>({
    .help = "named order or expression",
    .part = AxisPart::order,
    .role = AxisRole::series,
    .column = "expression",
    .always_shown = true,
    .get = field_text<&PointConfig::order>,
    .set = set_field<&PointConfig::order>,
    .stored = field_text<&PointConfig::expression>,
    .restore = set_field<&PointConfig::expression>,
});

}  // namespace orderlab::axes
