// halving: the far partner first, a shuffle-down warp tree or a shared-memory tree with sequential addressing.
#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include "order/grouped.hpp"
#include "order/in_rows.hpp"
#include "order/stage_code.hpp"
#include "order/stages/counts.hpp"
#include "orderlab/error.hpp"

namespace orderlab {

namespace {

constexpr Parameter kHalvingParameters[] = {{.name = "k", .kind = ParameterKind::count, .default_text = "", .low = 1}};

/// The tree of a run of k; it may be a shorter one.
struct HalvingTree {
  std::size_t k;

  Levels levels(std::size_t members) const { return members == k ? Levels::halves : Levels::none; }

  template <class A>
  void operator()(A& arith, std::span<typename A::Value> v) const {
    for (std::size_t o = k / 2; o > 0; o /= 2)
      for (std::size_t l = 0; l < o && l + o < v.size(); ++l) v[l] = arith.add(v[l], v[l + o]);
  }
};

/// Full runs of a k above LevelRuns::kMostMembers, in vectors. The first additions, down to the distance `width`, are
/// of numbers that lie side by side: halving(k / width) on `width` groups of every width-th number. What they leave is
/// halved in turn.
template <class T>
void add_halves(Floats<T>& arith, const T* in, std::size_t k, std::size_t runs, T* out) {
  constexpr std::size_t kRunsAtOnce = RowErrors::kLanes;
  const std::size_t members = std::min(k / LevelRuns::kMostMembers, GroupRows::kMostMembers);
  const std::size_t width = k / members;
  std::vector<T> left(std::min(runs, kRunsAtOnce) * width);
  for (std::size_t r = 0; r < runs; r += kRunsAtOnce) {
    const std::size_t count = std::min(kRunsAtOnce, runs - r);
    InRows<T, HalvingTree>(arith, members, HalvingTree{members})
        .add(in + r * k, {.count = count, .stride = k, .width = width, .step = width, .members = members}, left.data());
    if (width <= LevelRuns::kMostMembers)
      add_in_levels(arith, left.data(), count, width, Levels::halves, out + r);
    else
      add_halves(arith, left.data(), width, count, out + r);
  }
}

struct Halving {
  static constexpr auto& unit = run_unit;

  template <class Visit>
  static void groups(const Arguments& arguments, std::size_t m, Visit visit) {
    const std::size_t k = arguments.count(0);
    visit_runs(k, m, [&](const Groups& g) { visit(g, HalvingTree{k}); });
  }

  template <class A>
  static void reduce(const StageContext& context, A& arith, Input<A> in, Output<A> out) {
    groups(context.arguments, in.size(), [&](const Groups& g, HalvingTree tree) {
      if constexpr (kInRows<A>)
        if (g.members == tree.k && tree.k > LevelRuns::kMostMembers)
          return add_halves(arith, in.values().data(), tree.k, g.count, out.data());
      add_groups(arith, in, out, g, tree);
    });
  }
};

constexpr StageCode kHalvingCode{
    .reduce = detail::AllMeanings::reduce<Halving>(), .heights = Grouped<Halving>::heights, .unit = Halving::unit};

void check_halving(const Arguments& arguments) {
  const std::uint64_t k = arguments.count(0);
  if (std::has_single_bit(k)) return;
  std::string near = std::to_string(std::bit_floor(k));
  if (k < std::uint64_t{1} << 63) near += " or " + std::to_string(std::bit_ceil(k));
  throw Error(ErrorKind::usage, "halving(" + std::to_string(k) + "): k must be a power of two, such as " + near);
}

}  // namespace

extern const Stage kHalving;
const Stage kHalving{
    .name = "halving",
    .summary = "each run of k (a power of two): v[l] += v[l+o] for o = k/2, ..., 2, 1: far partner first",
    .source = "[Harris2007]; shuffle-down by 16, 8, 4, 2, 1",
    .parameters = kHalvingParameters,
    .reduces = true,
    .guarantee = Guarantee::any_device,
    .check = check_halving,
    .count = [](const Arguments& arguments, std::size_t m, Format) { return runs_of(m, arguments.count(0)); },
    .code = &kHalvingCode,
};

}  // namespace orderlab
