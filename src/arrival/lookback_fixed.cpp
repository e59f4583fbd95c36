// The same look-back distance everywhere.
#include <algorithm>

#include "orderlab/arrival.hpp"

namespace orderlab {
namespace {

constexpr Parameter kFixedLookbackParameters[] = {
    {.name = "distance", .kind = ParameterKind::count, .default_text = "", .low = 1}};

void draw_fixed(const Arguments& arguments, const std::optional<RandomStream>&, std::span<const std::uint32_t>,
                std::span<std::uint32_t> distances) {
  for (std::size_t t = 0; t < distances.size(); ++t)
    distances[t] = static_cast<std::uint32_t>(std::min<std::uint64_t>(t, arguments.count(0)));
}

}  // namespace

extern const LookbackModel kFixedLookback;
const LookbackModel kFixedLookback{
    .name = "fixed",
    .summary = "every tile looks back `distance` tiles, or to the first: 1 is one chain of tiles, 1e9 always the first",
    .source = "definition",
    .parameters = kFixedLookbackParameters,
    .random = false,
    .by_arrival = false,
    .draw = draw_fixed,
};

}  // namespace orderlab
