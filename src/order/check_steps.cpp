// Whatever would make a run read or write past an array, drop a partial sum, add one twice or never end is refused
// here. Longer than a page: one function for each kind of step.
#include "order/check_steps.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/overloaded.hpp"
#include "order/left_to_right.hpp"
#include "orderlab/error.hpp"

namespace orderlab {

namespace {

/// Marks of 0 .. size-1; refuses a second mark.
class Marks {
 public:
  explicit Marks(std::size_t size) : marked_(size) {}

  std::size_t size() const { return marked_.size(); }

  bool mark(std::size_t i) {
    if (i >= marked_.size() || marked_[i]) return false;
    marked_[i] = true;
    return true;
  }

  /// The first without a mark; empty if there is none.
  std::optional<std::size_t> first_missing() const {
    const auto found = std::find(marked_.begin(), marked_.end(), false);
    if (found == marked_.end()) return std::nullopt;
    return static_cast<std::size_t>(found - marked_.begin());
  }

 private:
  std::vector<bool> marked_;
};

class StepsCheck {
 public:
  StepsCheck(const StageCall& call, std::size_t m) : call_(call), m_(m) {}

  void check_all(const Steps& all) {
    bool adds = false;
    std::size_t m = m_;
    for (const Step& step : all) {
      check(step, m, !adds);
      adds = adds || !(std::holds_alternative<steps::Move>(step.is) || changes_format(step));
      m = count_left(step, m);
    }
    require(adds == call_.stage->reduces, adds ? "it adds, and the stage says that it arranges"
                                               : "it adds nothing, and the stage says that it reduces");
    const auto any = [&](bool (*is)(const Step&)) { return std::any_of(all.begin(), all.end(), is); };
    const bool as_for_one = any(is_random) == is_random(call_) && any(is_by_value) == is_by_value(call_) &&
                            any(changes_format) == changes_format(call_) && is_uniform(all) == is_uniform(call_);
    require(as_for_one, "it has other kinds of steps than for one partial sum");
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw Error(ErrorKind::usage, "stage " + std::string(call_.stage->name) + ": its description for " +
                                      std::to_string(m_) + (m_ == 1 ? " partial sum" : " partial sums") +
                                      " is wrong: " + what);
  }

  void require(bool fulfilled, const char* otherwise) const {
    if (!fulfilled) refuse(otherwise);
  }

  void check(const Step& step, std::size_t m, bool may_fuse) {
    std::visit(Overloaded{[&](const steps::Move& move) { check(move, m); },  //
                          [&](const steps::Add& add) { check(add, m, false, may_fuse); },
                          [&](const steps::Within& within) { check(within, m, may_fuse); },
                          [&](const steps::Split& split) { check(split, m, may_fuse && fuses(step)); },
                          [&](const steps::Fold& fold) { check(fold, m); },
                          [&](const steps::Fuse& fuse) { check(fuse, may_fuse); }, [](const steps::Round&) {},
                          [](const steps::In&) {}},
               step.is);
  }

  /// Steps inside another, for m partial sums. Returns what they leave.
  std::size_t check_inner(const Steps& inner, std::size_t m, bool may_fuse = false) {
    if (inner.empty()) refuse("there are no steps for a part of " + std::to_string(m));
    for (const Step& step : inner) {
      require(!is_random(step), "it draws inside another step");
      require(!is_by_value(step), "it sorts inside another step");
      require(!changes_format(step), "it changes formats inside another step");
      check(step, m, may_fuse);
      may_fuse = may_fuse && std::holds_alternative<steps::Move>(step.is);
      m = count_left(step, m);
    }
    return m;
  }

  void check(const steps::Move& move, std::size_t m) const {
    if (move.kind == steps::Move::Kind::rotate) require(move.start < m, "it rotates by too many places");
    if (move.kind != steps::Move::Kind::given) return;
    if (move.order == nullptr || move.order->size() != m)
      refuse("its order is not one of " + std::to_string(m) + " positions");
    Marks taken(m);
    for (const std::uint32_t position : *move.order)
      if (!taken.mark(position))
        refuse("its order names position " + std::to_string(position) + (position < m ? " twice" : ""));
  }

