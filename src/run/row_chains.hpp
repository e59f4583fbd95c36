// Rows added from left to right, either in place or after gathering. For files that are compiled once for each
// extension; included like highway.h itself, once each time: after foreach_target.h.
#if defined(ORDERLAB_ROW_CHAINS_TARGET) == defined(HWY_TARGET_TOGGLE)  // an include guard for each extension
#ifdef ORDERLAB_ROW_CHAINS_TARGET
#undef ORDERLAB_ROW_CHAINS_TARGET
#else
#define ORDERLAB_ROW_CHAINS_TARGET
#endif

#include <hwy/highway.h>

#include <bit>
#include <cstddef>
#include <type_traits>

#include "run/row_gather.hpp"
#include "run/row_lanes.hpp"
#include "run/rows.hpp"
#include "vectors/narrow_lanes.hpp"

HWY_BEFORE_NAMESPACE();
namespace orderlab {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Rows of members that are added from left to right: start + rows[0] + rows[1] + ..., for the first `groups` lanes and
/// those up to a vector's end. The rows lie `stride` numbers apart. A Run is where the lanes of a vector lie.
template <class N, class Run = const N*>
struct LeftToRightRows {
  const N* start;
  bool from_zero;
  const N* rows;
  std::size_t stride;
  std::size_t members;
  std::size_t groups;
  std::size_t ahead;  ///< prefetch distance in numbers; 0 (no prefetch) where the rows are in the nearest cache

  Run start_of(std::size_t lane) const { return {start + lane}; }
  Run row_of(std::size_t lane) const { return {rows + lane}; }
};

/// A run of the lower half of a vector; the upper one is zero.
template <class N>
struct HalfRun {
  const N* lower;

  HalfRun operator+(std::size_t numbers) const { return {lower + numbers}; }
};

/// Runs of both halves.
template <class N>
struct TwoRuns {
  const N* lower;
  const N* upper;

  TwoRuns operator+(std::size_t numbers) const { return {lower + numbers, upper + numbers}; }
};

template <class N>
HWY_INLINE void fetch(const N* run) {
  __builtin_prefetch(run);
}
template <class N>
HWY_INLINE void fetch(const HalfRun<N>& run) {
  __builtin_prefetch(run.lower);
}
template <class N>
HWY_INLINE void fetch(const TwoRuns<N>& runs) {
  __builtin_prefetch(runs.lower);
  __builtin_prefetch(runs.upper);
}

#if HWY_TARGET != HWY_SCALAR
template <class T, class Tag, class N>
HWY_INLINE hn::Vec<Tag> loaded(Tag tag, const HalfRun<N>& from) {
  return hn::ZeroExtendVector(tag, loaded<T>(hn::Half<Tag>(), from.lower));
}
template <class T, class Tag, class N>
HWY_INLINE hn::Vec<Tag> loaded(Tag tag, const TwoRuns<N>& from) {
  const hn::Half<Tag> half;
  return hn::Combine(tag, hn::LoadU(half, from.upper), hn::LoadU(half, from.lower));
}
#endif

/// The same for pieces of 2^width_bits lanes: a multiple of a vector, or (kHalves) half a vector. Their first members
/// are the start.
template <class N, bool kHalves>
struct LeftToRightPieces {
  const void* const* pieces;
  int width_bits;
  bool from_zero;
  std::size_t stride;
  std::size_t members;
  std::size_t groups;
  std::size_t ahead;

