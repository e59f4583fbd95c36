// Look-back to the last tile before it whose number is a multiple of some number.
#include "orderlab/arrival.hpp"

namespace orderlab {
namespace {

constexpr Parameter kAnchorParameters[] = {{.name = "every",
                                            .kind = ParameterKind::count,
                                            .default_text = "32",
                                            .low = 1,
                                            .high = static_cast<double>(kLookbackWindow)}};

void draw_anchors(const Arguments& arguments, const std::optional<RandomStream>&, std::span<const std::uint32_t>,
                  std::span<std::uint32_t> distances) {
  const std::uint64_t every = arguments.count(0);
  for (std::size_t t = 0; t < distances.size(); ++t)
    distances[t] = t == 0 ? 0 : static_cast<std::uint32_t>((t - 1) % every + 1);
}

}  // namespace

extern const LookbackModel kAnchorLookback;
const LookbackModel kAnchorLookback{
    .name = "anchors",
    .summary =
        "every tile looks back to the last one before it whose number is a multiple of `every`: 32 is the "
        "run-to-run deterministic scan of CCCL 3.5, the same bits in every run",
    .source = "CCCL 3.5, single_pass_scan_operators.cuh, lookback_stable_reduction_order",
    .parameters = kAnchorParameters,
    .random = false,
    .by_arrival = false,
    .draw = draw_anchors,
};

}  // namespace orderlab
