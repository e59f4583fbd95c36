// chunks: consecutive chunks of as equal size as possible, a static schedule of t threads.
#include "order/left_to_right.hpp"

namespace orderlab {

namespace {

constexpr Parameter kChunksParameters[] = {
    {.name = "t", .kind = ParameterKind::count, .default_text = "", .low = 1}, kAccumulateParameter, kFromParameter};
constexpr std::size_t kChunksAcc = 1;
constexpr int kChunksFrom = 2;

Steps describe_chunks(const Arguments& arguments, std::size_t m, Format) {
  const std::size_t t = arguments.count(0);
  const std::size_t k = m / t;
  const std::size_t longer = m % t;
  return {{steps::Add{{{.count = longer, .stride = k + 1, .members = k + 1},
                       {.first = longer * (k + 1), .count = t - longer, .stride = k, .members = k, .place = longer}},
                      left_to_right(arguments, kChunksAcc, kChunksFrom)}}};
}

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
    .describe = describe_chunks,
};

}  // namespace orderlab
