// seq: left to right, everything or each run of k.
#include "order/grouped.hpp"
#include "order/left_to_right.hpp"
#include "order/stage_code.hpp"
#include "order/stages/counts.hpp"

namespace orderlab {

namespace {

constexpr Parameter kSeqParameters[] = {
    {.name = "k", .kind = ParameterKind::count, .default_text = "-", .low = 1}, kAccumulateParameter, kFromParameter};
constexpr std::size_t kSeqAcc = 1;
constexpr int kSeqFrom = 2;

std::size_t run_length(const Arguments& arguments, std::size_t m) { return arguments.has(0) ? arguments.count(0) : m; }

struct Seq {
  static std::size_t unit(const Arguments& arguments, std::size_t m, Format) { return run_length(arguments, m); }

  template <class Visit>
  static void groups(const Arguments& arguments, std::size_t m, Visit visit) {
    const LeftToRight how = LeftToRight::read(arguments, kSeqAcc, kSeqFrom);
    visit_runs(run_length(arguments, m), m, [&](const Groups& g) { visit(g, how); });
  }
};

std::optional<LeftToRight> one_group(const Arguments& arguments, std::size_t m) {
  if (run_length(arguments, m) < m) return std::nullopt;
  return LeftToRight::read(arguments, kSeqAcc, kSeqFrom);
}

constexpr StageCode kSeqCode{
    .reduce = detail::AllMeanings::reduce<Grouped<Seq>>(),
    .heights = Grouped<Seq>::heights,
    .one_group = one_group,
    .unit = Seq::unit,
};

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
    .count = [](const Arguments& arguments, std::size_t m, Format) { return runs_of(m, run_length(arguments, m)); },
    .code = &kSeqCode,
};

}  // namespace orderlab
