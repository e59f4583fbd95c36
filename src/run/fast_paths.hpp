// Steps done in vectors: what each of these functions leaves is, bit for bit, what the interpreter leaves. Any of them
// could be deleted.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "core/stop.hpp"
#include "orderlab/steps.hpp"
#include "run/blocks.hpp"
#include "run/fused_steps.hpp"
#include "run/in_rows.hpp"
#include "run/interpreter.hpp"
#include "run/plan_steps.hpp"
#include "run/regular_groups.hpp"

namespace orderlab {

template <class A>
void run_step(const Step& step, A& arith, const Input<A>& in, Output<A> out, StepMemory& memory,
              const RandomStream& stream);

namespace detail {

/// The levels of a tree of `members` members; a tree without a function `levels` has none.
template <class Tree>
Levels levels_of([[maybe_unused]] const Tree& tree, [[maybe_unused]] std::size_t members) {
  if constexpr (requires { tree.levels(members); })
    if (members > 1 && members <= LevelRuns::kMostMembers) return tree.levels(members);
  return Levels::none;
}

/// Whether vectors are worth their preparations. Depends on the shape alone wherever error bounds are collected: their
/// figures depend on the path taken.
template <class A, class Tree>
bool worth_rows(const RegularGroups& g, Tree tree, bool in_levels) {
  // Additions of 16 bits are slow one by one.
  const std::size_t least_groups = sizeof(typename A::Value) == 2 || (in_levels && !A::kCollects) ? 1 : 4;
  if constexpr (std::is_same_v<Tree, GivenTree>) {
    return false;
  } else if constexpr (kInTurn<Tree>) {
    if (tree.accumulate != Accumulate::plain) return false;
  } else if (g.longer > 0 || g.members > GroupRows::kMostMembers) {
    return false;
  }
  return g.members > 1 && g.groups() >= least_groups && g.groups() * g.members >= kLeastTerms;
}

/// Runs of a width above LevelRuns::kMostMembers, halved. The first additions, down to the distance `width`, are of
/// numbers that lie side by side: halves of k / width on `width` groups of every width-th number. What they leave is
/// halved in turn.
template <class A, class T = typename A::Value>
void add_halves(A& arith, const T* in, std::size_t k, std::size_t runs, T* out) {
  constexpr std::size_t kRunsAtOnce = RowErrors::kLanes;
  const std::size_t members = std::min(k / LevelRuns::kMostMembers, GroupRows::kMostMembers);
  const std::size_t width = k / members;
  std::vector<T> left(std::min(runs, kRunsAtOnce) * width);
  for (std::size_t r = 0; r < runs; r += kRunsAtOnce) {
    stop_point();
    const std::size_t count = std::min(kRunsAtOnce, runs - r);
    InRows<A, HalvesTree>(arith, members, HalvesTree{members})
        .add(in + r * k, {.count = count, .stride = k, .width = width, .step = width, .members = members}, left.data());
    if (width <= LevelRuns::kMostMembers)
      add_in_levels(arith, left.data(), count, width, Levels::halves, out + r);
    else
      add_halves(arith, left.data(), width, count, out + r);
  }
}

template <class A, class Tree, class T = typename A::Value>
bool add_regular(A& arith, std::span<const T> in, std::span<T> out, const RegularGroups& g, Tree tree) {
  stop_point();
  const bool runs = g.stride == g.members && g.width == 1 && g.step == 1;
  if constexpr (std::is_same_v<Tree, HalvesTree>)
    if (runs && g.members == tree.width && tree.width > LevelRuns::kMostMembers) {
      add_halves(arith, in.data() + g.first, tree.width, g.count, out.data() + g.place);
      return true;
    }
  const Levels levels = runs ? levels_of(tree, g.members) : Levels::none;
  if (!worth_rows<A>(g, tree, levels != Levels::none)) return false;
  if constexpr (!std::is_same_v<Tree, GivenTree>) {
    if (levels != Levels::none) {
      add_in_levels(arith, in.data() + g.first, g.count, g.members, levels, out.data() + g.place);
      return true;
    }
    InRows<A, Tree>(arith, g.members, tree).add(in.data(), g, out.data());
    if constexpr (kInTurn<Tree>) {
      A local = arith;  // as in add_groups
      for (std::size_t l = 0; l < g.longer; ++l)
        out[g.place + l] = local.add(out[g.place + l], in[g.first + l + g.members * g.step]);
      arith = local;
    }
  }
  return true;
}

/// Groups side by side.
template <class A, class T = typename A::Value>
bool run_in_vectors(const steps::Add& add, A& arith, std::span<const T> in, std::span<T> out,
                    Interpreter<A>& interpreter) {
  if (add.how.random()) return false;
  for (const Groups& g : add.groups)
    if (g.items != Groups::kAll) return false;
  with_tree(add.how, [&](auto tree) {
    for (const Groups& g : add.groups)
      visit_regular(g, in.size(), [&](const RegularGroups& some) {
        if (!add_regular(arith, in, out, some, tree))
          interpreter.add_groups(described(some), tree, Input<A>(in), out, false);
      });
  });
  return true;
}

/// The largest block that a split is added by, its whole tree at once.
inline constexpr std::size_t kSplitBlock = 128;

/// The tree of a block that is split down to runs which are added in turn, plainly.
struct SplitTree {
  const steps::Split* split;
  bool from_zero;

