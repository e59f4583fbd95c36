// sort: by value or by magnitude, stable; NaN last. A product is sorted by its value rounded to the accumulate format.
#include <array>

#include "orderlab/order.hpp"

namespace orderlab {

namespace {

constexpr std::array<std::string_view, 4> kKeys{"asc", "desc", "abs_asc", "abs_desc"};
constexpr Parameter kSortParameters[] = {
    {.name = "key", .kind = ParameterKind::choice, .default_text = "", .choices = kKeys}};

Steps describe_sort(const Arguments& arguments, std::size_t, Format) {
  const std::string_view key = arguments.choice(0);
  return {{steps::Move{.kind = steps::Move::Kind::by_value,
                       .by_magnitude = key.starts_with("abs_"),
                       .descending = key.ends_with("desc")}}};
}

}  // namespace

extern const Stage kSort;
const Stage kSort{
    .name = "sort",
    .summary = "by value (asc, desc) or magnitude (abs_asc, abs_desc); stable, NaN last",
    .source = "[Higham1993]",
    .parameters = kSortParameters,
    .reduces = false,
    .guarantee = Guarantee::any_device,
    .describe = describe_sort,
};

}  // namespace orderlab
