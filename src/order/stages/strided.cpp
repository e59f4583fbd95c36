// strided: w interleaved groups, the lanes of a vector loop or the threads of a grid-stride loop.
#include <algorithm>

#include "order/left_to_right.hpp"

namespace orderlab {

namespace {

constexpr Parameter kStridedParameters[] = {
    {.name = "w", .kind = ParameterKind::count, .default_text = "", .low = 1}, kAccumulateParameter, kFromParameter};
constexpr std::size_t kStridedAcc = 1;
constexpr int kStridedFrom = 2;

Steps describe_strided(const Arguments& arguments, std::size_t m, Format) {
  const std::size_t w = std::min<std::size_t>(m, arguments.count(0));
  return {steps::add({.width = w, .step = w}, left_to_right(arguments, kStridedAcc, kStridedFrom))};
}

}  // namespace

extern const Stage kStrided;
const Stage kStrided{
    .name = "strided",
    .summary = "w groups, group j takes j, j+w, j+2w, ... left to right: SIMD lanes, grid-stride loops",
    .source = "[Harris2007]",
    .parameters = kStridedParameters,
    .reduces = true,
    .guarantee = Guarantee::any_device,
    .check = [](const Arguments& arguments) { check_left_to_right(arguments, kStridedAcc, kStridedFrom, "strided"); },
    .describe = describe_strided,
};

}  // namespace orderlab
