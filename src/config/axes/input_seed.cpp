// The seed of generated terms.
#include "config/axes/field.hpp"
#include "study/input_options.hpp"

namespace orderlab::axes {

extern const Axis kInputSeed;
constinit const Axis kInputSeed = axis_of<study::kInputSeed>({
    .default_text = kAbsent,
    .help = "seed of the terms only; `seed` if left out",
    .part = AxisPart::terms,
    .role = AxisRole::input,
    .column = "input_seed",
    .get = field_text<&PointConfig::input_seed>,
    .set = set_field<&PointConfig::input_seed>,
    .stored =
        [](const PointConfig& point) { return point.given_terms ? std::string() : std::to_string(point.input_seed); },
});

}  // namespace orderlab::axes
