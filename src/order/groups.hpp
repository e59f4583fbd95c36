// Stages that add groups of partial sums, each in the same way: where the groups lie is said once, and with that they
// are added one by one, many at once in vectors, or for their heights alone.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <span>
#include <vector>

#include "order/height_runs.hpp"
#include "order/left_to_right.hpp"
#include "order/level_sums.hpp"
#include "order/rows.hpp"
#include "order/stage_code.hpp"

namespace orderlab {

/// `count` pieces of `width` groups that lie side by side: member i of group l of piece p is partial sum
/// first + p * stride + l + i * step, and its sum goes to place + p * width + l. With `longer`, which wants count == 1,
/// so many groups at the front have one member more.
struct Groups {
  std::size_t first = 0;
  std::size_t count = 1;
  std::size_t stride = 0;
  std::size_t width = 1;
  std::size_t step = 1;
  std::size_t members = 1;
  std::size_t place = 0;
  std::size_t longer = 0;

  std::size_t groups() const { return count * width; }
};

/// Calls visit(groups) for the runs of k of m partial sums, the last one being shorter if need be.
template <class Visit>
void visit_runs(std::size_t k, std::size_t m, Visit visit) {
  if (m >= k) visit(Groups{.count = m / k, .stride = k, .members = k});
  if (m % k != 0) visit(Groups{.first = m - m % k, .members = m % k, .place = m / k});
}

/// A group's tree for add_groups: tree(arithmetic, members) leaves the sum of the span at its front, and works for
/// every meaning. Or a LeftToRight.
template <class Tree>
inline constexpr bool kLeftToRight = std::same_as<Tree, LeftToRight>;

/// The levels that a tree of so many members has; a tree without a function `levels` has none.
template <class Tree>
Levels levels_of([[maybe_unused]] const Tree& tree, [[maybe_unused]] std::size_t members) {
  if constexpr (requires { tree.levels(members); })
    if (members > 1 && members <= LevelRuns::kMostMembers) return tree.levels(members);
  return Levels::none;
}

/// Terms that vectors are worth their preparations for.
inline constexpr std::size_t kLeastTerms = 256;

/// Whether the additions of a meaning can be done in rows.
template <class A>
inline constexpr bool kInRows = false;
template <class T>
requires std::same_as<T, typename NumberTraits<T>::Rounded>
inline constexpr bool kInRows<Floats<T>> = true;

namespace detail {

/// Writes down the additions of a tree.
class Recorder {
 public:
  struct Value {
    std::uint16_t row;
  };

  Value add(Value a, Value b) {
    program_.push_back({a.row, b.row});
    ++additions_;
    return a;
  }
  Value start(Value a) {
    program_.push_back({a.row, RowAddition::kZero});
    return a;
  }

  template <class Tree>
  static Recorder of(std::size_t members, Tree tree) {
    Recorder recorder;
    recorder.program_.reserve(members);
    std::vector<Value> rows(members);
    for (std::size_t i = 0; i < members; ++i) rows[i].row = static_cast<std::uint16_t>(i);
    tree(recorder, std::span(rows));
    return recorder;  // every tree here adds its other sums to the first member's
  }

  std::span<const RowAddition> program() const { return program_; }
  std::size_t additions() const { return additions_; }

 private:
  std::vector<RowAddition> program_;
  std::size_t additions_ = 0;
};

}  // namespace detail

/// Sums of groups of `members` by one tree, in vectors. What the additions add up for the error bounds goes to the
/// arithmetic at the end.
template <class T, class Tree>
class InRows {
 public:
  InRows(Floats<T>& arith, std::size_t members, Tree tree)
      : arith_(arith), tree_(tree), errors_(arith.row_errors()), members_(members) {
    if constexpr (!kLeftToRight<Tree>) recorder_ = detail::Recorder::of(members, tree);
  }
  InRows(const InRows&) = delete;
  InRows& operator=(const InRows&) = delete;
  ~InRows() { arith_.absorb(errors_, additions_); }

  /// Groups that are added at once, `width` of which lie side by side.
  std::size_t most_groups(std::size_t width = 1) const {
    if constexpr (!kLeftToRight<Tree>) return GroupRows::most_groups(members_);
    if (width >= kMostChains) return std::min(width, GroupRows::kMostGroups);
    return std::clamp(GroupRows::most_groups(4 * members_), RowErrors::kLanes, kMostChains);
  }

  /// Groups that lie as struct GroupRows says, most_groups() at most.
  void add(std::span<const void* const> pieces, std::size_t width, std::size_t step, T* sums) {
    const GroupRows rows{kFormatOf<T>, pieces, width, step, members_};
    if constexpr (kLeftToRight<Tree>) {
      add_rows_left_to_right(rows, tree_.from_zero, sums, errors_);
      additions_ += rows.groups() * (members_ - 1);
    } else {
      add_rows(rows, recorder_.program(), sums, errors_);
      additions_ += rows.groups() * recorder_.additions();
    }
  }

  /// The groups of `g`, which are of `members`; none is longer.
  void add(const T* in, const Groups& g, T* out) {
    const std::size_t most = most_groups(g.width);
    std::array<const void*, GroupRows::kMostGroups> pieces;
    if (g.width < most) {
      const std::size_t at_once = most / g.width;
      for (std::size_t p = 0; p < g.count; p += at_once) {
        const std::size_t count = std::min(at_once, g.count - p);
        for (std::size_t i = 0; i < count; ++i) pieces[i] = in + g.first + (p + i) * g.stride;
        add(std::span(pieces).first(count), g.width, g.step, out + g.place + p * g.width);
      }
      return;
    }
    for (std::size_t p = 0; p < g.count; ++p)
      for (std::size_t l = 0; l < g.width; l += most) {
        pieces[0] = in + g.first + p * g.stride + l;
        add(std::span(pieces).first(1), std::min(most, g.width - l), g.step, out + g.place + p * g.width + l);
      }
  }

 private:
  // No more than hide the latency of additions, unless they lie side by side: memory is read from front to back.
  static constexpr std::size_t kMostChains = 64;

  Floats<T>& arith_;
  Tree tree_;
  RowErrors errors_;
  detail::Recorder recorder_;
  std::size_t members_;
  std::uint64_t additions_ = 0;
};

/// Sums of runs of `members` that lie one after the other, in vectors.
template <class T>
void add_in_levels(Floats<T>& arith, const T* in, std::size_t runs, std::size_t members, Levels levels, T* out) {
  RowErrors errors = arith.row_errors();
  add_levels({kFormatOf<T>, in, runs, members, levels}, out, errors);
  arith.absorb(errors, runs * (members - 1));
}

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
