// The formats of terms, sums and result.
#include "config/axes/field.hpp"
#include "study/input_options.hpp"

namespace orderlab::axes {

extern const Axis kFormat;
constinit const Axis kFormat = axis_of<study::kFormat>({
    .default_text = "fp64",
    .help = "TERMS[:ACCUMULATE[:RESULT]]",
    .operation_default = "fp32",
    .part = AxisPart::terms,
    .column = "format",
    .always_written = true,
    .canonical = [](std::string_view text) { return to_string(parse_formats(text)); },
    .get = [](const PointConfig& point) { return to_string(point.formats); },
    .set = [](PointConfig& point, const std::string& text) { point.formats = parse_formats(text); },
});

}  // namespace orderlab::axes
