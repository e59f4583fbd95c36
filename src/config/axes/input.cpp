// The number of an independent array of terms. Of given terms the JSON has the hash in its place.
#include "config/axes/field.hpp"
#include "study/input_options.hpp"

namespace orderlab::axes {

extern const Axis kInput;
constinit const Axis kInput = axis_of<study::kInput>({
    .default_text = "0",
    .help = "number of an independent array of terms, or a file of terms, FILE or FILE::NAME",
    .kind = AxisKind::count,
    .or_file = true,
    .part = AxisPart::terms,
    .role = AxisRole::input,
    .column = "input",
    .exported = "input_number",
    .get =
        [](const PointConfig& point) {
          return point.given_terms && !point.input_path.empty() ? point.input_path : std::to_string(point.input);
        },
    .set =
        [](PointConfig& point, const std::string& text) {
          const auto number = count_in(text);
          point.given_terms = !number;
          point.input = number.value_or(0);
          point.input_path = number ? std::string() : text;
        },
    .stored = [](const PointConfig& point) { return point.given_terms ? point.terms : std::to_string(point.input); },
    .restore =
        [](PointConfig& point, const std::string& text) {
          const auto number = count_in(text);
          point.given_terms = !number;
          if (number)
            point.input = *number;
          else
            point.terms = text;
        },
});

}  // namespace orderlab::axes
