// Groups added in vectors: by the additions of their tree, one after the other or level by level.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "core/stop.hpp"
#include "run/arithmetic.hpp"
#include "run/group_trees.hpp"
#include "run/level_sums.hpp"
#include "run/recorder.hpp"
#include "run/regular_groups.hpp"
#include "run/rows.hpp"

namespace orderlab {

/// Terms that vectors are worth their preparations for.
inline constexpr std::size_t kLeastTerms = 256;

/// Whether the additions of a meaning can be done in rows.
template <class A>
inline constexpr bool kInRows = false;
template <class T, bool kBounds>
requires(std::same_as<T, typename NumberTraits<T>::Rounded> &&
         !std::same_as<T, Extended>) inline constexpr bool kInRows<Floats<T, kBounds>> = true;

/// What additions in rows add up for the error bounds goes to the arithmetic at the end; nothing if it collects none.
template <class A>
class RowNotes {
 public:
  explicit RowNotes(A& arith) : arith_(arith) {
    if constexpr (A::kCollects) errors_ = arith.row_errors();
  }
  RowNotes(const RowNotes&) = delete;
  RowNotes& operator=(const RowNotes&) = delete;
  ~RowNotes() {
    if constexpr (A::kCollects) arith_.absorb(errors_, additions_);
  }

  /// Where the next `additions` are noted; null: nowhere.
  RowErrors* of(std::uint64_t additions) {
    additions_ += additions;
    if constexpr (A::kCollects) return &errors_;
    return nullptr;
  }

 private:
  A& arith_;
  [[no_unique_address]] std::conditional_t<A::kCollects, RowErrors, NoError> errors_;
  std::uint64_t additions_ = 0;
};

/// Sums of groups of `members` by one tree, in vectors.
template <class A, class Tree>
class InRows {
 public:
  using T = typename A::Value;

  InRows(A& arith, std::size_t members, Tree tree) : tree_(tree), notes_(arith), members_(members) {
    if constexpr (!kInTurn<Tree>) program_ = program_of(members, tree);
  }

  /// Groups that are added at once, `width` of which lie side by side.
  std::size_t most_groups(std::size_t width = 1) const {
    if constexpr (!kInTurn<Tree>) return GroupRows::most_groups(members_);
    if (width >= kMostChains) return std::min(width, GroupRows::kMostGroups);
    if (sizeof(T) == 2) return kMostChains;
    return std::clamp(GroupRows::most_groups(4 * members_), RowErrors::kLanes, kMostChains);
  }

  /// Groups arranged as in struct GroupRows, at most what the functions of rows.hpp accept; most_groups() is best.
  void add(std::span<const void* const> pieces, std::size_t width, std::size_t step, T* sums) {
    const GroupRows rows{kFormatOf<T>, pieces, width, step, members_};
    if constexpr (kInTurn<Tree>) {
      add_rows_left_to_right(rows, tree_.from_zero, sums, notes_.of(rows.groups() * (members_ - 1)));
    } else {
      add_rows(rows, program_, sums, notes_.of(rows.groups() * program_.roundings));
    }
  }

  /// The groups of `g`, which are of `members`; none is longer.
  void add(const T* in, const RegularGroups& g, T* out) {
    const std::size_t most = most_groups(g.width);
    std::array<const void*, GroupRows::kMostGroups> pieces;
    if (g.width < most) {
      const std::size_t at_once = most / g.width;
      for (std::size_t p = 0; p < g.count; p += at_once) {
        stop_point();
        const std::size_t count = std::min(at_once, g.count - p);
        for (std::size_t i = 0; i < count; ++i) pieces[i] = in + g.first + (p + i) * g.stride;
        add(std::span(pieces).first(count), g.width, g.step, out + g.place + p * g.width);
      }
      return;
    }
    for (std::size_t p = 0; p < g.count; ++p)
      for (std::size_t l = 0; l < g.width; l += most) {
        stop_point();
        pieces[0] = in + g.first + p * g.stride + l;
        add(std::span(pieces).first(1), std::min(most, g.width - l), g.step, out + g.place + p * g.width + l);
      }
  }

 private:
  // No more than hide the latency of additions, unless they lie side by side: memory is read from front to back.
  static constexpr std::size_t kMostChains = 64;

  Tree tree_;
  RowNotes<A> notes_;
  RowProgram program_;
  std::size_t members_;
};

/// Sums of runs of `members` that lie one after the other, in vectors.
template <class A, class T = typename A::Value>
void add_in_levels(A& arith, const T* in, std::size_t runs, std::size_t members, Levels levels, T* out) {
  RowNotes<A> notes(arith);
  add_levels({kFormatOf<T>, in, runs, members, levels}, out, notes.of(runs * (members - 1)));
}

}  // namespace orderlab
