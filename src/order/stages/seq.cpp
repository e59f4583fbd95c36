// seq: left to right, everything or each run of k.
#include "order/left_to_right.hpp"

namespace orderlab {

namespace {

constexpr Parameter kSeqParameters[] = {
    {.name = "k", .kind = ParameterKind::count, .default_text = "-", .low = 1}, kAccumulateParameter, kFromParameter};
constexpr std::size_t kSeqAcc = 1;
constexpr int kSeqFrom = 2;

Steps describe_seq(const Arguments& arguments, std::size_t m, Format) {
  return {steps::add_runs(arguments.has(0) ? arguments.count(0) : m, left_to_right(arguments, kSeqAcc, kSeqFrom))};
}

}  // namespace

extern const Stage kSeq;
const Stage kSeq{
    .name = "seq",
    .summary = "left to right: everything, or each run of k consecutive partial sums",
    .source = "[Higham1993] (recursive summation)",
    .parameters = kSeqParameters,
    .reduces = true,
    .guarantee = Guarantee::any_device,
    .check = [](const Arguments& arguments) { check_left_to_right(arguments, kSeqAcc, kSeqFrom, "seq"); },
    .describe = describe_seq,
};

}  // namespace orderlab
