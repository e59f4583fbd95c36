// The shape of generated inputs of an operation.
#include "config/axes/field.hpp"
#include "orderlab/terms.hpp"
#include "study/input_options.hpp"

namespace orderlab::axes {

extern const Axis kShape;
constinit const Axis kShape = axis_of<study::kShape>({
    .default_text = kAbsent,
    .help = "shape of an operation's generated inputs, such as \"1000x20\"; or n, of one dimension",
    .use = AxisUse::operations,
    .part = AxisPart::terms,
    .role = AxisRole::size,
    .column = "shape",
    .null_where_absent = true,
    .always_shown = true,
    .canonical = [](std::string_view text) { return to_string(parse_shape("shape", text)); },
    .get = field_text<&PointConfig::shape>,
    .set = set_field<&PointConfig::shape>,
    .stored = [](const PointConfig& point) { return point.given_terms ? std::string() : point.shape; },
});

}  // namespace orderlab::axes
