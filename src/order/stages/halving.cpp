// halving: the far partner first, a shuffle-down warp tree or a shared-memory tree with sequential addressing.
#include <bit>
#include <string>

#include "orderlab/error.hpp"
#include "orderlab/stage.hpp"

namespace orderlab {

namespace {

constexpr Parameter kHalvingParameters[] = {{.name = "k", .kind = ParameterKind::count, .default_text = "", .low = 1}};

void check_halving(const Arguments& arguments) {
  const std::uint64_t k = arguments.count(0);
  if (std::has_single_bit(k)) return;
  std::string near = std::to_string(std::bit_floor(k));
  if (k < std::uint64_t{1} << 63) near += " or " + std::to_string(std::bit_ceil(k));
  throw Error(ErrorKind::usage, "halving(" + std::to_string(k) + "): k must be a power of two, such as " + near);
}

}  // namespace

extern const Stage kHalving;
const Stage kHalving{
    .name = "halving",
    .summary = "each run of k (a power of two): v[l] += v[l+o] for o = k/2, ..., 2, 1: far partner first",
    .source = "[Harris2007]; shuffle-down by 16, 8, 4, 2, 1",
    .parameters = kHalvingParameters,
    .reduces = true,
    .guarantee = Guarantee::any_device,
    .check = check_halving,
    .describe = [](const Arguments& arguments, std::size_t, Format) -> Steps {
      return {steps::add_runs(arguments.count(0), {.tree = Combination::Tree::halves, .width = arguments.count(0)})};
    },
};

}  // namespace orderlab
