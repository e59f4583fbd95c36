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
#include <type_traits>

#include "core/narrow_lanes.hpp"
#include "order/rows.hpp"

HWY_BEFORE_NAMESPACE();
namespace orderlab {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Doubles = hn::CappedTag<double, 8>;
#if HWY_TARGET == HWY_SCALAR
using Floats = hn::Rebind<float, Doubles>;
#else
using Floats = hn::Repartition<float, Doubles>;
#endif

constexpr std::size_t kErrorLanes = RowErrors::kLanes;

/// What numbers of a format are added as.
template <class T>
using Lane = std::conditional_t<std::is_same_v<T, double>, double, float>;

/// Numbers as they are stored: codes of 16 bits, floats, doubles.
template <class T>
using Stored = std::conditional_t<sizeof(T) == 2, std::uint16_t, T>;

template <class T>
HWY_INLINE void copy_piece(const Stored<T>* from, std::size_t width, Stored<T>* to) {
  const hn::CappedTag<Stored<T>, 8> numbers;
  const std::size_t step = hn::Lanes(numbers);
  std::size_t l = 0;
  for (; l + step <= width; l += step) hn::StoreU(hn::LoadU(numbers, from + l), numbers, to + l);
  for (; l < width; ++l) to[l] = from[l];
}

#if HWY_TARGET != HWY_SCALAR
/// Four members of each of four groups, as four rows.
template <class T>
HWY_INLINE void transpose(const Stored<T>* a_from, const Stored<T>* b_from, const Stored<T>* c_from,
                          const Stored<T>* d_from, std::size_t lanes, Stored<T>* rows) {
  const hn::CappedTag<Stored<T>, 4> four;
  const auto a = hn::LoadU(four, a_from), b = hn::LoadU(four, b_from);
  const auto c = hn::LoadU(four, c_from), d = hn::LoadU(four, d_from);
  const auto ab_lower = hn::InterleaveLower(four, a, b), ab_upper = hn::InterleaveUpper(four, a, b);
  const auto cd_lower = hn::InterleaveLower(four, c, d), cd_upper = hn::InterleaveUpper(four, c, d);
  // Vectors are interleaved within blocks of 16 bytes: of doubles the lower halves are numbers 0 and 2, of others 0
  // and 1.
  constexpr std::size_t kOther = sizeof(T) == 8 ? 2 : 1;
  hn::StoreU(hn::ConcatLowerLower(four, cd_lower, ab_lower), four, rows);
  hn::StoreU(hn::ConcatUpperUpper(four, cd_lower, ab_lower), four, rows + kOther * lanes);
  hn::StoreU(hn::ConcatLowerLower(four, cd_upper, ab_upper), four, rows + (3 - kOther) * lanes);
  hn::StoreU(hn::ConcatUpperUpper(four, cd_upper, ab_upper), four, rows + 3 * lanes);
}
#endif

constexpr std::size_t kAhead = 512;

/// Groups whose members lie one after the other.
template <class T>
void gather_neighbours(const GroupRows& in, std::size_t begin, std::size_t count, std::size_t lanes, Stored<T>* rows) {
  const auto from = [&](std::size_t p) { return static_cast<const Stored<T>*>(in.pieces[p]) + begin; };
  const std::size_t groups = in.groups();
  std::size_t p = 0;
#if HWY_TARGET != HWY_SCALAR
  const bool by_four = hn::Lanes(hn::CappedTag<Stored<T>, 4>()) == 4;
  for (; by_four && p + 4 <= groups; p += 4) {
    const auto *const a = from(p), *const b = from(p + 1), *const c = from(p + 2), *const d = from(p + 3);
    std::size_t m = 0;
    for (; m + 4 <= count; m += 4) {
      __builtin_prefetch(a + m + kAhead), __builtin_prefetch(b + m + kAhead);
      __builtin_prefetch(c + m + kAhead), __builtin_prefetch(d + m + kAhead);
      transpose<T>(a + m, b + m, c + m, d + m, lanes, rows + m * lanes + p);
    }
    for (; m < count; ++m) {
      Stored<T>* const to = rows + m * lanes + p;
      to[0] = a[m], to[1] = b[m], to[2] = c[m], to[3] = d[m];
    }
  }
#endif
  for (; p < groups; ++p) {
    const auto* const numbers = from(p);
    for (std::size_t m = 0; m < count; ++m) rows[m * lanes + p] = numbers[m];
  }
}

/// Members begin, ..., begin + count - 1 of all groups as rows; what is left of `lanes` is zero.
template <class T>
void gather(const GroupRows& in, std::size_t begin, std::size_t count, std::size_t lanes, Stored<T>* rows) {
  const std::size_t groups = in.groups();
  if (in.width == 1 && in.step == 1) {
    gather_neighbours<T>(in, begin, count, lanes, rows);
  } else {
    for (std::size_t p = 0; p < in.pieces.size(); ++p)
      for (std::size_t m = 0; m < count; ++m) {
        const auto* const from = static_cast<const Stored<T>*>(in.pieces[p]) + (begin + m) * in.step;
        __builtin_prefetch(from + kAhead);
        copy_piece<T>(from, in.width, rows + m * lanes + p * in.width);
      }
  }
  if (groups == lanes) return;
  for (std::size_t m = 0; m < count; ++m) std::fill_n(rows + m * lanes + groups, lanes - groups, Stored<T>{0});
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
