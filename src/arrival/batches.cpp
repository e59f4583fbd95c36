// drift whose neighbours are delayed together: consecutive thread blocks form batches that share a part of
// their delay, as when a part of the GPU stalls.
#include "arrival/delayed_launch.hpp"
#include "arrival/order_size.hpp"
#include "orderlab/arrival.hpp"

namespace orderlab {
namespace {

constexpr Parameter kBatchesParameters[] = {
    {.name = "first", .kind = ParameterKind::real, .default_text = ""},
    {.name = "last", .kind = ParameterKind::real, .default_text = ""},
    {.name = "size", .kind = ParameterKind::real, .default_text = "", .low = 1},
    {.name = "share", .kind = ParameterKind::real, .default_text = "", .low = 0, .high = 1},
    {.name = "near", .kind = ParameterKind::real, .default_text = "0", .low = 0, .high = 1},
};

void check_batches(const Arguments&, std::size_t m) { check_order_size(m); }

/// Sorts by i + s_i (sqrt(1 - share) z_i + sqrt(share) G_b), ties by i; z_i carries over `near` of
/// z_(i-1) (struct Batches) and adds N_i. N_i is the normal number of block i of the
/// stream at attempt 0, G_b that of block b at attempt 1. Unit i > 0 begins a new batch b where the uniform number of
/// word 3 of block i is below 1 / size.
constexpr SortKey kBatchesKey{
    .spreads = [](const Arguments& arguments, std::size_t m, std::size_t first,
                  std::span<double> s) { growing_spreads(arguments.real(0), arguments.real(1), m, first, s); },
    .batches =
        [](const Arguments& arguments) {
          return Batches{arguments.real(2), arguments.real(3), arguments.real(4)};
        }};

void draw_batches(const Arguments& arguments, const RandomStream& stream, std::span<std::uint32_t> order) {
  delayed_launch(kBatchesKey, arguments, stream, order);
}

}  // namespace

extern constinit const ArrivalModel kBatchesArrival{
    .name = "batches",
    .summary =
        "drift where neighbours are delayed together: batches of geometric length, `size` on average, share a part of "
        "their delay, `share` of its variance; in the rest next neighbours correlate by `near`",
    .source =
        "orderlab, a five-parameter fit to the recordings of [Shanmugavelu2024]; normal numbers of [BoxMuller1958]",
    .parameters = kBatchesParameters,
    .random = true,
    .key = &kBatchesKey,
    .check = check_batches,
    .draw = draw_batches,
};

}  // namespace orderlab
