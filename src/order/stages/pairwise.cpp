// pairwise: split in two halves, recurse (cascade summation).
#include "order/stages/pairwise.hpp"

#include "order/left_to_right.hpp"
#include "order/stage_code.hpp"

namespace orderlab {

namespace {

constexpr Parameter kParameters[] = {{.name = "base", .kind = ParameterKind::count, .default_text = "1", .low = 1},
                                     kAccumulateParameter,
                                     kFromParameter};
constexpr std::size_t kAcc = 1;
constexpr int kFrom = 2;

struct Pairwise {
  template <class A>
  static void reduce(const StageContext& context, A& arith, Input<A> in, Output<A> out) {
    const LeftToRight how = LeftToRight::read(context.arguments, kAcc, kFrom);
    out[0] = sum(arith, how, context.arguments.count(0), in, 0, in.size());
  }

  template <class A>
  static typename A::Value sum(A& arith, LeftToRight how, std::size_t base, const Input<A>& in, std::size_t begin,
                               std::size_t m) {
    if (m <= base) return left_to_right(arith, how, m, [&] { return in[begin++]; });
    const std::size_t left = m - m / 2;
    const auto a = sum(arith, how, base, in, begin, left);
    const auto b = sum(arith, how, base, in, begin + left, m - left);
    return arith.add(a, b);
  }
};

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
    .parameters = kParameters,
    .reduces = true,
    .guarantee = Guarantee::any_device,
    .check = [](const Arguments& arguments) { check_left_to_right(arguments, kAcc, kFrom, "pairwise"); },
    .count = [](const Arguments&, std::size_t, Format) { return std::size_t{1}; },
    .code = &kReduceCode<Pairwise>,
};

}  // namespace orderlab
