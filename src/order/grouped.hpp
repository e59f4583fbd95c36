// Stages that add groups of partial sums, each in the same way. A stage defines the positions of its groups once; from
// that they are added one by one, many at once in vectors, or for their heights alone.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "order/groups.hpp"
#include "order/height_runs.hpp"
#include "order/heights_alone.hpp"
#include "order/in_rows.hpp"
#include "order/rows.hpp"
#include "order/stage_code.hpp"

namespace orderlab {

namespace detail {

/// One group after the other.
template <class A, class Tree>
void add_one_by_one(A& arith, const Input<A>& in, Output<A> out, const Groups& g, Tree tree) {
  A local = arith;  // a copy the compiler can keep in registers: nothing else can point at it
  std::vector<typename A::Value> members;
  for (std::size_t p = 0; p < g.count; ++p)
    for (std::size_t l = 0; l < g.width; ++l) {
      const std::size_t count = g.members + (l < g.longer ? 1 : 0);
      std::size_t i = g.first + p * g.stride + l;
      const auto next = [&] {
        const auto value = in[i];
        i += g.step;
        return value;
      };
      auto& sum = out[g.place + p * g.width + l];
      if constexpr (kLeftToRight<Tree>) {
        sum = left_to_right(local, tree, count, next);
      } else {
        members.resize(count);
        for (auto& member : members) member = next();
        tree(local, std::span(members));
        sum = members.front();
      }
    }
  arith = local;
}

/// Whether vectors are worth their preparations: a matter of the shape alone, as figures of the error bounds depend on
/// it.
template <class T, class Tree>
bool worth_rows(const Groups& g, Tree tree) {
  constexpr std::size_t kLeastGroups = sizeof(T) == 2 ? 1 : 4;  // additions of 16 bits are slow one by one
  if constexpr (kLeftToRight<Tree>) {
    if (tree.accumulate != Accumulate::plain) return false;
  } else if (g.members > GroupRows::kMostMembers) {
    return false;
  }
  return g.members > 1 && g.groups() >= kLeastGroups && g.groups() * g.members >= kLeastTerms;
}

}  // namespace detail

/// Adds the groups of `g`.
template <class A, class Tree>
void add_groups(A& arith, const Input<A>& in, Output<A> out, const Groups& g, Tree tree) {
  if constexpr (kInRows<A>) {
    using T = typename A::T;
    if (detail::worth_rows<T>(g, tree)) {
      const Levels levels =
          g.stride == g.members && g.width == 1 && g.step == 1 ? levels_of(tree, g.members) : Levels::none;
      if (levels != Levels::none)
        return add_in_levels(arith, in.values().data() + g.first, g.count, g.members, levels, out.data() + g.place);
      InRows<T, Tree>(arith, g.members, tree).add(in.values().data(), g, out.data());
      if constexpr (kLeftToRight<Tree>)
        for (std::size_t l = 0; l < g.longer; ++l)
          out[g.place + l] = arith.add(out[g.place + l], in[g.first + l + g.members * g.step]);
      return;
    }
  }
  detail::add_one_by_one(arith, in, out, g, tree);
}

namespace detail {

/// Of a group whose members have these heights; the vector is used up.
template <class Tree>
std::uint64_t height_of_group(std::vector<std::uint64_t> members, Tree tree) {
  if constexpr (kLeftToRight<Tree>) {
    return HeightTracer::group_height(members);
  } else {
    HeightsAlone<double> arith;  // the trees of groups are the same in every format
    tree(arith, std::span(members));
    return members.front();
  }
}

template <class Tree>
std::uint64_t height_of_equals(std::size_t members, std::uint64_t height, Tree tree) {
  if constexpr (kLeftToRight<Tree>)
    return height + members - 1;
  else
    return height_of_group(std::vector<std::uint64_t>(members, height), tree);
}

}  // namespace detail

/// Heights of the groups of `g`, appended to `out`, which has those of all before them.
template <class Tree>
void append_heights(const HeightRuns& in, HeightRuns& out, const Groups& g, Tree tree) {
  const std::size_t last = g.width - 1 + (g.members - 1) * g.step;  // of a piece, without what longer groups have
  for (std::size_t p = 0; p < g.count;) {
    const std::size_t begin = g.first + p * g.stride;
    const HeightRuns::Run& run = in.run_of(begin);
    if (begin + last < run.end && (g.longer == 0 || in.all_equal())) {
      const std::size_t alike = g.stride == 0 ? 1 : std::min(g.count - p, (run.end - 1 - begin - last) / g.stride + 1);
      if (g.longer > 0) out.append(g.longer, detail::height_of_equals(g.members + 1, run.height, tree));
      out.append(alike * g.width - g.longer, detail::height_of_equals(g.members, run.height, tree));
      p += alike;
      continue;
    }
    for (std::size_t l = 0; l < g.width; ++l)
      out.append(1, detail::height_of_group(in.some(begin + l, g.members + (l < g.longer ? 1 : 0), g.step), tree));
    ++p;
  }
}

/// The code of a stage S that is nothing but groups: S::groups(arguments, m, visit) calls visit(groups, tree) for all
/// groups of m partial sums, in the order of their places.
template <class S>
struct Grouped {
  template <class A>
  static void reduce(const StageContext& context, A& arith, Input<A> in, Output<A> out) {
    S::groups(context.arguments, in.size(), [&](const Groups& g, auto tree) { add_groups(arith, in, out, g, tree); });
  }

  static HeightRuns heights(const StageContext& context, Format, std::size_t, const HeightRuns& in) {
    HeightRuns out;
    S::groups(context.arguments, in.size(), [&](const Groups& g, auto tree) { append_heights(in, out, g, tree); });
    return out;
  }
};

template <class S>
inline constexpr StageCode kGroupCode{
    .reduce = detail::AllMeanings::reduce<Grouped<S>>(), .heights = Grouped<S>::heights, .unit = unit_of<S>()};

}  // namespace orderlab