  void check(const WorkQueue& queue, std::size_t m) const {
    require(queue.workers > 0 && queue.run > 0, "a queue has no workers, or its runs no members");
    require(queue.work.empty() || queue.work.size() == queue.count(m), "a queue has more or fewer times than runs");
    std::size_t members = 0;
    for (const std::size_t size : queue.sizes) {
      require(size > 0 && size <= m - members, "a run of a queue is empty, or past the last partial sum");
      members += size;
    }
    require(queue.sizes.empty() || members == m, "a queue leaves out partial sums");
  }

  /// `kept`: a sum that is kept is the first member of each group.
  void check(const steps::Add& add, std::size_t m, bool kept, bool may_fuse) {
    check_combination(add.how, may_fuse);
    if (add.how.queue != nullptr) check(*add.how.queue, m);
    for (const Groups& g : add.groups) check_shape(g, add.how, m);
    const std::size_t left = count_left(Step{add}, m);
    Marks taken(m);
    Marks placed(left);
    std::size_t given_for = 0;  // members that the given tree has been checked for
    for (const Groups& g : add.groups) {
      for (std::size_t p = 0, begin = g.first; p < g.count && begin < m; ++p) {
        for (std::size_t l = 0; l < std::min(g.width, m - begin); ++l) {
          const std::size_t place = g.place + p * g.width + l;
          if (!placed.mark(place))
            refuse("a second sum at place " + std::to_string(place) + ", or one past the " + std::to_string(left));
          const std::size_t members = (kept ? 1 : 0) + take_members(g, begin + l, taken);
          require(!g.abreast || members == g.members, "a group that is added abreast lacks members");
          if (add.how.tree == Combination::Tree::halves && members > add.how.width)
            refuse("it halves a group of " + std::to_string(members) + " in a width of " +
                   std::to_string(add.how.width));
          if (add.how.tree == Combination::Tree::given && members != given_for)
            check_additions(*add.how.additions, given_for = members);
          require(!add.how.random() || members == m, "a drawn tree is not over all partial sums");
        }
        if (m - begin <= g.stride) break;
        begin += g.stride;
      }
    }
    if (const auto missing = taken.first_missing())
      refuse("partial sum " + std::to_string(*missing) + " is in no group");
    if (const auto missing = placed.first_missing()) refuse("no sum at place " + std::to_string(*missing));
  }

  void check_combination(const Combination& how, bool may_fuse) const {
    require(how.accumulate != Accumulate::fma || may_fuse,
            "it fuses products after another addition or inside another step");
    require(how.tree != Combination::Tree::halves || std::has_single_bit(how.width), "a width is no power of two");
    require(how.tree != Combination::Tree::given || how.additions != nullptr, "a given tree has no additions");
    require((how.tree == Combination::Tree::queued) == (how.queue != nullptr), "a queue is missing, or has no use");
  }

  void check_shape(const Groups& g, const Combination& how, std::size_t m) const {
    if (g.count == 0 || g.first >= m) return;
    const bool counts = g.width > 0 && g.step > 0 && g.members > 0 && g.items > 0;
    const bool pieces = g.count == 1 || (g.stride > 0 && (g.width <= g.stride || m - g.first <= g.stride));
    const bool passes = g.items == Groups::kAll || g.items <= g.pass / g.step;
    require(counts && pieces && passes && (g.width == 1 || g.width <= g.step), "groups overlap or are empty");
    if (!g.abreast) return;
    const bool plain = how.tree == Combination::Tree::in_turn && how.accumulate == Accumulate::plain && !how.from_zero;
    require(plain && g.items == Groups::kAll, "only plain sums without passes are added abreast");
    const bool whole = g.count - 1 <= (m - 1) / std::max<std::size_t>(g.stride, 1) &&
                       g.first + (g.count - 1) * g.stride < m && g.width <= m - g.first - (g.count - 1) * g.stride;
    require(whole, "groups that are added abreast are absent");
  }

