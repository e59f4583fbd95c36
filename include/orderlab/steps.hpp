// Steps: what a stage does with partial sums, described. Sums, error bounds, heights, explicit trees, counts and
// memory are all derived from these descriptions; no stage computes them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "orderlab/format.hpp"
#include "orderlab/parameters.hpp"

namespace orderlab {

struct Step;
struct FusedUnit;

/// Steps, one after the other. Copies share them.
class Steps {
 public:
  Steps() = default;
  Steps(std::initializer_list<Step> steps);
  Steps(std::vector<Step> steps);

  bool empty() const { return steps_ == nullptr; }
  std::size_t size() const;
  const Step& operator[](std::size_t i) const;
  const Step& front() const;
  const Step& back() const;
  const Step* begin() const;
  const Step* end() const;

 private:
  std::shared_ptr<const std::vector<Step>> steps_;  ///< not empty
};

/// Accumulators of groups that are added in turn. The sum that kahan, neumaier or fma makes of a group is one node.
enum class Accumulate : std::uint8_t {
  plain,
  kahan,     ///< compensated after Kahan; starts from +0.0
  neumaier,  ///< compensated after Neumaier; starts from +0.0
  atomic,    ///< fp32 flushes subnormals to signed zero; starts from +0.0
  fma,       ///< members are products of terms, each fused into the sum with one rounding
};

/// Adds the sum of member `from` to that of member `to`.
struct Addition {
  std::uint32_t to;
  std::uint32_t from;
};

/// Runs of members that workers take from a queue in turn: a worker that is done takes the next one. Each worker adds
/// its runs, in the order in which it took them, to a sum of its own, from +0.0 on. These sums are then added to +0.0
/// in the order in which the workers finish.
struct WorkQueue {
  std::size_t workers = 1;
  std::size_t run = 1;                   ///< members of a run; the last one may be shorter
  std::vector<std::size_t> sizes = {};   ///< members of each run, where they differ; else empty
  std::vector<std::size_t> work = {};    ///< relative time of each run; empty: its members
  std::optional<double> variation = {};  ///< coefficient of variation of the gamma service times; empty: each worker is
                                         ///< equally likely to take a run, and they finish in any order
  double late = 0;  ///< with a variation: workers begin within the time of one run, and this share of that of all runs

  /// Runs of m members.
  std::size_t count(std::size_t m) const { return sizes.empty() ? (m + run - 1) / run : sizes.size(); }
  /// Where run i of those of m members ends that begins at `begin`.
  std::size_t end_of(std::size_t i, std::size_t begin, std::size_t m) const {
    if (!sizes.empty()) return begin + sizes[i];
    return m - begin > run ? begin + run : m;
  }
};

/// How the members v[0], v[1], ... of a group become one sum.
struct Combination {
  enum class Tree : std::uint8_t {
    in_turn,     ///< from left to right, through the accumulator
    halves,      ///< v[l] += v[l + o] for l < o and o = width/2, ..., 2, 1; an absent v[l + o] adds nothing
    neighbours,  ///< v[i] += v[i + o] for i = 0, 2o, 4o, ... and o = 1, 2, 4, ...
    given,       ///< `additions`, one less than members, which leave the sum in the `to` of the last of them
    drawn,       ///< a uniformly random plane binary tree over the members, a new one in every sample
    queued,      ///< by the workers of a queue; who takes which run is drawn in every sample
  };

  Tree tree = Tree::in_turn;
  Accumulate accumulate = Accumulate::plain;                         ///< in_turn only: how the accumulator adds
  bool from_zero = false;                                            ///< in_turn only: +0.0 + v[0] comes first
  std::size_t width = 0;                                             ///< halves only: a power of two
  std::shared_ptr<const std::vector<Addition>> additions = nullptr;  ///< given only
  std::shared_ptr<const WorkQueue> queue = nullptr;                  ///< queued only

