// seq: left to right, everything or each run of k.
#include "order/left_to_right.hpp"
#include "order/rest.hpp"
#include "orderlab/error.hpp"

namespace orderlab {

namespace {

constexpr Parameter kSeqParameters[] = {{.name = "k", .kind = ParameterKind::count, .default_text = "-", .low = 1},
                                        kAccumulateParameter,
                                        kFromParameter,
                                        kRestParameter};
constexpr std::size_t kSeqAcc = 1;
constexpr int kSeqFrom = 2;
constexpr std::size_t kSeqRest = 3;

Steps describe_seq(const Arguments& arguments, std::size_t m, Format) {
  const std::size_t k = arguments.has(0) ? arguments.count(0) : m;
  const Combination how = left_to_right(arguments, kSeqAcc, kSeqFrom);
  if (!keeps_rest(arguments, kSeqRest)) return {steps::add_runs(k, how)};
  return add_and_keep({.count = m / k, .stride = k, .members = k}, how, m - m % k, m);
}

void check_seq(const Arguments& arguments) {
  check_left_to_right(arguments, kSeqAcc, kSeqFrom, "seq");
  check_rest(arguments, kSeqRest, left_to_right(arguments, kSeqAcc, kSeqFrom), "seq");
  if (keeps_rest(arguments, kSeqRest) && !arguments.has(0))
    throw Error(ErrorKind::usage, "seq(rest=keep): without k there is no rest; give k, such as seq(8,rest=keep)");
}

}  // namespace

extern const Stage kSeq;
const Stage kSeq{
    .name = "seq",
    .summary =
        "left to right: everything, or each run of k consecutive partial sums; rest=keep leaves a run shorter than k "
        "as it is",
    .source = "[Higham1993] (recursive summation)",
    .parameters = kSeqParameters,
    .reduces = true,
    .guarantee = Guarantee::any_device,
    .check = check_seq,
    .describe = describe_seq,
};

}  // namespace orderlab
