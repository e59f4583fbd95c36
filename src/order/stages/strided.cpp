// strided: w interleaved groups, the lanes of a vector loop or the threads of a grid-stride loop.
#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "order/left_to_right.hpp"
#include "order/rest.hpp"
#include "orderlab/error.hpp"

namespace orderlab {

namespace {

constexpr Parameter kStridedParameters[] = {
    {.name = "w", .kind = ParameterKind::count, .default_text = "", .low = 1},
    kAccumulateParameter,
    kFromParameter,
    kRestOfLanesParameter,
    {.name = "u", .kind = ParameterKind::count, .default_text = "1", .low = 1, .keyword_only = true}};
constexpr std::size_t kStridedAcc = 1;
constexpr int kStridedFrom = 2;
constexpr std::size_t kStridedRest = 3;
constexpr std::size_t kStridedUnroll = 4;

// Of `lanes` sums and `rest` partial sums after them: these are added to the first sum, in turn.
void add_rest_to_first(std::size_t lanes, std::size_t rest, std::vector<Step>& steps) {
  steps.push_back(steps::move(lanes + rest, [&](std::size_t k) {
    if (k == 0) return k;
    return k <= rest ? lanes + k - 1 : k - rest;
  }));
  steps::Add add{{{.members = 1 + rest}}};
  if (lanes > 1) add.groups.push_back({.first = 1 + rest, .count = lanes - 1, .stride = 1, .members = 1, .place = 1});
  steps.push_back({std::move(add)});
}

Steps describe_strided(const Arguments& arguments, std::size_t m, Format) {
  const std::size_t w = arguments.count(0) * arguments.count(kStridedUnroll);
  const Combination how = left_to_right(arguments, kStridedAcc, kStridedFrom);
  const bool to_first = arguments.choice(kStridedRest) == kRestToFirst;
  if (keeps_rest(arguments, kStridedRest) || to_first) {
    const Steps kept = add_and_keep({.width = w, .step = w, .members = m / w}, how, m - m % w, m);
    if (!to_first) return kept;
    std::vector<Step> all(kept.begin(), kept.end());
    if (m < w)
      add_rest_to_first(1, m - 1, all);
    else
      add_rest_to_first(w, m % w, all);
    return {std::move(all)};
  }
  return {steps::add({.width = std::min(w, m), .step = std::min(w, m)}, how)};
}

void check_strided(const Arguments& arguments) {
  check_left_to_right(arguments, kStridedAcc, kStridedFrom, "strided");
  check_rest(arguments, kStridedRest, left_to_right(arguments, kStridedAcc, kStridedFrom), "strided");
  if (arguments.choice(kStridedRest) == kRestToFirst && arguments.choice(kStridedAcc) != "plain")
    throw Error(ErrorKind::usage, "strided: rest=first adds the rest plainly; leave out acc=");
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
        "loops; rest=keep leaves the last m mod w*u as they are, after the sums; rest=first adds them to the first sum",
    .source = "[Harris2007]",
    .parameters = kStridedParameters,
    .reduces = true,
    .guarantee = Guarantee::any_device,
    .check = check_strided,
    .describe = describe_strided,
};

}  // namespace orderlab
