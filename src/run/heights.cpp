// Most heights are equal to their neighbours', so groups, parts and tiles of equal heights are looked at once. What has
// no such shape is run on heights one by one.
#include "run/heights.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/overloaded.hpp"
#include "run/interpreter.hpp"
#include "run/regular_groups.hpp"

namespace orderlab {

namespace {

HeightRuns heights_after(const Steps& steps, HeightRuns heights) {
  for (const Step& step : steps) heights = heights_after(step, heights);
  return heights;
}

HeightRuns one_by_one(const Step& step, const HeightRuns& in) {
  const std::vector<std::uint64_t> heights = in.all_equal() ? std::vector<std::uint64_t>() : in.one_by_one();
  std::vector<std::uint64_t> out(count_left(step, in.size()));
  HeightsAlone arith;
  StepMemory memory;
  Interpreter<HeightsAlone>(arith, memory, RandomStream(0, streams::kFirstStage, 0))
      .run(step, in.all_equal() ? Input<HeightsAlone>::of_equal(in.size(), in.first()) : Input<HeightsAlone>(heights),
           out);
  HeightRuns runs;
  for (const std::uint64_t height : out) runs.append(1, height);
  return runs;
}

/// The height of a group whose members have these heights; the vector is used up.
template <class Tree>
std::uint64_t height_of_group(std::vector<std::uint64_t> members, Tree tree) {
  if constexpr (kInTurn<Tree>) {
    return group_height(members);
  } else {
    HeightsAlone arith;
    tree(arith, std::span(members));
    return members.front();
  }
}

template <class Tree>
std::uint64_t height_of_equals(std::size_t members, std::uint64_t height, Tree tree) {
  if constexpr (kInTurn<Tree>)
    return height + members - 1;
  else
    return height_of_group(std::vector<std::uint64_t>(members, height), tree);
}

template <class Tree>
void append_heights(const HeightRuns& in, HeightRuns& out, const RegularGroups& g, Tree tree) {
  const std::size_t last = g.width - 1 + (g.members - 1) * g.step;  // last of a piece, without what longer groups have
  for (std::size_t p = 0; p < g.count;) {
    const std::size_t begin = g.first + p * g.stride;
    const HeightRuns::Run& run = in.run_of(begin);
    if (begin + last < run.end && (g.longer == 0 || in.all_equal())) {
      const std::size_t alike = g.stride == 0 ? 1 : std::min(g.count - p, (run.end - 1 - begin - last) / g.stride + 1);
      if (g.longer > 0) out.append(g.longer, height_of_equals(g.members + 1, run.height, tree));
      out.append(alike * g.width - g.longer, height_of_equals(g.members, run.height, tree));
      p += alike;
      continue;
    }
    for (std::size_t l = 0; l < g.width; ++l)
      out.append(1, height_of_group(in.some(begin + l, g.members + (l < g.longer ? 1 : 0), g.step), tree));
    ++p;
  }
}

HeightRuns after(const steps::Add& add, const Step& step, const HeightRuns& in) {
  std::size_t place = 0;
  for (const Groups& g : add.groups) {
    if (g.count == 0 || g.first >= in.size()) continue;
    if (g.items != Groups::kAll || g.place < place) return one_by_one(step, in);  // or not in the order of places
    place = g.place;
  }
  HeightRuns out;
  with_tree(add.how, [&](auto tree) {
    for (const Groups& g : add.groups)
      visit_regular(g, in.size(), [&](const RegularGroups& some) { append_heights(in, out, some, tree); });
  });
  return out;
}

HeightRuns after(const steps::Within& within, const HeightRuns& in) {
  HeightRuns out;
  HeightRuns of_whole;  // a piece of equal heights
  const std::size_t end = within.whole(in.size()) * within.size;
  for (std::size_t begin = 0; begin < end; begin += within.size) {
    if (begin == 0 || !in.all_equal()) of_whole = heights_after(within.full, in.part(begin, within.size));
    out.append(of_whole);
  }
  if (end < in.size()) out.append(heights_after(within.rest, in.part(end, in.size() - end)));
  return out;
}

/// Heights of the sums of ranges that a Split adds.
class SplitHeights {
 public:
  explicit SplitHeights(const steps::Split& split) : split_(split) {}

  /// The height of the sum of partial sums that have these heights.
  std::uint64_t of(const HeightRuns& in) { return of(in, 0, in.size()); }

 private:
  std::uint64_t of(const HeightRuns& in, std::size_t begin, std::size_t size) {
    const HeightRuns::Run& run = in.run_of(begin);
    if (begin + size <= run.end) return run.height + of_equals(size);
    if (size <= split_.most) return of_part(in.part(begin, size));
    const std::size_t left = split_.halves.left(size);
    return std::max(of(in, begin, left), of(in, begin + left, size - left)) + 1;
  }

