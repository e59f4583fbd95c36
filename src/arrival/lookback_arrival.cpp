// Look-back distances as the arrival of tiles makes them.
#include <algorithm>
#include <vector>

#include "orderlab/arrival.hpp"

namespace orderlab {
namespace {

constexpr Parameter kArrivalLookbackParameters[] = {
    {.name = "delay", .kind = ParameterKind::count, .default_text = "32", .low = 0}};

// Time is counted in arrivals. Tiles are done in launch order, since each waits for those before it alone.
void draw_by_arrival(const Arguments& arguments, const std::optional<RandomStream>&,
                     std::span<const std::uint32_t> arrival, std::span<std::uint32_t> distances) {
  const std::size_t tiles = distances.size();
  const std::uint64_t delay = std::min<std::uint64_t>(arguments.count(0), std::uint64_t{1} << 32);
  std::vector<std::uint64_t> partial(tiles);    // when a tile's partial sum can be read
  std::vector<std::uint64_t> inclusive(tiles);  // and its inclusive sum
  for (std::size_t i = 0; i < tiles; ++i) partial[arrival[i]] = i;
  distances[0] = 0;
  inclusive[0] = partial[0];  // its only sum
  for (std::size_t t = 1; t < tiles; ++t) {
    std::uint64_t now = partial[t];
    std::size_t k = 0;
    for (std::size_t read = 0; k == 0; read += kLookbackWindow) {
      if (read > 0) now += delay;
      const std::size_t last = std::min(read + kLookbackWindow, t);
      for (std::size_t d = read + 1; d <= last; ++d) now = std::max(now, partial[t - d]);
      for (std::size_t d = read + 1; d <= last && k == 0; ++d)
        if (inclusive[t - d] <= now) k = d;
    }
    distances[t] = static_cast<std::uint32_t>(k);
    inclusive[t] = now + delay;
  }
}

}  // namespace

extern const LookbackModel kArrivalLookback;
const LookbackModel kArrivalLookback{
    .name = "arrival",
    .summary =
        "tiles arrive as --arrival says; a window of 32 tiles is read when all have arrived, and it and the "
        "inclusive sum take `delay` arrivals to read and to publish",
    .source = "CUB 3.0.1, single_pass_scan_operators.cuh; the delay is not measured",
    .parameters = kArrivalLookbackParameters,
    .random = false,
    .by_arrival = true,
    .draw = draw_by_arrival,
};

}  // namespace orderlab
