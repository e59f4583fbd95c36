// Sums of groups whose members lie one after the other, brought into rows in registers. For files that are compiled
// once for each extension; included like highway.h itself, once each time: after foreach_target.h.
#if defined(ORDERLAB_ROW_REGISTERS_TARGET) == defined(HWY_TARGET_TOGGLE)  // an include guard for each extension
#ifdef ORDERLAB_ROW_REGISTERS_TARGET
#undef ORDERLAB_ROW_REGISTERS_TARGET
#else
#define ORDERLAB_ROW_REGISTERS_TARGET
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "run/row_gather.hpp"
#include "run/row_lanes.hpp"
#include "run/rows.hpp"

HWY_BEFORE_NAMESPACE();
namespace orderlab {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#undef ORDERLAB_ROWS_IN_REGISTERS
#if !HWY_HAVE_SCALABLE && HWY_MAX_BYTES >= 32
#define ORDERLAB_ROWS_IN_REGISTERS 1
#else
#define ORDERLAB_ROWS_IN_REGISTERS 0
#endif

#if ORDERLAB_ROWS_IN_REGISTERS
/// Groups whose members lie one after the other, as many as two vectors have: four members of each are brought into
/// rows in registers and added at once. `from` has a pointer for each.
template <Noted kNoted, class Tag>
HWY_INLINE void add_neighbours(const double* const* from, std::size_t members, bool from_zero, double* sums,
                               const Notes<kNoted, Tag>& notes) {
  using Vector = hn::Vec<Tag>;
  const Tag doubles;
  constexpr std::size_t kGroups = hn::MaxLanes(Tag());
  constexpr std::size_t kLine = 64 / sizeof(double);
  const double* lower[kGroups];
  const double* upper[kGroups];
  std::copy_n(from, kGroups, lower);
  std::copy_n(from + kGroups, kGroups, upper);
  Vector sum0 = hn::Zero(doubles), sum1 = sum0;
  const auto add = [&](Vector row0, Vector row1) HWY_ATTR {
    sum0 = hn::Add(sum0, row0);
    sum1 = hn::Add(sum1, row1);
    notes.first(sum0);
    notes.second(sum1);
  };
  Vector a0 = sum0, a1 = sum0, a2 = sum0, a3 = sum0, b0 = sum0, b1 = sum0, b2 = sum0, b3 = sum0;
  for (std::size_t m = 0; m < members; m += 4) {
    const std::size_t at = std::min(m, members - 4);  // of the last four, some may have been added
    if (m % kLine == 0)
      for (std::size_t g = 0; g < 2 * kGroups; ++g) __builtin_prefetch(from[g] + m + kPrefetchAhead<double>);
    transpose(lower, at, a0, a1, a2, a3);
    transpose(upper, at, b0, b1, b2, b3);
    if (m == 0) {
      sum0 = from_zero ? hn::Add(sum0, a0) : a0;
      sum1 = from_zero ? hn::Add(sum1, b0) : b0;
    } else if (at == m) {
      add(a0, b0);
    }
    if (at + 1 >= m) add(a1, b1);
    if (at + 2 >= m) add(a2, b2);
    add(a3, b3);
  }
  hn::StoreU(sum0, doubles, sums);
  hn::StoreU(sum1, doubles, sums + kGroups);
}

/// The members of groups that fill up the last vector.
inline constexpr double kNoNumbers[GroupRows::kMostMembers] = {};

/// Whether there is a transpose() of the groups of half a vector.
inline constexpr bool kHalvesTransposed = hn::MaxLanes(Doubles()) == 8;

/// Adds the first `groups` groups of neighbours, 4 members at least; if they fill no vector, kMostMembers at most.
template <Noted kNoted>
HWY_FLATTEN void add_all_neighbours(const GroupRows& in, std::size_t groups, bool from_zero, double* sums,
                                    RowErrors* errors) {
  in_error_lanes<double, kNoted>(errors, [&](std::size_t first, const Notes<kNoted>& notes) HWY_ATTR {
    for (std::size_t i = first; i < groups; i += kErrorLanes) {
      const std::size_t count = std::min(lanes_of_step<double>(), groups - i);
      const double* from[kErrorLanes];
      double last[kErrorLanes];
      double* const to = count < lanes_of_step<double>() ? last : sums + i;
      for (std::size_t g = 0; g < lanes_of_step<double>(); ++g)
        from[g] = g < count ? static_cast<const double*>(in.pieces[i + g]) : kNoNumbers;
      if (2 * count > lanes_of_step<double>() || !kHalvesTransposed)
        add_neighbours(from, in.members, from_zero, to, notes);
      else if constexpr (kHalvesTransposed)  // as in add_doubles
        notes.first_in_halves([&](const auto& halves)
                                  HWY_ATTR { add_neighbours(from, in.members, from_zero, to, halves); });
      if (to == last) std::copy_n(last, count, sums + i);
    }
  });
}
#endif

/// Leading groups that are added in registers: their number.
template <class T>
std::size_t add_in_registers([[maybe_unused]] const GroupRows& in, [[maybe_unused]] bool from_zero,
                             [[maybe_unused]] void* sums, [[maybe_unused]] RowErrors* errors) {
  std::size_t done = 0;
#if ORDERLAB_ROWS_IN_REGISTERS
  // Beyond so many members, the error lanes of more groups get their sums in another order.
  const bool one_block = in.members <= GroupRows::kMostNumbers / padded(in.groups());
  if constexpr (std::is_same_v<T, double>)
    if (in.width == 1 && in.step == 1 && in.members >= 4 && (one_block || in.groups() <= kErrorLanes)) {
      done = in.members <= GroupRows::kMostMembers ? in.groups() : in.groups() / kErrorLanes * kErrorLanes;
      with_noted<T>(errors, [&](auto noted) {
        add_all_neighbours<noted()>(in, done, from_zero, static_cast<double*>(sums), errors);
      });
    }
#endif
  return done;
}

}  // namespace HWY_NAMESPACE
}  // namespace orderlab
HWY_AFTER_NAMESPACE();

#endif
