// The GPU that an operation is launched on.
#include "config/axes/field.hpp"
#include "orderlab/operation.hpp"
#include "study/input_options.hpp"

namespace orderlab::axes {

extern const Axis kGpu;
constinit const Axis kGpu = axis_of<study::kGpu>({
    .use = AxisUse::operations,
    .column = "gpu",
    .canonical = [](std::string_view text) { return parse_device(text).name; },
    .get = field_text<&PointConfig::gpu>,
    .set = set_field<&PointConfig::gpu>,
});

}  // namespace orderlab::axes
