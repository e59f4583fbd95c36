// strided: w interleaved groups, the lanes of a vector loop or the threads of a grid-stride loop.
#include <algorithm>
#include <limits>

#include "order/left_to_right.hpp"
#include "order/rest.hpp"
#include "orderlab/error.hpp"

namespace orderlab {

namespace {

constexpr Parameter kStridedParameters[] = {
    {.name = "w", .kind = ParameterKind::count, .default_text = "", .low = 1},
    kAccumulateParameter,
    kFromParameter,
    kRestParameter,
    {.name = "u", .kind = ParameterKind::count, .default_text = "1", .low = 1, .keyword_only = true}};
constexpr std::size_t kStridedAcc = 1;
constexpr int kStridedFrom = 2;
constexpr std::size_t kStridedRest = 3;
constexpr std::size_t kStridedUnroll = 4;

Steps describe_strided(const Arguments& arguments, std::size_t m, Format) {
  const std::size_t w = arguments.count(0) * arguments.count(kStridedUnroll);
  const Combination how = left_to_right(arguments, kStridedAcc, kStridedFrom);
  if (keeps_rest(arguments, kStridedRest))
    return add_and_keep({.width = w, .step = w, .members = m / w}, how, m - m % w, m);
  return {steps::add({.width = std::min(w, m), .step = std::min(w, m)}, how)};
}

void check_strided(const Arguments& arguments) {
  check_left_to_right(arguments, kStridedAcc, kStridedFrom, "strided");
  check_rest(arguments, kStridedRest, left_to_right(arguments, kStridedAcc, kStridedFrom), "strided");
  const std::uint64_t u = arguments.count(kStridedUnroll);
  if (u > 1 && arguments.count(0) > std::numeric_limits<std::uint32_t>::max() / u)
    throw Error(ErrorKind::usage, "strided: w * u is too large (below 2^32)");
}

}  // namespace

extern const Stage kStrided;
const Stage kStrided{
    .name = "strided",
    .summary =
        "w*u groups, group j takes j, j+w*u, j+2*w*u, ... left to right: SIMD lanes (u vectors of w), grid-stride "
        "loops; rest=keep leaves the last m mod w*u as they are, after the sums",
    .source = "[Harris2007]",
    .parameters = kStridedParameters,
    .reduces = true,
    .guarantee = Guarantee::any_device,
    .check = check_strided,
    .describe = describe_strided,
};

}  // namespace orderlab
