// Gathering members of groups into rows of vectors' lanes, for files that are compiled once for each extension.
// Included like highway.h itself, once each time: after foreach_target.h.
#if defined(ORDERLAB_ROW_GATHER_TARGET) == defined(HWY_TARGET_TOGGLE)  // an include guard for each extension
#ifdef ORDERLAB_ROW_GATHER_TARGET
#undef ORDERLAB_ROW_GATHER_TARGET
#else
#define ORDERLAB_ROW_GATHER_TARGET
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "run/row_lanes.hpp"
#include "run/rows.hpp"
#include "vectors/narrow_lanes.hpp"

HWY_BEFORE_NAMESPACE();
namespace orderlab {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class T>
HWY_INLINE void copy_piece(const Stored<T>* from, std::size_t width, Stored<T>* to) {
  const hn::CappedTag<Stored<T>, 8> numbers;
  const std::size_t step = hn::Lanes(numbers);
  std::size_t l = 0;
  for (; l + step <= width; l += step) hn::StoreU(hn::LoadU(numbers, from + l), numbers, to + l);
  for (; l < width; ++l) to[l] = from[l];
}

/// As many groups, and as many members of each, are brought from columns to rows at once.
template <class T>
inline constexpr std::size_t kSquare = sizeof(T) == 2 ? 8 : 4;
template <class T>
using Side = hn::CappedTag<Stored<T>, kSquare<T>>;

#if HWY_TARGET != HWY_SCALAR
/// Members m to m + 3 of four groups, as rows.
template <class T, class Row = hn::Vec<Side<T>>>
HWY_INLINE void transpose(const T* const (&from)[4], std::size_t m, Row& row0, Row& row1, Row& row2, Row& row3) {
  const Side<T> four;
  const auto a = hn::LoadU(four, from[0] + m), b = hn::LoadU(four, from[1] + m);
  const auto c = hn::LoadU(four, from[2] + m), d = hn::LoadU(four, from[3] + m);
  const auto ab_lower = hn::InterleaveLower(four, a, b), ab_upper = hn::InterleaveUpper(four, a, b);
  const auto cd_lower = hn::InterleaveLower(four, c, d), cd_upper = hn::InterleaveUpper(four, c, d);
  // Vectors are interleaved within blocks of 16 bytes: of doubles the lower halves are numbers 0 and 2, of others 0
  // and 1.
  constexpr bool kDoubles = sizeof(T) == 8;
  row0 = hn::ConcatLowerLower(four, cd_lower, ab_lower);
  (kDoubles ? row2 : row1) = hn::ConcatUpperUpper(four, cd_lower, ab_lower);
  (kDoubles ? row1 : row2) = hn::ConcatLowerLower(four, cd_upper, ab_upper);
  row3 = hn::ConcatUpperUpper(four, cd_upper, ab_upper);
}

/// Vectors of eight groups' members, on machines that have them.
template <class T>
using Eight = hn::CappedTag<T, 8>;

/// Members m to m + 3 of eight groups, as rows: groups i and i + 4 are loaded into one vector, in the halves of which
/// four by four are then exchanged.
template <class T, class Row = hn::Vec<Eight<T>>>
HWY_INLINE void transpose(const T* const (&from)[8], std::size_t m, Row& row0, Row& row1, Row& row2, Row& row3) {
  const Eight<T> eight;
  const hn::Half<Eight<T>> four;
  const auto a = hn::Combine(eight, hn::LoadU(four, from[4] + m), hn::LoadU(four, from[0] + m));
  const auto b = hn::Combine(eight, hn::LoadU(four, from[5] + m), hn::LoadU(four, from[1] + m));
  const auto c = hn::Combine(eight, hn::LoadU(four, from[6] + m), hn::LoadU(four, from[2] + m));
  const auto d = hn::Combine(eight, hn::LoadU(four, from[7] + m), hn::LoadU(four, from[3] + m));
  const auto ab_lower = hn::InterleaveLower(eight, a, b), ab_upper = hn::InterleaveUpper(eight, a, b);
  const auto cd_lower = hn::InterleaveLower(eight, c, d), cd_upper = hn::InterleaveUpper(eight, c, d);
  if constexpr (sizeof(T) == 8) {
    row0 = hn::OddEvenBlocks(hn::SwapAdjacentBlocks(cd_lower), ab_lower);
    row1 = hn::OddEvenBlocks(hn::SwapAdjacentBlocks(cd_upper), ab_upper);
    row2 = hn::OddEvenBlocks(cd_lower, hn::SwapAdjacentBlocks(ab_lower));
    row3 = hn::OddEvenBlocks(cd_upper, hn::SwapAdjacentBlocks(ab_upper));
  } else {
    const hn::RepartitionToWide<Eight<T>> pairs;
    const auto row = [&](auto pair) HWY_ATTR { return hn::BitCast(eight, pair); };
    const auto p = hn::BitCast(pairs, ab_lower), q = hn::BitCast(pairs, cd_lower);
    const auto r = hn::BitCast(pairs, ab_upper), s = hn::BitCast(pairs, cd_upper);
    row0 = row(hn::InterleaveLower(pairs, p, q));
    row1 = row(hn::InterleaveUpper(pairs, p, q));
    row2 = row(hn::InterleaveLower(pairs, r, s));
    row3 = row(hn::InterleaveUpper(pairs, r, s));
  }
}

/// The same into an array, rows `lanes` numbers apart.
template <class T, std::size_t kGroups>
HWY_INLINE void transpose(const T* const (&from)[kGroups], std::size_t m, std::size_t lanes, T* rows) {
  const hn::CappedTag<T, kGroups> numbers;
  auto row0 = hn::Zero(numbers), row1 = row0, row2 = row0, row3 = row0;
  transpose(from, m, row0, row1, row2, row3);
  hn::StoreU(row0, numbers, rows);
  hn::StoreU(row1, numbers, rows + lanes);
  hn::StoreU(row2, numbers, rows + 2 * lanes);
  hn::StoreU(row3, numbers, rows + 3 * lanes);
}

using Codes8 = hn::Vec<Side<Half>>;  // never in an array: those of some extensions have no size

/// Interleaves the first four vectors with the last four, as a pack of cards is shuffled: of a number's place, three
/// bits of the vector before three of the lane, the first bit becomes the last.
HWY_INLINE void shuffle(Codes8& a, Codes8& b, Codes8& c, Codes8& d, Codes8& e, Codes8& f, Codes8& g, Codes8& h) {
  const Side<Half> eight;
  const Codes8 a0 = a, b0 = b, c0 = c, d0 = d;
  a = hn::InterleaveLower(eight, a0, e);
  b = hn::InterleaveUpper(eight, a0, e);
  c = hn::InterleaveLower(eight, b0, f);
  d = hn::InterleaveUpper(eight, b0, f);
  e = hn::InterleaveLower(eight, c0, g);
  f = hn::InterleaveUpper(eight, c0, g);
  g = hn::InterleaveLower(eight, d0, h);
  h = hn::InterleaveUpper(eight, d0, h);
}

HWY_INLINE void transpose(const std::uint16_t* const (&from)[8], std::size_t m, std::size_t lanes,
                          std::uint16_t* rows) {
  const Side<Half> eight;
  Codes8 a = hn::LoadU(eight, from[0] + m), b = hn::LoadU(eight, from[1] + m);
  Codes8 c = hn::LoadU(eight, from[2] + m), d = hn::LoadU(eight, from[3] + m);
  Codes8 e = hn::LoadU(eight, from[4] + m), f = hn::LoadU(eight, from[5] + m);
  Codes8 g = hn::LoadU(eight, from[6] + m), h = hn::LoadU(eight, from[7] + m);
  shuffle(a, b, c, d, e, f, g, h);
  shuffle(a, b, c, d, e, f, g, h);
  shuffle(a, b, c, d, e, f, g, h);
  hn::StoreU(a, eight, rows);
  hn::StoreU(b, eight, rows + lanes);
  hn::StoreU(c, eight, rows + 2 * lanes);
  hn::StoreU(d, eight, rows + 3 * lanes);
  hn::StoreU(e, eight, rows + 4 * lanes);
  hn::StoreU(f, eight, rows + 5 * lanes);
  hn::StoreU(g, eight, rows + 6 * lanes);
  hn::StoreU(h, eight, rows + 7 * lanes);
}
#endif

/// Groups p, ..., p + kGroups - 1, whose members lie one after the other, kMembers of which transpose() makes rows of.
template <std::size_t kGroups, std::size_t kMembers, class Number, class Group>
HWY_INLINE void gather_side_by_side(std::size_t p, Group group, std::size_t count, std::size_t lanes, Number* rows) {
  const Number* from[kGroups];
  for (std::size_t i = 0; i < kGroups; ++i) from[i] = group(p + i);
  constexpr std::size_t kLine = 64 / sizeof(Number);
  std::size_t m = 0;
  for (; m + kMembers <= count; m += kMembers) {
    if (m % kLine == 0) {
      HWY_UNROLL(8)
      for (std::size_t i = 0; i < kGroups; ++i) __builtin_prefetch(from[i] + m + kPrefetchAhead<Number>);
    }
    transpose(from, m, lanes, rows + m * lanes + p);
  }
  for (; m < count; ++m)
    for (std::size_t i = 0; i < kGroups; ++i) rows[m * lanes + p + i] = from[i][m];
}

/// Groups whose members lie one after the other.
template <class T>
void gather_neighbours(const GroupRows& in, std::size_t begin, std::size_t count, std::size_t lanes, Stored<T>* rows) {
  const auto group = [&](std::size_t p) { return static_cast<const Stored<T>*>(in.pieces[p]) + begin; };
  const std::size_t groups = in.groups();
  std::size_t p = 0;
#if HWY_TARGET != HWY_SCALAR
  if constexpr (sizeof(T) != 2)
    for (; hn::Lanes(Eight<T>()) == 8 && p + 8 <= groups; p += 8)
      gather_side_by_side<8, 4>(p, group, count, lanes, rows);
  constexpr std::size_t kSide = kSquare<T>;
  for (; hn::Lanes(Side<T>()) == kSide && p + kSide <= groups; p += kSide)
    gather_side_by_side<kSide, kSide>(p, group, count, lanes, rows);
#endif
  for (; p < groups; ++p) {
    const auto* const numbers = group(p);
    for (std::size_t m = 0; m < count; ++m) rows[m * lanes + p] = numbers[m];
  }
}

/// Members begin, ..., begin + count - 1 of all groups as rows; unused `lanes` are zero.
template <class T>
void gather(const GroupRows& in, std::size_t begin, std::size_t count, std::size_t lanes, Stored<T>* rows) {
  // As many zeros as fill any row, so that no loop is needed; the numbers come over them.
  if (in.groups() != lanes)
    for (std::size_t m = 1; m <= count; ++m) std::fill_n(rows + m * lanes - kErrorLanes, kErrorLanes, Stored<T>{0});
  if (in.width == 1 && in.step == 1) {
    gather_neighbours<T>(in, begin, count, lanes, rows);
  } else {
    for (std::size_t p = 0; p < in.pieces.size(); ++p)
      for (std::size_t m = 0; m < count; ++m) {
        const auto* const from = static_cast<const Stored<T>*>(in.pieces[p]) + (begin + m) * in.step;
        __builtin_prefetch(from + kPrefetchAhead<Stored<T>>);
        copy_piece<T>(from, in.width, rows + m * lanes + p * in.width);
      }
  }
}

inline std::size_t padded(std::size_t groups) { return (groups + kErrorLanes - 1) / kErrorLanes * kErrorLanes; }

/// gather() with the numbers widened to those that rows are added in.
template <class T>
void load(const GroupRows& in, std::size_t begin, std::size_t count, std::size_t lanes, Lane<T>* rows) {
  if constexpr (sizeof(T) == 2) {
    HWY_ALIGN std::uint16_t codes[GroupRows::kMostNumbers];
    gather<T>(in, begin, count, lanes, codes);
    const Floats floats;
    for (std::size_t i = 0; i < count * lanes; i += hn::Lanes(floats))
      hn::Store(widened<T>(floats, hn::Load(NarrowCodes<Floats>(), codes + i)), floats, rows + i);
  } else {
    gather<T>(in, begin, count, lanes, rows);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace orderlab
HWY_AFTER_NAMESPACE();

#endif
