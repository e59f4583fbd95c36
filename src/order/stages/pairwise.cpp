// pairwise: split in two halves, recurse (cascade summation).
#include "order/stages/pairwise.hpp"

#include "order/left_to_right.hpp"

namespace orderlab {

namespace {

constexpr Parameter kPairwiseParameters[] = {
    {.name = "base", .kind = ParameterKind::count, .default_text = "1", .low = 1},
    kAccumulateParameter,
    kFromParameter};
constexpr std::size_t kPairwiseAcc = 1;
constexpr int kPairwiseFrom = 2;

Steps describe_pairwise(const Arguments& arguments, std::size_t m, Format) {
  const Combination how = left_to_right(arguments, kPairwiseAcc, kPairwiseFrom);
  return {
      steps::split(m, arguments.count(0), {}, [&](std::size_t size) -> Steps { return {steps::add_runs(size, how)}; })};
}

}  // namespace

extern const Stage kPairwise;

StageCall pairwise_call() {
  return {&kPairwise, Arguments({Argument(std::uint64_t{1}), Argument(std::string_view("plain")), Argument()})};
}

const Stage kPairwise{
    .name = "pairwise",
    .summary =
        "splits the range in two, the left half getting ceil(m/2), and recurses; ranges of at most `base` left "
        "to right",
    .source = "[Higham1993] (cascade summation)",
    .parameters = kPairwiseParameters,
    .reduces = true,
    .guarantee = Guarantee::any_device,
    .check =
        [](const Arguments& arguments) { check_left_to_right(arguments, kPairwiseAcc, kPairwiseFrom, "pairwise"); },
    .describe = describe_pairwise,
};

}  // namespace orderlab
