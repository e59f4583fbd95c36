// The distribution of the terms.
#include "config/axes/field.hpp"
#include "orderlab/terms.hpp"
#include "study/input_options.hpp"

namespace orderlab::axes {

extern const Axis kDist;
constinit const Axis kDist = axis_of<study::kDistribution>({
    .help = "distribution of the terms",
    .operation_default = "normal(0,1)",
    .part = AxisPart::terms,
    .column = "dist",
    .chart_title = "terms",
    .always_written = true,
    .canonical = canonical_distribution,
    .get = field_text<&PointConfig::terms>,
    .set = set_field<&PointConfig::terms>,
    .stored = [](const PointConfig& point) { return point.given_terms ? std::string() : point.terms; },
});

}  // namespace orderlab::axes
