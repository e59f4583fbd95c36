// The number of terms.
#include "config/axes/field.hpp"
#include "study/input_options.hpp"

namespace orderlab::axes {

extern const Axis kN;
constinit const Axis kN = axis_of<study::kN>({
    .help = "number of terms",
    .use = AxisUse::sums,
    .part = AxisPart::terms,
    .role = AxisRole::size,
    .column = "n",
    .always_shown = true,
    .get = field_text<&PointConfig::n>,
    .set = set_field<&PointConfig::n>,
});

}  // namespace orderlab::axes
