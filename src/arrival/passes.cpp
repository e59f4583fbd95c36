// A grid-stride loop: the grid goes through the data in passes, and the thread blocks of a pass arrive with jitter.
#include <algorithm>

#include "arrival/delayed_launch.hpp"
#include "arrival/order_size.hpp"
#include "orderlab/arrival.hpp"

namespace orderlab {
namespace {

constexpr Parameter kPassesParameters[] = {
    {.name = "g", .kind = ParameterKind::count, .default_text = "", .low = 1},
    {.name = "first", .kind = ParameterKind::real, .default_text = "", .low = 0},
    {.name = "later", .kind = ParameterKind::real, .default_text = "", .low = 0},
    {.name = "run",
     .kind = ParameterKind::real,
     .default_text = "0",
     .low = 0,
     .high = SortKey::kGreatestRun,
     .keyword_only = true},
};

void check_passes(const Arguments&, std::size_t m) { check_order_size(m); }

/// Unit i is thread block i mod g in pass i / g. Sorts by pass, then by i + f s N_i, ties by i; s is `first` in pass 0
/// and `later` in all others, N_i the normal number of block i of the stream, f the factor of the sample.
constexpr SortKey kPassesKey{
    .spreads =
        [](const Arguments& arguments, std::size_t, std::size_t first, std::span<double> s) {
          const std::uint64_t g = arguments.count(0);
          const std::uint64_t of_first = std::min<std::uint64_t>(g > first ? g - first : 0, s.size());
          const auto later = s.begin() + static_cast<std::ptrdiff_t>(of_first);
          std::fill(s.begin(), later, arguments.real(1));
          std::fill(later, s.end(), arguments.real(2));
        },
    .pass = [](const Arguments& arguments) { return arguments.count(0); },
    .run = [](const Arguments& arguments) { return arguments.has(3) ? arguments.real(3) : 0; }};

void draw_passes(const Arguments& arguments, const RandomStream& stream, std::span<std::uint32_t> order) {
  delayed_launch(kPassesKey, arguments, stream, order);
}

}  // namespace

extern constinit const ArrivalModel kPassesArrival{
    .name = "passes",
    .summary =
        "a grid of g thread blocks goes through the data in passes that do not mix: jitter(first) within the "
        "first pass, jitter(later) within each later one; one factor a run multiplies both, its logarithm N(0, run)",
    .source = "orderlab, for grid-stride kernels; normal numbers of [BoxMuller1958]",
    .parameters = kPassesParameters,
    .random = true,
    .key = &kPassesKey,
    .check = check_passes,
    .draw = draw_passes,
};

}  // namespace orderlab