  auto start_of(std::size_t lane) const {
    const std::size_t piece = lane >> width_bits;
    const auto first = [&](std::size_t p) { return static_cast<const N*>(pieces[p]); };
    if constexpr (kHalves)
      return TwoRuns<N>{first(piece), first(piece + 1)};
    else
      return first(piece) + (lane - (piece << width_bits));
  }
  auto row_of(std::size_t lane) const { return start_of(lane) + stride; }
};

/// Accumulators of a vector from `lane` on.
template <class T, class Tag, class Rows>
HWY_INLINE hn::Vec<Tag> started(Tag tag, const Rows& in, std::size_t lane) {
  const auto number = loaded<T>(tag, in.start_of(lane));
  return in.from_zero ? hn::Add(hn::Zero(tag), number) : number;
}

/// Doubles of two vectors from lane i on.
template <Noted kNoted, class Tag, class Rows>
HWY_INLINE void add_two_vectors(const Rows& in, std::size_t i, double* sums, const Notes<kNoted, Tag>& notes) {
  const Tag doubles;
  const std::size_t half = hn::Lanes(doubles);
  const double* row0 = in.row_of(i);
  const double* row1 = in.row_of(i + half);
  auto sum0 = started<double>(doubles, in, i);
  auto sum1 = started<double>(doubles, in, i + half);
  for (std::size_t m = 0, at = 0; m < in.members; ++m, at += in.stride) {
    __builtin_prefetch(row0 + at + in.ahead);
    __builtin_prefetch(row1 + at + in.ahead);
    sum0 = hn::Add(sum0, hn::LoadU(doubles, row0 + at));
    sum1 = hn::Add(sum1, hn::LoadU(doubles, row1 + at));
    notes.first(sum0);
    notes.second(sum1);
  }
  hn::Store(sum0, doubles, sums + i);
  hn::Store(sum1, doubles, sums + i + half);
}

/// Doubles of two vectors from lane i on. If the second has no group, of two vectors half as long: then each addition
/// waits for the one before, and 256-bit additions have lower latency on some CPUs.
template <Noted kNoted, class Rows>
HWY_INLINE void add_doubles(const Rows& in, std::size_t i, double* sums, const Notes<kNoted>& notes) {
#if HWY_TARGET != HWY_SCALAR
  if (i + hn::Lanes(Doubles()) >= in.groups)
    return notes.first_in_halves([&](const auto& halves) HWY_ATTR { add_two_vectors(in, i, sums, halves); });
#endif
  add_two_vectors(in, i, sums, notes);
}

/// Floats of one vector from lane i on.
template <class T, Noted kNoted, class Rows>
HWY_INLINE void add_floats(const Rows& in, std::size_t i, float* sums, const Notes<kNoted>& notes) {
  const Floats floats;
  const auto row = in.row_of(i);
  Float sum = started<T>(floats, in, i);
  for (std::size_t m = 0, at = 0; m < in.members; ++m, at += in.stride) {
    fetch(row + (at + in.ahead));
    sum = rounded<T>(floats, hn::Add(sum, loaded<T>(floats, row + at)));
    notes.all(sum);
  }
  hn::Store(sum, floats, sums + i);
}

/// Floats of four vectors, the others kErrorLanes, 2 * kErrorLanes and 3 * kErrorLanes further on: an addition rounded
/// to 16 bits takes so long that the next one must not wait for it.
template <class T, Noted kNoted, class Rows>
HWY_INLINE void add_floats_of_four(const Rows& in, std::size_t i, float* sums, const Notes<kNoted>& notes) {
  const Floats floats;
  const auto row = [&](std::size_t v) { return in.row_of(i + v * kErrorLanes); };
  const auto start = [&](std::size_t v) HWY_ATTR { return started<T>(floats, in, i + v * kErrorLanes); };
  const auto next = [&](Float& sum, const auto& from) HWY_ATTR {
    fetch(from + in.ahead);
    sum = rounded<T>(floats, hn::Add(sum, loaded<T>(floats, from)));
    notes.all(sum);
  };
  const auto row0 = row(0), row1 = row(1), row2 = row(2), row3 = row(3);
  Float sum0 = start(0), sum1 = start(1), sum2 = start(2), sum3 = start(3);
  for (std::size_t m = 0, at = 0; m < in.members; ++m, at += in.stride) {
    next(sum0, row0 + at);
    next(sum1, row1 + at);
    next(sum2, row2 + at);
    next(sum3, row3 + at);
  }
  hn::Store(sum0, floats, sums + i);
  hn::Store(sum1, floats, sums + i + kErrorLanes);
  hn::Store(sum2, floats, sums + i + 2 * kErrorLanes);
  hn::Store(sum3, floats, sums + i + 3 * kErrorLanes);
}

template <class T, Noted kNoted, class Rows>
HWY_FLATTEN void run_noted_left_to_right(const Rows& in, Lane<T>* sums, RowErrors* errors) {
  in_error_lanes<T, kNoted>(errors, [&](std::size_t first, const Notes<kNoted>& notes) HWY_ATTR {
    std::size_t i = first;
    if constexpr (std::is_same_v<T, double>) {
      for (; i < in.groups; i += kErrorLanes) add_doubles(in, i, sums, notes);
    } else {
      const std::size_t whole = in.groups / kErrorLanes * kErrorLanes;
      for (; i + 3 * kErrorLanes < whole; i += 4 * kErrorLanes) add_floats_of_four<T>(in, i, sums, notes);
      for (; i < in.groups; i += kErrorLanes) add_floats<T>(in, i, sums, notes);
    }
  });
}

template <class T, class Rows>
void run_left_to_right(const Rows& in, Lane<T>* sums, RowErrors* errors) {
  with_noted<T>(errors, [&](auto noted) { run_noted_left_to_right<T, noted()>(in, sums, errors); });
}

/// Adds leading groups in place and returns how many.
///
/// Which groups qualify may depend on the extension; the figures do not: with one row of error lanes, or one block of
/// members, gathered rows add to the error lanes in the same order. Numbers of 16 bits are read in place only where
/// there is one row of lanes.
template <class T>
std::size_t add_in_place(const GroupRows& in, bool from_zero, void* out, RowErrors* errors) {
  using Number = Stored<T>;
  HWY_ALIGN Lane<T> sums[GroupRows::kMostGroups];
  const auto run = [&](const auto& rows) {
    run_left_to_right<T>(rows, sums, errors);
    store<T>(sums, rows.groups, out);
    return rows.groups;
  };
  const auto run_one = [&]<class Run>(Run) {
    const auto* const first = static_cast<const Number*>(in.pieces[0]);
    return run(LeftToRightRows<Number, Run>{first, from_zero, first + in.step, in.step, in.members - 1, in.width,
                                            kPrefetchAhead<Number>});
  };
  const auto run_several = [&](std::size_t pieces, auto halves) {
    return run(LeftToRightPieces<Number, halves()>{in.pieces.data(), std::countr_zero(in.width), from_zero, in.step,
                                                   in.members - 1, pieces * in.width, kPrefetchAhead<Number>});
  };
#if HWY_TARGET == HWY_SCALAR
  const std::size_t vector = lanes_of_step<T>();  // which has no halves
#else
  const std::size_t vector = std::is_same_v<T, double> ? hn::Lanes(Doubles()) : hn::Lanes(Floats());
#endif
  const bool vectors = in.width % vector == 0;
  const bool one_block = in.members <= GroupRows::kMostNumbers / padded(in.groups());
  if (in.pieces.size() == 1) {
    const bool one_row = in.width <= kErrorLanes && vectors;
    if (one_row || (sizeof(T) != 2 && in.width % kErrorLanes == 0)) return run_one(static_cast<const Number*>(nullptr));
  }
  if constexpr (sizeof(T) != 2)
    if (vectors && one_block && std::has_single_bit(in.width)) return run_several(in.pieces.size(), std::false_type());
#if HWY_TARGET != HWY_SCALAR
  if constexpr (!std::is_same_v<T, double>) {
    if (2 * in.width != vector) return 0;
    if (in.pieces.size() == 1) return run_one(HalfRun<Number>());
    if constexpr (sizeof(T) != 2) {
      const std::size_t filling =
          in.pieces.size() - in.pieces.size() % (kErrorLanes / in.width);  // rows of error lanes
      if (one_block && filling > 0) return run_several(filling, std::true_type());
    }
  }
#endif
  return 0;
}

}  // namespace HWY_NAMESPACE
}  // namespace orderlab
HWY_AFTER_NAMESPACE();

#endif
