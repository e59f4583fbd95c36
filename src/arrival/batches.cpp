// drift whose neighbours are delayed together: every batch of consecutive thread blocks shares a part of its delay.
#include "arrival/delayed_launch.hpp"
#include "arrival/order_size.hpp"
#include "orderlab/arrival.hpp"

namespace orderlab {
namespace {

constexpr Parameter kBatchesParameters[] = {
    {.name = "first", .kind = ParameterKind::real, .default_text = ""},
    {.name = "last", .kind = ParameterKind::real, .default_text = ""},
    {.name = "size", .kind = ParameterKind::count, .default_text = "", .low = 1},
    {.name = "share", .kind = ParameterKind::real, .default_text = "", .low = 0, .high = 1},
};

void check_batches(const Arguments&, std::size_t m) { check_order_size(m); }

/// Sorts by i + s_i (sqrt(1 - share) N_i + sqrt(share) G_b), ties by i; b = i / size. N_i is the normal number of block
/// i of the stream at attempt 0, G_b that of block b at attempt 1.
constexpr SortKey kBatchesKey{
    .spreads = [](const Arguments& arguments, std::size_t m, std::size_t first,
                  std::span<double> s) { growing_spreads(arguments.real(0), arguments.real(1), m, first, s); },
    .batches =
        [](const Arguments& arguments) {
          return Batches{arguments.count(2), arguments.real(3)};
        }};

void draw_batches(const Arguments& arguments, const RandomStream& stream, std::span<std::uint32_t> order) {
  delayed_launch(kBatchesKey, arguments, stream, order);
}

}  // namespace

extern constinit const ArrivalModel kBatchesArrival{
    .name = "batches",
    .summary = "drift where each `size` consecutive thread blocks share a part of their delay, `share` of its variance",
    .source =
        "orderlab, a four-parameter fit to the recordings of [Shanmugavelu2024]; normal numbers of [BoxMuller1958]",
    .parameters = kBatchesParameters,
    .random = true,
    .key = &kBatchesKey,
    .check = check_batches,
    .draw = draw_batches,
};

}  // namespace orderlab
