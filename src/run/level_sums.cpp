// Levels in Highway's portable vectors: this file is compiled once for each extension.
#include "run/level_sums.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "run/level_sums.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, as Highway asks.
#include <hwy/highway.h>

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "core/arithmetic_guard.hpp"
#include "run/row_lanes.hpp"
#include "vectors/narrow_lanes.hpp"

HWY_BEFORE_NAMESPACE();
namespace orderlab {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// A chunk that fills no vector: kChunk numbers.
template <std::size_t kChunk>
struct Within {
  static constexpr std::size_t kSize = kChunk;
};

#if HWY_TARGET != HWY_SCALAR
/// Chunks 0, 2, 4, ... of two vectors, in order, to `even`, the others to `odd`.
template <class Chunk, class Tag>
HWY_INLINE void part_chunks(Tag tag, hn::Vec<Tag> lower, hn::Vec<Tag> upper, hn::Vec<Tag>& even, hn::Vec<Tag>& odd) {
  constexpr std::size_t kBytes = Chunk::kSize * sizeof(hn::TFromD<Tag>);
  const auto lower_halves = hn::ConcatLowerLower(tag, upper, lower);
  const auto upper_halves = hn::ConcatUpperUpper(tag, upper, lower);
  if (2 * Chunk::kSize == hn::Lanes(tag)) {
    even = lower_halves;
    odd = upper_halves;
  } else if constexpr (kBytes == 4) {
    even = hn::ConcatEven(tag, upper, lower);
    odd = hn::ConcatOdd(tag, upper, lower);
  } else if constexpr (kBytes == 8) {
    const Doubles pairs;
    even = hn::BitCast(tag, hn::ConcatEven(pairs, hn::BitCast(pairs, upper), hn::BitCast(pairs, lower)));
    odd = hn::BitCast(tag, hn::ConcatOdd(pairs, hn::BitCast(pairs, upper), hn::BitCast(pairs, lower)));
  } else if constexpr (kBytes == 16) {
    even = hn::OddEvenBlocks(hn::SwapAdjacentBlocks(upper_halves), lower_halves);
    odd = hn::OddEvenBlocks(upper_halves, hn::SwapAdjacentBlocks(lower_halves));
  }
}
#endif

/// Numbers i, i + 1, ... of a level's chunks 2j, and of its chunks 2j + 1.
template <class T, class Chunk, class Tag, class Number>
HWY_INLINE void partners(Tag tag, const Number* in, Chunk chunk, std::size_t i, hn::Vec<Tag>& a, hn::Vec<Tag>& b) {
  if constexpr (std::is_same_v<Chunk, std::size_t>) {
    const Number* const from = in + 2 * i - (i & (chunk - 1));
    a = loaded<T>(tag, from);
    b = loaded<T>(tag, from + chunk);
  } else {
#if HWY_TARGET != HWY_SCALAR  // its vectors are never longer than a chunk
    const Number* const from = in + 2 * i;
    part_chunks<Chunk>(tag, loaded<T>(tag, from), loaded<T>(tag, from + hn::Lanes(tag)), a, b);
#endif
  }
}

/// kAhead: prefetches.
template <class T, Noted kNoted, bool kAhead, class Chunk, class Number>
HWY_FLATTEN void add_level(const Number* in, Chunk chunk, Lane<T>* out, std::size_t count, RowErrors* errors) {
  const Doubles doubles;
  const Floats floats;
  const std::size_t half = hn::Lanes(doubles);
  const std::size_t step = lanes_of_step<T>();
  constexpr std::size_t kLine = 64 / sizeof(Number);
  in_error_lanes<T, kNoted>(errors, [&](std::size_t first, const Notes<kNoted>& notes) HWY_ATTR {
    for (std::size_t i = first; i < count; i += kErrorLanes) {
      if constexpr (kAhead)
        for (std::size_t line = 0; line < 2 * step; line += kLine)
          __builtin_prefetch(in + 2 * i + line + kPrefetchAhead<Number>);
      if constexpr (std::is_same_v<T, double>) {
        Double a0 = hn::Zero(doubles), b0 = a0, a1 = a0, b1 = a0;
        partners<T>(doubles, in, chunk, i, a0, b0);
        partners<T>(doubles, in, chunk, i + half, a1, b1);
        const Double sum0 = hn::Add(a0, b0), sum1 = hn::Add(a1, b1);
        hn::Store(sum0, doubles, out + i);
        hn::Store(sum1, doubles, out + i + half);
        notes.first(sum0);
        notes.second(sum1);
      } else {
        Float a = hn::Zero(floats), b = a;
        partners<T>(floats, in, chunk, i, a, b);
        const Float sum = rounded<T>(floats, hn::Add(a, b));
        hn::Store(sum, floats, out + i);
        notes.all(sum);
      }
    }
  });
}

/// A level, specialised by the size of its chunks: full vectors, or a small number.
template <class T, Noted kNoted, bool kAhead, class Number>
void add_level_of(const Number* in, std::size_t chunk, Lane<T>* out, std::size_t count, RowErrors* errors) {
  const std::size_t lanes = std::is_same_v<T, double> ? hn::Lanes(Doubles()) : hn::Lanes(Floats());
  if (chunk >= lanes) return add_level<T, kNoted, kAhead>(in, chunk, out, count, errors);
  switch (chunk) {
    case 1:
      return add_level<T, kNoted, kAhead>(in, Within<1>(), out, count, errors);
    case 2:
      return add_level<T, kNoted, kAhead>(in, Within<2>(), out, count, errors);
    case 4:
      return add_level<T, kNoted, kAhead>(in, Within<4>(), out, count, errors);
    case 8:
      return add_level<T, kNoted, kAhead>(in, Within<8>(), out, count, errors);
    default:
      assert(false && "a power of two below the lanes of a vector");
  }
}

constexpr std::size_t kMostNumbers = kErrorLanes * LevelRuns::kMostMembers;
static_assert(kMostNumbers <= GroupRows::kMostNumbers);  // what store() takes

/// Numbers of the output of a level that are computed: those after its last sum are sums of zeros, which add nothing to
/// the errors.
constexpr std::size_t computed(std::size_t count) { return (count + kErrorLanes - 1) / kErrorLanes * kErrorLanes; }

/// `runs` runs, of at most kMostNumbers in all. Reads 2 * computed(runs * members / 2) numbers: the caller pads with
/// zeros, or more runs follow.
template <class T, Noted kNoted, bool kOthersFollow>
void add_some(const LevelRuns& in, const Stored<T>* numbers, std::size_t runs, Stored<T>* sums, RowErrors* errors) {
  HWY_ALIGN Lane<T> one[kMostNumbers / 2 + kErrorLanes];
  HWY_ALIGN Lane<T> other[kMostNumbers / 4 + kErrorLanes];
  Lane<T>* left = one;
  Lane<T>* next = other;
  std::size_t count = runs * in.members / 2;
  const bool halves = in.levels == Levels::halves;
  std::size_t chunk = halves ? in.members / 2 : 1;
  add_level_of<T, kNoted, kOthersFollow>(numbers, chunk, left, computed(count), errors);
  while (count > runs) {
    if (count % (2 * kErrorLanes) != 0) std::fill_n(left + computed(count), kErrorLanes, Lane<T>{0});
    count /= 2;
    chunk = halves ? chunk / 2 : 1;
    add_level_of<T, kNoted, false>(left, chunk, next, computed(count), errors);
    std::swap(left, next);
  }
  store<T>(left, runs, sums);
}

template <class T, Noted kNoted>
void add_all(const LevelRuns& in, Stored<T>* sums, RowErrors* errors) {
  const auto* const numbers = static_cast<const Stored<T>*>(in.numbers);
  // Few enough numbers that the prefetched ones arrive while the later levels are added: the next doubles, or narrower
  // numbers two or four times as far ahead.
  constexpr std::size_t kAtOnce = kPrefetchAhead<double>;
  const std::size_t most = std::max<std::size_t>(1, kAtOnce / in.members / kErrorLanes) * kErrorLanes;
  const std::size_t full = in.runs / kErrorLanes * kErrorLanes;
  for (std::size_t r = 0; r < full; r += most) {
    const std::size_t runs = std::min(most, full - r);
    const auto add = r + runs < in.runs ? add_some<T, kNoted, true> : add_some<T, kNoted, false>;
    add(in, numbers + r * in.members, runs, sums + r, errors);
  }
  const std::size_t rest = in.runs - full;
  if (rest == 0) return;
  const Stored<T>* last = numbers + full * in.members;
  // A power of two of members of which rest * members / 2 is no multiple of kErrorLanes is at most kErrorLanes, and
  // rest is less.
  HWY_ALIGN Stored<T> padded[kErrorLanes * kErrorLanes];
  const std::size_t count = rest * in.members / 2;
  if (count != computed(count)) {
    std::fill(std::copy_n(last, 2 * count, padded), padded + 2 * computed(count), Stored<T>{0});
    last = padded;
  }
  add_some<T, kNoted, false>(in, last, rest, sums + full, errors);
}

void add_levels(const LevelRuns& runs, void* sums, RowErrors* errors) {
  with_type_of(runs.format, [&](auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    with_noted<T>(errors, [&](auto noted) { add_all<T, noted()>(runs, static_cast<Stored<T>*>(sums), errors); });
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace orderlab
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orderlab {

HWY_EXPORT(add_levels);

void add_levels(const LevelRuns& runs, void* sums, RowErrors* errors) {
  HWY_DYNAMIC_DISPATCH(add_levels)(runs, sums, errors);
}

}  // namespace orderlab
#endif
