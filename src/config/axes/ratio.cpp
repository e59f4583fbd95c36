// The share of elements that a generated index draws.
#include "config/axes/field.hpp"

namespace orderlab::axes {

extern const Axis kRatio;
constinit const Axis kRatio{
    .name = "ratio",
    .default_text = "1",
    .help = "of a generated index: R A draws out of R A bins, A the first extent of the shape",
    .kind = AxisKind::real,
    .use = AxisUse::operations,
    .part = AxisPart::terms,
    .column = "ratio",
    .get = field_text<&PointConfig::ratio>,
    .set = set_field<&PointConfig::ratio>,
    .stored = [](const PointConfig& point) { return point.given_terms ? std::string() : point.ratio; },
};

}  // namespace orderlab::axes
