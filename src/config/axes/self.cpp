// The first values of an operation's accumulators. The JSON has the hash of the file's content.
#include "config/axes/field.hpp"
#include "study/input_options.hpp"

namespace orderlab::axes {

extern const Axis kSelf;
constinit const Axis kSelf = axis_of<study::kSelf>({
    .default_text = kAbsent,
    .use = AxisUse::operations,
    .part = AxisPart::terms,
    .column = "self_hash",
    .get = array_text<&PointConfig::self>,
    .set = set_array_path<&PointConfig::self>,
    .stored = array_hash<&PointConfig::self>,
    .restore = set_array_hash<&PointConfig::self>,
});

}  // namespace orderlab::axes
