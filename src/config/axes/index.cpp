// Where an operation adds. The JSON has the hash of the file's content.
#include "config/axes/field.hpp"
#include "study/input_options.hpp"

namespace orderlab::axes {

extern const Axis kIndex;
constinit const Axis kIndex = axis_of<study::kIndex>({
    .default_text = kAbsent,
    .use = AxisUse::operations,
    .part = AxisPart::terms,
    .column = "index_hash",
    .get = array_text<&PointConfig::index>,
    .set = set_array_path<&PointConfig::index>,
    .stored = array_hash<&PointConfig::index>,
    .restore = set_array_hash<&PointConfig::index>,
});

}  // namespace orderlab::axes