  template <class A>
  void operator()(A& arith, std::span<typename A::Value> v) const {
    auto member = v.begin();
    const auto run = [&](std::size_t m) {
      auto sum = from_zero ? arith.start(*member++) : *member++;
      for (std::size_t i = 1; i < m; ++i) sum = arith.add(sum, *member++);
      return sum;
    };
    v[0] = add_blocks(arith, v.size(), split->most, split->halves, run);
  }
};

/// The blocks of one size of a Split, in vectors.
template <class A>
class SplitBlocks {
 public:
  using T = typename A::Value;

  SplitBlocks(A& arith, const T* in, std::span<const Block> blocks, std::span<T> sums)
      : arith_(arith), in_(in), blocks_(blocks), sums_(sums) {}

  /// By one tree.
  template <class Tree>
  void add(std::span<const std::size_t> numbers, Tree tree) {
    InRows<A, Tree> rows(arith_, blocks_[numbers[0]].size, tree);
    std::array<T, GroupRows::kMostGroups> some;
    for_some(numbers, rows.most_groups(), [&](std::span<const std::size_t> few) {
      rows.add(pieces(few), 1, 1, some.data());
      for (std::size_t i = 0; i < few.size(); ++i) sums_[few[i]] = some[i];
    });
  }

  /// By `width` lanes, and these as neighbours.
  void add_lanes(std::span<const std::size_t> numbers, std::size_t width) {
    InRows<A, InTurn> lanes(arith_, blocks_[numbers[0]].size / width, {});
    std::vector<T> in_lanes(kAtOnce * width);
    std::array<T, kAtOnce> some;
    for_some(numbers, kAtOnce, [&](std::span<const std::size_t> few) {
      lanes.add(pieces(few), width, width, in_lanes.data());
      add_in_levels(arith_, in_lanes.data(), few.size(), width, Levels::neighbours, some.data());
      for (std::size_t i = 0; i < few.size(); ++i) sums_[few[i]] = some[i];
    });
  }

 private:
  static constexpr std::size_t kAtOnce = RowErrors::kLanes;

  template <class Visit>
  static void for_some(std::span<const std::size_t> numbers, std::size_t most, Visit visit) {
    for (std::size_t n = 0; n < numbers.size(); n += most) {
      stop_point();
      visit(numbers.subspan(n, std::min(most, numbers.size() - n)));
    }
  }

  std::span<const void* const> pieces(std::span<const std::size_t> numbers) {
    for (std::size_t i = 0; i < numbers.size(); ++i) pieces_[i] = in_ + blocks_[numbers[i]].begin;
    return std::span(pieces_).first(numbers.size());
  }

