// Many groups of partial sums added at once: a group is a lane, and a row holds the members of one number of all
// groups.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "orderlab/format.hpp"

namespace orderlab {

/// What additions add up for the error bounds, in as many lanes for every vector extension, so that none of them has
/// figures of its own: with scale 1 the sums of |s| and of s^2, else of |u s| and of (u s scale)^2.
struct RowErrors {
  static constexpr std::size_t kLanes = 16;

  double unit = 1;   ///< u
  double scale = 1;  ///< as RunningError::scale; not 1 for fp64 only
  alignas(64) std::array<double, kLanes> linear{};
  alignas(64) std::array<double, kLanes> square{};
};

/// row[to] += row[from]; where from is kZero, +0.0 is added before row[to] instead, which is no rounding.
struct RowAddition {
  static constexpr std::uint16_t kZero = 0xffff;
  std::uint16_t to;
  std::uint16_t from;
};

/// Additions of rows, one after the other, that make one sum of all.
struct RowProgram {
  std::vector<RowAddition> additions = {};
  std::uint16_t sum = 0;      ///< the row that it is left in
  std::size_t roundings = 0;  ///< additions but those of +0.0
};

/// Groups of as many members each. They come in pieces of `width` groups that lie side by side: member i of group l of
/// piece p is pieces[p][l + i * step].
struct GroupRows {
  static constexpr std::size_t kMostGroups = 512;
  static constexpr std::size_t kMostNumbers = 4096;  ///< padded groups times members; 32 KiB of doubles: L1
  static constexpr std::size_t kMostMembers = kMostNumbers / RowErrors::kLanes;

  Format format;
  std::span<const void* const> pieces;
  std::size_t width;
  std::size_t step;
  std::size_t members;

  std::size_t groups() const { return pieces.size() * width; }

  /// Groups that can be added at once.
  static constexpr std::size_t most_groups(std::size_t members) {
    const std::size_t fit = kMostNumbers / members / RowErrors::kLanes * RowErrors::kLanes;
    return fit < kMostGroups ? fit : kMostGroups;
  }
};

/// The sums of the groups, each had by `program` from its members: row i holds member i.
///
/// Shape:   rows.groups() <= most_groups(rows.members), rows.members <= kMostMembers; numbers of rows.format.
/// Error:   every addition is rounded once; `errors` gets each of them, unless it is null.
/// Special: a NaN is a NaN, of any sign and payload.
void add_rows(const GroupRows& rows, const RowProgram& program, void* sums, RowErrors* errors);

/// The same from left to right, for any number of members; from +0.0 or from the first member.
///
/// Shape: rows.groups() <= kMostGroups.
void add_rows_left_to_right(const GroupRows& rows, bool from_zero, void* sums, RowErrors* errors);

}  // namespace orderlab
