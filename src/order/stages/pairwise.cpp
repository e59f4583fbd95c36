// pairwise: split in two halves, recurse (cascade summation).
#include "order/stages/pairwise.hpp"

#include "order/left_to_right.hpp"

namespace orderlab {

namespace {

constexpr std::string_view kPairwiseHalves[] = {"up", "down"};
constexpr Parameter kPairwiseParameters[] = {
    {.name = "base", .kind = ParameterKind::count, .default_text = "1", .low = 1},
    kAccumulateParameter,
    kFromParameter,
    {.name = "half",
     .kind = ParameterKind::choice,
     .default_text = "up",
     .choices = kPairwiseHalves,
     .keyword_only = true}};
constexpr std::size_t kPairwiseAcc = 1;
constexpr int kPairwiseFrom = 2;
constexpr std::size_t kPairwiseHalf = 3;

Steps describe_pairwise(const Arguments& arguments, std::size_t m, Format) {
  const Combination how = left_to_right(arguments, kPairwiseAcc, kPairwiseFrom);
  const steps::Halves halves{.larger_first = arguments.choice(kPairwiseHalf) == "up"};
  return {steps::split(m, arguments.count(0), halves,
                       [&](std::size_t size) -> Steps { return {steps::add_runs(size, how)}; })};
}

}  // namespace

extern const Stage kPairwise;

StageCall pairwise_call() {
  return {&kPairwise, Arguments({Argument(std::uint64_t{1}), Argument(std::string_view("plain")), Argument(),
                                 Argument(std::string_view("up"))})};
}

const Stage kPairwise{
    .name = "pairwise",
    .summary =
        "splits the range in two, the left half getting ceil(m/2), or floor(m/2) with half=down, and recurses; ranges "
        "of at most `base` left to right",
    .source = "[Higham1993] (cascade summation)",
    .parameters = kPairwiseParameters,
    .reduces = true,
    .guarantee = Guarantee::any_device,
    .check =
        [](const Arguments& arguments) { check_left_to_right(arguments, kPairwiseAcc, kPairwiseFrom, "pairwise"); },
    .describe = describe_pairwise,
};

}  // namespace orderlab
