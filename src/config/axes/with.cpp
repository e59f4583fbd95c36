// What an operation multiplies its input with. The JSON has the hash of the file's content.
#include "config/axes/field.hpp"
#include "study/input_options.hpp"

namespace orderlab::axes {

extern const Axis kWith;
constinit const Axis kWith = axis_of<study::kWith>({
    .default_text = kAbsent,
    .help = "file of what an operation multiplies its input with",
    .use = AxisUse::operations,
    .part = AxisPart::terms,
    .column = "with_hash",
    .get = array_text<&PointConfig::factor>,
    .set = set_array_path<&PointConfig::factor>,
    .stored = array_hash<&PointConfig::factor>,
    .restore = set_array_hash<&PointConfig::factor>,
});

}  // namespace orderlab::axes
