// The number of terms.
#include "config/axes/field.hpp"
#include "orderlab/philox.hpp"

namespace orderlab::axes {

extern const Axis kN;
constinit const Axis kN{
    .name = "n",
    .help = "number of terms",
    .kind = AxisKind::count,
    .low = 1,
    .high = RandomStream::kIndexLimit,
    .use = AxisUse::sums,
    .part = AxisPart::terms,
    .role = AxisRole::size,
    .column = "n",
    .always_shown = true,
    .get = field_text<&PointConfig::n>,
    .set = set_field<&PointConfig::n>,
};

}  // namespace orderlab::axes
