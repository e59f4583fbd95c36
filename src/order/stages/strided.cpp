// strided: w interleaved groups, the lanes of a vector loop or the threads of a grid-stride loop.
#include <algorithm>

#include "order/grouped.hpp"
#include "order/left_to_right.hpp"
#include "order/stage_code.hpp"

namespace orderlab {

namespace {

constexpr Parameter kStridedParameters[] = {
    {.name = "w", .kind = ParameterKind::count, .default_text = "", .low = 1}, kAccumulateParameter, kFromParameter};
constexpr std::size_t kStridedAcc = 1;
constexpr int kStridedFrom = 2;

struct Strided {
  template <class Visit>
  static void groups(const Arguments& arguments, std::size_t m, Visit visit) {
    const std::size_t w = std::min<std::size_t>(m, arguments.count(0));
    visit(Groups{.width = w, .step = w, .members = m / w, .longer = m % w},
          LeftToRight::read(arguments, kStridedAcc, kStridedFrom));
  }
};

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
    .count = [](const Arguments& arguments, std::size_t m,
                Format) { return std::min<std::size_t>(m, arguments.count(0)); },
    .code = &kGroupCode<Strided>,
};

}  // namespace orderlab