  /// Marks the members of the group that begins at `first`; returns how many there are.
  std::size_t take_members(const Groups& g, std::size_t first, Marks& taken) const {
    const std::size_t m = taken.size();
    std::size_t count = 0;
    for (std::size_t pass = first;; pass += g.pass) {
      std::size_t at = pass;
      for (std::size_t item = 0; item < g.items && count < g.members; ++item, ++count) {
        if (!taken.mark(at)) refuse("partial sum " + std::to_string(at) + " is in two groups");
        if (m - at <= g.step) return count + 1;
        at += g.step;
      }
      if (count == g.members || m - pass <= g.pass) return count;
    }
  }

  /// A tree over `members` members: one addition less, and no sum is used after it has been added to another.
  void check_additions(const std::vector<Addition>& additions, std::size_t members) const {
    if (additions.size() + 1 != members)
      refuse(std::to_string(additions.size()) + " additions are given for a group of " + std::to_string(members));
    std::vector<bool> added(members);
    for (const auto [to, from] : additions) {
      if (to >= members || from >= members || to == from || added[to] || added[from])
        refuse("in a group of " + std::to_string(members) + " member " + std::to_string(from) + " cannot be added to " +
               std::to_string(to));
      added[from] = true;
    }
  }

  void check(const steps::Within& within, std::size_t m, bool may_fuse) {
    require(within.size > 0, "a Within of size 0");
    const std::size_t whole = within.whole(m);
    if (whole > 0) check_inner(within.full, within.size, may_fuse);
    if (m > whole * within.size) check_inner(within.rest, m - whole * within.size, may_fuse);
  }

  void check(const steps::Split& split, std::size_t m, bool may_fuse) {
    for (const std::size_t size : steps::part_sizes(m, split.most, split.halves)) {
      require(size > 0, "a Split leaves one part empty");
      const auto part =
          std::find_if(split.parts.begin(), split.parts.end(), [&](const auto& each) { return each.first == size; });
      if (part == split.parts.end()) refuse("a Split has no steps for a part of " + std::to_string(size));
      require(check_inner(part->second, size, may_fuse) == 1, "a part of a Split leaves more than one sum");
    }
  }

  void check(const steps::Fold& fold, std::size_t m) {
    require(fold.tile > 0 && fold.blocks > 0, "a Fold has no tiles or no thread blocks");
    require(!fold.wide || fold.join == steps::Fold::Join::last, "only sums that join last are wide");
    const std::size_t whole = m / fold.tile;
    const std::size_t rest = m % fold.tile;
    std::size_t kept = 0;  // sums of a whole tile
    if (whole > 0) kept = check_tile(fold, fold.initial, fold.tile, false);
    if (whole > fold.blocks) {
      const std::size_t later = check_tile(fold, fold.later.empty() ? fold.initial : fold.later, fold.tile, true);
      require(later == kept, "a later tile of a Fold leaves another number of sums");
    }
    if (rest > 0) {
      const std::size_t sums = check_tile(fold, fold.rest, rest, whole >= fold.blocks);
      require(whole == 0 || sums <= kept, "the shorter tile of a Fold leaves more sums than a whole one");
    }
  }

  void check(const steps::Fuse& fuse, bool may_fuse) const {
    require(may_fuse, "a unit fuses products after another addition or inside another step");
    require(fuse.unit != nullptr && fuse.run > 0, "a step fuses without a unit, or runs of no products");
  }

  std::size_t check_tile(const steps::Fold& fold, const Steps& of_tile, std::size_t size, bool kept) {
    if (fold.join == steps::Fold::Join::last) {
      const std::size_t left = check_inner(of_tile, size);
      require(left == 1, "a tile of a Fold that joins last leaves more than one sum");
      return left;
    }
    const auto* add = of_tile.size() == 1 ? std::get_if<steps::Add>(&of_tile.front().is) : nullptr;
    if (add == nullptr) refuse("a tile of a Fold that joins first is not one Add");
    require(!is_random(of_tile.front()), "it draws inside another step");
    check(*add, size, kept, false);
    return count_left(of_tile, size);
  }

  const StageCall& call_;
  std::size_t m_;
};

}  // namespace

void check_steps(const StageCall& call, const Steps& steps, std::size_t m) { StepsCheck(call, m).check_all(steps); }

}  // namespace orderlab
