// chunks: consecutive chunks of as equal size as possible, a static schedule of t threads.
#include <algorithm>

#include "order/grouped.hpp"
#include "order/left_to_right.hpp"
#include "order/stage_code.hpp"

namespace orderlab {

namespace {

constexpr Parameter kChunksParameters[] = {
    {.name = "t", .kind = ParameterKind::count, .default_text = "", .low = 1}, kAccumulateParameter, kFromParameter};
constexpr std::size_t kChunksAcc = 1;
constexpr int kChunksFrom = 2;

struct Chunks {
  template <class Visit>
  static void groups(const Arguments& arguments, std::size_t m, Visit visit) {
    const LeftToRight how = LeftToRight::read(arguments, kChunksAcc, kChunksFrom);
    const std::size_t t = arguments.count(0);
    const std::size_t k = m / t;
    const std::size_t longer = m % t;
    if (longer > 0) visit(Groups{.count = longer, .stride = k + 1, .members = k + 1}, how);
    if (k > 0)
      visit(Groups{.first = longer * (k + 1), .count = t - longer, .stride = k, .members = k, .place = longer}, how);
  }
};

}  // namespace

extern const Stage kChunks;
const Stage kChunks{
    .name = "chunks",
    .summary = "t consecutive chunks of as equal size as possible (the first m mod t one longer), each left to right",
    .source = "OpenMP 5.2, schedule(static)",
    .parameters = kChunksParameters,
    .reduces = true,
    .guarantee = Guarantee::run_to_run,
    .check = [](const Arguments& arguments) { check_left_to_right(arguments, kChunksAcc, kChunksFrom, "chunks"); },
    .count = [](const Arguments& arguments, std::size_t m,
                Format) { return std::min<std::size_t>(m, arguments.count(0)); },
    .code = &kGroupCode<Chunks>,
};

}  // namespace orderlab
