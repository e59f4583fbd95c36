// halving: the far partner first, a shuffle-down warp tree or a shared-memory tree with sequential addressing.
#include "order/stages/halving.hpp"

#include <string>

#include "order/rest.hpp"

namespace orderlab {

namespace {

constexpr Parameter kHalvingParameters[] = {
    {.name = "k", .kind = ParameterKind::count, .default_text = "", .low = 1},
    {.name = "to", .kind = ParameterKind::count, .default_text = "1", .low = 1, .keyword_only = true},
    kRestParameter};
constexpr std::size_t kHalvingTo = 1;
constexpr std::size_t kHalvingRest = 2;

Steps describe_halving(const Arguments& arguments, std::size_t m, Format) {
  const std::size_t k = arguments.count(0);
  const std::size_t to = arguments.count(kHalvingTo);
  const Combination how{.tree = Combination::Tree::halves, .width = k / to};
  Groups runs{.count = Groups::kAll, .stride = k, .width = to, .step = to, .members = k / to};
  if (!keeps_rest(arguments, kHalvingRest)) return {steps::add(runs, how)};
  runs.count = m / k;
  return add_and_keep(runs, how, m - m % k, m);
}

void check_halving(const Arguments& arguments) {
  const std::uint64_t k = arguments.count(0);
  check_power_of_two(k, "halving(" + std::to_string(k) + "): k");
  check_halving_to(arguments.count(kHalvingTo), k, "halving", "k");
}

}  // namespace

extern const Stage kHalving;
const Stage kHalving{
    .name = "halving",
    .summary =
        "each run of k (a power of two): v[l] += v[l+o] for o = k/2, ..., 2, 1: far partner first; to=j stops after o "
        "= j and leaves j sums of a run; rest=keep leaves a run shorter than k as it is",
    .source = "[Harris2007]; shuffle-down by 16, 8, 4, 2, 1",
    .parameters = kHalvingParameters,
    .reduces = true,
    .guarantee = Guarantee::any_device,
    .check = check_halving,
    .describe = describe_halving,
};

}  // namespace orderlab