  /// The height of the sum of `size` partial sums of height 0. Few sizes occur.
  std::uint64_t of_equals(std::size_t size) {
    for (const auto& [known, height] : known_)
      if (known == size) return height;
    const std::size_t left = size > split_.most ? split_.halves.left(size) : 0;
    const std::uint64_t height =
        left == 0 ? of_part(HeightRuns(size, 0)) : std::max(of_equals(left), of_equals(size - left)) + 1;
    known_.emplace_back(size, height);
    return height;
  }

  std::uint64_t of_part(const HeightRuns& in) const { return heights_after(split_.steps_of(in.size()), in).first(); }

  const steps::Split& split_;
  std::vector<std::pair<std::size_t, std::uint64_t>> known_;  ///< by size
};

HeightRuns after(const steps::Fold& fold, const Step& step, const HeightRuns& in) {
  const bool alike = fold.join == steps::Fold::Join::last && fold.blocks == 1 && fold.later.empty();
  if (!alike) return one_by_one(step, in);
  std::uint64_t total = 0;
  std::uint64_t of_whole = 0;  // a tile of equal heights
  for (std::size_t begin = 0; begin < in.size(); begin += fold.tile) {
    const std::size_t size = std::min(fold.tile, in.size() - begin);
    const Steps& steps = size == fold.tile ? fold.initial : fold.rest;
    std::uint64_t height = of_whole;
    if (begin == 0 || size < fold.tile || !in.all_equal()) height = heights_after(steps, in.part(begin, size)).first();
    if (begin == 0) of_whole = height;
    total = begin == 0 ? height : std::max(total, height) + 1;
  }
  return {1, total};
}

}  // namespace

HeightRuns heights_after(const Step& step, const HeightRuns& in) {
  return std::visit(Overloaded{[&](const steps::Add& add) { return after(add, step, in); },
                               [&](const steps::Within& within) { return after(within, in); },
                               [&](const steps::Split& split) { return HeightRuns(1, SplitHeights(split).of(in)); },
                               [&](const steps::Fold& fold) { return after(fold, step, in); },
                               [&](const steps::Fuse&) { return one_by_one(step, in); },
                               [&](const steps::Move&) { return in.all_equal() ? in : one_by_one(step, in); },
                               [&](const steps::Round&) { return in; }, [&](const steps::In&) { return in; }},
                    step.is);
}

std::optional<HeightRuns> drawn_heights(std::span<const PlannedStep> steps, const HeightRuns& in) {
  HeightRuns heights = in;
  for (const PlannedStep& planned : steps) {
    if (std::holds_alternative<steps::Move>(planned.step.is)) {
      if (!heights.all_equal()) return std::nullopt;
    } else {
      if (is_random(planned.step)) return std::nullopt;
      heights = heights_after(planned.step, heights);
    }
  }
  return heights;
}

std::optional<std::uint64_t> sum_height(std::span<const PlannedStep> steps, const HeightRuns& in) {
  const std::optional<HeightRuns> heights = drawn_heights(steps, in);
  return heights ? std::optional(heights->first()) : std::nullopt;
}

namespace {

/// How such steps add the partial sums in one group, if before that they only move them; else null.
const Combination* group_after_moves(std::span<const PlannedStep> steps, std::size_t size) {
  const auto moves = [](const PlannedStep& planned) { return std::holds_alternative<steps::Move>(planned.step.is); };
  if (steps.empty() || !std::all_of(steps.begin(), steps.end() - 1, moves)) return nullptr;
  return one_group(steps.back().step, size);
}

}  // namespace

std::optional<std::uint64_t> height_in_turn(std::span<const PlannedStep> steps, const HeightRuns& in) {
  const Combination* how = group_after_moves(steps, in.size());
  const std::optional<std::uint64_t> greatest = in.greatest_but_one();
  if (how == nullptr || how->tree != Combination::Tree::in_turn || !greatest || in.size() < 2) return std::nullopt;
  return *greatest + in.size() - 1;
}

std::optional<std::uint64_t> height_below_tree(std::span<const PlannedStep> steps, const HeightRuns& in) {
  const Combination* how = group_after_moves(steps, in.size());
  if (how == nullptr || how->tree != Combination::Tree::drawn || !in.all_equal()) return std::nullopt;
  return in.first();
}

PlanHeights heights_of(std::span<const PlannedStep> fixed, std::size_t n) {
  PlanHeights heights;
  heights.left = HeightRuns(n, 0);
  for (const PlannedStep& planned : fixed) {
    if (!std::holds_alternative<steps::Move>(planned.step.is))
      heights.left = heights_after(planned.step, heights.left);
    else if (!heights.left.all_equal())
      return heights;
    ++heights.steps_apart;
  }
  return heights;
}

PlanHeights heights_of(const Plan& plan) {
  PlanHeights heights = heights_of(plan.fixed_steps(), plan.term_count());
  if (heights.steps_apart < plan.fixed_steps().size()) return heights;
  heights.sum = sum_height(plan.drawn_steps(), heights.left);
  return heights;
}

}  // namespace orderlab
