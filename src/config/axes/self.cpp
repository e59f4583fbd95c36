// The first values of an operation's accumulators. The JSON has the hash of the file's content.
#include "config/axes/field.hpp"

namespace orderlab::axes {

extern const Axis kSelf;
constinit const Axis kSelf{
    .name = "self",
    .default_text = kAbsent,
    .help = "file of the first values of an operation's accumulators; 0 if left out",
    .use = AxisUse::operations,
    .part = AxisPart::terms,
    .column = "self_hash",
    .get = array_text<&PointConfig::self>,
    .set = set_array_path<&PointConfig::self>,
    .stored = array_hash<&PointConfig::self>,
    .restore = set_array_hash<&PointConfig::self>,
};

}  // namespace orderlab::axes
