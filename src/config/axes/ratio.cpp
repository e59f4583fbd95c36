// The share of elements that a generated index draws.
#include "config/axes/field.hpp"
#include "study/input_options.hpp"

namespace orderlab::axes {

extern const Axis kRatio;
constinit const Axis kRatio = axis_of<study::kRatio>({
    .kind = AxisKind::real,
    .use = AxisUse::operations,
    .part = AxisPart::terms,
    .column = "ratio",
    .get = field_text<&PointConfig::ratio>,
    .set = set_field<&PointConfig::ratio>,
    .stored = [](const PointConfig& point) { return point.given_terms ? std::string() : point.ratio; },
});

}  // namespace orderlab::axes
