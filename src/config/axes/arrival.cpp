// The arrival model. The JSON has that of the order, which may have one of its own.
#include "config/axes/field.hpp"
#include "study/input_options.hpp"

namespace orderlab::axes {

extern const Axis kArrival;
constinit const Axis kArrival = axis_of<study::kArrival>({
    .default_text = kAbsent,
    .part = AxisPart::order,
    .role = AxisRole::series,
    .column = "arrival",
    .null_where_absent = true,
    .get = field_text<&PointConfig::arrival>,
    .set = set_field<&PointConfig::arrival>,
    .stored = field_text<&PointConfig::arrival_model>,
    .restore = set_field<&PointConfig::arrival_model>,
});

}  // namespace orderlab::axes
