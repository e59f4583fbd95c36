// The distribution of the terms.
#include "config/axes/field.hpp"
#include "orderlab/terms.hpp"

namespace orderlab::axes {

extern const Axis kDist;
constinit const Axis kDist{
    .name = "dist",
    .default_text = "uniform(0,10)",
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
};

}  // namespace orderlab::axes