  /// Whether it is drawn in every sample. If so, it adds all partial sums, as one group.
  bool random() const { return tree == Tree::drawn || tree == Tree::queued; }
};

/// Groups at regular positions: `count` pieces of `width` groups each. Member i of group l of piece p is partial sum
///
///     first + p * stride + l + (i mod items) * step + (i / items) * pass
///
/// and the sum of that group is number place + p * width + l of those that the step leaves. A position past the last
/// partial sum is absent, and so is a group without members; absent groups come last.
///
/// Shape: width is 1 or at most `step`; pass >= items * step.
struct Groups {
  static constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

  std::size_t first = 0;
  std::size_t count = 1;
  std::size_t stride = 0;
  std::size_t width = 1;
  std::size_t step = 1;
  std::size_t members = kAll;
  std::size_t items = kAll;
  std::size_t pass = 0;
  std::size_t place = 0;
  bool abreast = false;  ///< the additions of all groups of a piece take turns: lanes of one thread
};

namespace steps {

/// Moves partial sums and adds nothing.
struct Move {
  enum class Kind : std::uint8_t {
    rotate,    ///< position k gets partial sum (start + k) mod m, or (start - k) mod m if `backwards`
    given,     ///< position k gets partial sum order[k]
    uniform,   ///< a uniformly random permutation, a new one in every sample
    arrive,    ///< an order drawn from an arrival model: position k gets the k-th to arrive
    by_value,  ///< sorted, stable, NaN last
  };

  Kind kind = Kind::rotate;
  std::size_t start = 0;
  bool backwards = false;
  std::shared_ptr<const std::vector<std::uint32_t>> order = nullptr;
  ArrivalCall arrival = {};
  bool by_magnitude = false;  ///< by_value only
  bool descending = false;    ///< by_value only
};

/// Replaces groups by their sums. Every partial sum is in one group.
struct Add {
  std::vector<Groups> groups;
  Combination how = {};
};

/// Runs `full` on each run of `size` partial sums and `rest` on the shorter one at the end; the results in order. At
/// most `runs` runs are made, and `rest` gets all partial sums after them.
struct Within {
  std::size_t size;
  Steps full;
  Steps rest;
  std::size_t runs = Groups::kAll;

  /// Runs among m partial sums.
  std::size_t whole(std::size_t m) const { return std::min(runs, m / size); }
};

/// How a range of partial sums is split in two.
struct Halves {
  bool larger_first = true;  ///< the left part is the larger half; else the smaller half, rounded down
  std::size_t multiple = 1;  ///< to a multiple of this power of two

  /// The left part of m.
  constexpr std::size_t left(std::size_t m) const { return larger_first ? m - m / 2 : m / 2 & ~(multiple - 1); }

  friend bool operator==(const Halves&, const Halves&) = default;
};

/// Splits a range of more than `most` in two, and so on; steps reduce each part that is not split to one sum; these are
/// added two by two, as their ranges were split.
struct Split {
  std::size_t most;
  Halves halves;
  std::vector<std::pair<std::size_t, Steps>> parts;  ///< by the size of a part

  /// The steps of a part of that size, which occurs.
  const Steps& steps_of(std::size_t size) const {
    std::size_t i = 0;
    while (parts[i].first != size) ++i;
    return parts[i].second;
  }
};

/// Deals tiles of `tile` partial sums, the last one shorter if need be, to `blocks` thread blocks in turn. Each keeps
/// its sums from tile to tile; the sums of all thread blocks are left, those of the first one first.
struct Fold {
  enum class Join : std::uint8_t {
    first,  ///< a tile is one Add, and the sum that is kept is the member of its group before all others
    last,   ///< steps reduce a tile to one sum, which is added to the one that is kept; the first one to +0.0
  };

