// Groups added in vectors: by the additions of their tree, one after the other or level by level.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "run/arithmetic.hpp"
#include "run/group_trees.hpp"
#include "run/level_sums.hpp"
#include "run/regular_groups.hpp"
#include "run/rows.hpp"

namespace orderlab {

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
    if constexpr (!kInTurn<Tree>) recorder_ = detail::Recorder::of(members, tree);
  }
  InRows(const InRows&) = delete;
  InRows& operator=(const InRows&) = delete;
  ~InRows() { arith_.absorb(errors_, additions_); }

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
      add_rows_left_to_right(rows, tree_.from_zero, sums, errors_);
      additions_ += rows.groups() * (members_ - 1);
    } else {
      add_rows(rows, recorder_.program(), sums, errors_);
      additions_ += rows.groups() * recorder_.additions();
    }
  }

  /// The groups of `g`, which are of `members`; none is longer.
  void add(const T* in, const RegularGroups& g, T* out) {
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

}  // namespace orderlab
