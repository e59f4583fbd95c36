// The operation. Its points have many outputs; those of a sum have one.
#include "config/axes/field.hpp"
#include "orderlab/operation.hpp"
#include "study/input_options.hpp"

namespace orderlab::axes {

extern const Axis kOp;
constinit const Axis kOp = axis_of<study::kOp>({
    .help = "operation with many outputs, or \"sum\": one output",
    .role = AxisRole::series,
    .column = "op",
    .canonical =
        [](std::string_view text) { return text == "sum" ? std::string(text) : to_string(parse_operation(text)); },
    .get = [](const PointConfig& point) { return point.op.empty() ? std::string("sum") : point.op; },
    .set = [](PointConfig& point, const std::string& text) { point.op = text == "sum" ? std::string() : text; },
    .stored = field_text<&PointConfig::op>,
});

}  // namespace orderlab::axes