  A& arith_;
  const T* in_;
  std::span<const Block> blocks_;
  std::span<T> sums_;
  std::array<const void*, GroupRows::kMostGroups> pieces_;
};

/// A Split whose parts are added in turn, plainly.
template <class A, class T = typename A::Value>
bool run_in_vectors(const steps::Split& split, A& arith, std::span<const T> in, std::span<T> out) {
  const Combination* how = parts_in_turn(split);
  const std::size_t most = std::max(split.most, kSplitBlock);
  if (how == nullptr || how->accumulate != Accumulate::plain) return false;
  if (in.size() < kLeastTerms || in.size() <= most) return false;
  std::vector<Block> blocks;
  blocks.reserve(2 * in.size() / most + 1);
  split_into_blocks(0, in.size(), most, split.halves, blocks);
  std::vector<T> sums(blocks.size());
  SplitBlocks<A> rows(arith, in.data(), blocks, sums);
  visit_by_size(blocks, [&](std::size_t size, std::span<const std::size_t> numbers) {
    if (size <= split.most)
      rows.add(numbers, InTurn{how->accumulate, how->from_zero});
    else
      rows.add(numbers, SplitTree{&split, how->from_zero});
  });
  out[0] = join_blocks(arith, blocks, sums);
  return true;
}

/// The number of lanes if the steps add `size` partial sums by lanes, plainly, and these as neighbours; else 0.
inline std::size_t lanes_of(const Steps& steps, std::size_t size) {
  if (steps.size() != 2) return 0;
  const auto* lanes = std::get_if<steps::Add>(&steps[0].is);
  const auto* tree = std::get_if<steps::Add>(&steps[1].is);
  if (lanes == nullptr || tree == nullptr || lanes->groups.size() != 1 || tree->groups.size() != 1) return 0;
  const Groups& g = lanes->groups.front();
  const Groups& sum = tree->groups.front();
  const bool side_by_side = g.first == 0 && g.count == 1 && g.step == g.width && g.members * g.width == size;
  const bool plain = lanes->how.tree == Combination::Tree::in_turn && !lanes->how.from_zero &&
                     lanes->how.accumulate == Accumulate::plain && g.items == Groups::kAll;
  const bool joined = tree->how.tree == Combination::Tree::neighbours && sum.first == 0 && sum.count == 1 &&
                      sum.step == 1 && sum.items == Groups::kAll && sum.members == g.width;
  return side_by_side && plain && joined && std::has_single_bit(g.width) ? g.width : 0;
}

/// A Fold of one thread block that adds the sums of its splits in turn: the blocks of all tiles together.
template <class A, class T = typename A::Value>
bool run_in_vectors(const steps::Fold& fold, A& arith, std::span<const T> in, std::span<T> out,
                    Interpreter<A>& interpreter) {
  if (fold.join != steps::Fold::Join::last || fold.wide || fold.blocks != 1) return false;
  const auto split_of = [&](std::size_t size) -> const steps::Split* {
    const Steps& steps = size < fold.tile ? fold.rest : fold.initial;
    return steps.size() == 1 ? std::get_if<steps::Split>(&steps.front().is) : nullptr;
  };
  const std::size_t rest = in.size() % fold.tile;
  const steps::Split* const first = split_of(std::min(fold.tile, in.size()));
  const steps::Split* const last = split_of(rest == 0 ? fold.tile : rest);
  if (!fold.later.empty() || first == nullptr || last == nullptr) return false;
  if (first->most != last->most || first->halves != last->halves) return false;
  std::vector<Block> blocks;
  for (std::size_t begin = 0; begin < in.size(); begin += fold.tile)
    split_into_blocks(begin, std::min(fold.tile, in.size() - begin), first->most, first->halves, blocks);
  std::vector<T> sums(blocks.size());
  SplitBlocks<A> rows(arith, in.data(), blocks, sums);
  visit_by_size(blocks, [&](std::size_t size, std::span<const std::size_t> numbers) {
    const auto steps_of = [&](std::size_t n) -> const Steps& {
      return (blocks[n].begin < in.size() - rest ? first : last)->steps_of(size);
    };
    const std::size_t width = lanes_of(steps_of(numbers.front()), size);  // blocks of the last tile come last
    if (width > 0 && width == lanes_of(steps_of(numbers.back()), size)) return rows.add_lanes(numbers, width);
    for (const std::size_t n : numbers)
      interpreter.run(steps_of(n), Input<A>(in.subspan(blocks[n].begin, size)), {&sums[n], 1});
  });
  std::span<const Block> left = blocks;
  for (std::size_t begin = 0; begin < in.size(); begin += fold.tile) {
    const auto end =
        std::find_if(left.begin(), left.end(), [&](const Block& block) { return block.begin >= begin + fold.tile; });
    const auto count = static_cast<std::size_t>(end - left.begin());
    const T sum = join_blocks(arith, left.first(count), std::span<const T>(sums).last(left.size()).first(count));
    out[0] = begin == 0 ? arith.start(sum) : arith.add(out[0], sum);
    left = left.subspan(count);
  }
  return true;
}

/// A Within of long runs: each by its own steps.
template <class A>
bool run_in_vectors(const steps::Within& within, A& arith, const Input<A>& in, Output<A> out, StepMemory& memory,
                    const RandomStream& stream) {
  const std::size_t runs = within.whole(in.size());
  if (in.size() < kLeastTerms * (runs + 1)) return false;
  std::size_t done = 0;
  const auto run_piece = [&](const Steps& steps, Input<A> piece) {
    const std::size_t left = count_left(steps, piece.size());
    std::vector<typename A::Value> held;  // what the step before left
    for (std::size_t i = 0; i + 1 < steps.size(); ++i) {
      std::vector<typename A::Value> after(count_left(steps[i], piece.size()));
      run_step(steps[i], arith, piece, Output<A>(after), memory, stream);
      held = std::move(after);
      piece = Input<A>(std::span<const typename A::Value>(held));
    }
    run_step(steps.back(), arith, piece, out.subspan(done, left), memory, stream);
    done += left;
  };
  for (std::size_t i = 0; i < runs; ++i) run_piece(within.full, in.part(i * within.size, within.size));
  const std::size_t end = runs * within.size;
  if (end < in.size()) run_piece(within.rest, in.part(end, in.size() - end));
  return true;
}

template <class A>
inline constexpr bool kFuses = false;
template <class T, bool kBounds>
inline constexpr bool kFuses<Floats<Product<T>, kBounds>> = true;

/// Runs of products, each by the steps of a unit.
template <class A, class N = typename A::Value>
void run_in_vectors(const steps::Fuse& fuse, A& arith, std::span<const N> in, std::span<N> out) {
  static_assert(sizeof(N) == 2 * sizeof(double));
  const std::size_t run = std::min(fuse.run, in.size());
  std::vector<double> sums(out.size());
  std::vector<double> errors(A::kCollects ? out.size() : 0);
  const auto add = [&](std::size_t first, std::size_t rows, std::size_t products) {
    const FusedRows some{&in[first * run].x, rows, products, products};
    add_fused(*fuse.unit, kFormatOf<typename A::T>, some, std::span(sums).subspan(first, rows),
              std::span(errors).subspan(A::kCollects ? first : 0, A::kCollects ? rows : 0));
  };
  const std::size_t whole = in.size() / run;
  add(0, whole, run);
  if (whole < out.size()) add(whole, 1, in.size() - whole * run);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = arith.fused({sums[i], A::kCollects ? errors[i] : 0.0});
}

}  // namespace detail

/// The step, in vectors where they are faster. What its additions add up for the error bounds may be rounded
/// differently from the interpreter's.
template <class A>
void run_step(const Step& step, A& arith, const Input<A>& in, Output<A> out, StepMemory& memory,
              const RandomStream& stream) {
  Interpreter<A> interpreter(arith, memory, stream);
  if constexpr (detail::kFuses<A>)
    if (const auto* fuse = std::get_if<steps::Fuse>(&step.is))
      return detail::run_in_vectors(*fuse, arith, in.values(), out);
  if constexpr (kInRows<A>) {
    const bool done = std::visit(
        Overloaded{
            [&](const steps::Add& add) { return detail::run_in_vectors(add, arith, in.values(), out, interpreter); },
            [&](const steps::Split& split) { return detail::run_in_vectors(split, arith, in.values(), out); },
            [&](const steps::Fold& fold) { return detail::run_in_vectors(fold, arith, in.values(), out, interpreter); },
            [&](const steps::Within& within) { return detail::run_in_vectors(within, arith, in, out, memory, stream); },
            [](const auto&) { return false; }},
        step.is);
    if (done) return;
  }
  interpreter.run(step, in, out);
}

}  // namespace orderlab