  std::size_t tile;
  std::size_t blocks;
  Join join;
  Steps initial;      ///< for the first tile of a thread block
  Steps later;        ///< for a whole tile after it; empty: the same
  Steps rest;         ///< for the shorter tile
  bool wide = false;  ///< the additions are done in fp32; of a kept sum each is rounded to the accumulate format
};

/// Adds each run of `run` products, the last one shorter, by steps of a unit, from +0.0 on.
struct Fuse {
  std::shared_ptr<const FusedUnit> unit;
  std::size_t run = Groups::kAll;
};

/// Rounds every partial sum to a format, to nearest, ties to even.
struct Round {
  Format format;
};

/// Says how the steps after it add: every addition is rounded to `add`, and its sum to `store`.
struct In {
  Format add;
  Format store;
};

}  // namespace steps

/// Steps inside a Within, a Split or a Fold neither draw, sort nor change formats; there only those of a Within, and
/// those of a Split if of all its parts, may fuse products.
struct Step {
  std::variant<steps::Move, steps::Add, steps::Within, steps::Split, steps::Fold, steps::Fuse, steps::Round, steps::In>
      is;
};

/// What additions are rounded to: to `add` and, where sums are stored in another format, to `store` after that.
struct AddFormat {
  Format add = Format::fp64;
  Format store = Format::fp64;

  friend bool operator==(const AddFormat&, const AddFormat&) = default;
};

inline Steps::Steps(std::initializer_list<Step> steps) : Steps(std::vector<Step>(steps)) {}
inline Steps::Steps(std::vector<Step> steps)
    : steps_(steps.empty() ? nullptr : std::make_shared<const std::vector<Step>>(std::move(steps))) {}
inline std::size_t Steps::size() const { return empty() ? 0 : steps_->size(); }
inline const Step& Steps::operator[](std::size_t i) const { return (*steps_)[i]; }
inline const Step& Steps::front() const { return steps_->front(); }
inline const Step& Steps::back() const { return steps_->back(); }
inline const Step* Steps::begin() const { return empty() ? nullptr : steps_->data(); }
inline const Step* Steps::end() const { return begin() + size(); }

/// Number of partial sums that a step or steps leave of m.
std::size_t count_left(const Step& step, std::size_t m);
std::size_t count_left(const Steps& steps, std::size_t m);

/// Whether samples differ by the step; whether it draws uniformly: from all permutations, from all plane binary trees
/// over the partial sums as they stand, or from all assignments of runs to workers (steps: they do so alone, or a queue
/// after fixed ones); whether it looks at values.
bool is_random(const Step& step);
bool is_uniform(const Step& step);
bool is_uniform(const Steps& steps);
bool is_by_value(const Step& step);

/// The queue of a step that adds by one; null: it adds in another way, or nothing.
std::shared_ptr<const WorkQueue> queue_of(const Step& step);

/// Whether a step is a Round or an In.
bool changes_format(const Step& step);

/// How the steps after these add, where they are done in `before`.
AddFormat format_after(const Steps& steps, AddFormat before);

namespace steps {

/// A step that adds the groups, in one way.
Step add(Groups groups, Combination how = {});

/// A step that adds each run of k partial sums, the last one shorter if need be.
Step add_runs(std::size_t k, Combination how = {});

/// A step that moves m partial sums: position k gets partial sum source(k).
///
/// Errors: unsupported for m above 2^32.
template <class Source>
Step move(std::size_t m, Source source);

/// The Split of m partial sums; steps_of(size) reduces a part.
template <class StepsOf>
Step split(std::size_t m, std::size_t most, Halves halves, StepsOf steps_of);

namespace detail {

Step move_in_order(std::vector<std::uint32_t> order);
void check_movable(std::size_t m);

}  // namespace detail

template <class Source>
Step move(std::size_t m, Source source) {
  detail::check_movable(m);
  std::vector<std::uint32_t> order(m);
  for (std::size_t k = 0; k < m; ++k) order[k] = static_cast<std::uint32_t>(source(k));
  return detail::move_in_order(std::move(order));
}

/// Sizes of the parts that m partial sums are split into, each once, in the order in which they first occur.
std::vector<std::size_t> part_sizes(std::size_t m, std::size_t most, Halves halves);

template <class StepsOf>
Step split(std::size_t m, std::size_t most, Halves halves, StepsOf steps_of) {
  Split result{most, halves, {}};
  for (const std::size_t size : part_sizes(m, most, halves)) result.parts.emplace_back(size, steps_of(size));
  return {std::move(result)};
}

}  // namespace steps

}  // namespace orderlab
