// Rows in Highway's portable vectors: this file is compiled once for each extension. GroupRows of fp64 are doubles, all
// others floats, rounded once more where formats have 16 bits.
#include "run/rows.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "run/rows.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, as Highway asks.
#include <hwy/highway.h>

#include <algorithm>
#include <type_traits>

#include "core/arithmetic_guard.hpp"
#include "run/row_chains.hpp"
#include "run/row_gather.hpp"
#include "run/row_lanes.hpp"
#include "run/row_registers.hpp"
#include "vectors/narrow_lanes.hpp"

HWY_BEFORE_NAMESPACE();
namespace orderlab {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class T>
HWY_INLINE void start_from_zero(Lane<T>* row, std::size_t lanes) {
  const hn::CappedTag<Lane<T>, kErrorLanes> numbers;
  for (std::size_t l = 0; l < lanes; l += hn::Lanes(numbers))
    hn::Store(hn::Add(hn::Zero(numbers), hn::Load(numbers, row + l)), numbers, row + l);
}

/// The additions on the lanes of all rows.
template <class T, Noted kNoted>
HWY_FLATTEN void run(std::span<const RowAddition> additions, Lane<T>* rows, std::size_t lanes, RowErrors* errors) {
  const Doubles doubles;
  const Floats floats;
  const std::size_t half = hn::Lanes(doubles);
  in_error_lanes<T, kNoted>(errors, [&](std::size_t first, const Notes<kNoted>& notes) HWY_ATTR {
    for (const RowAddition& addition : additions) {
      Lane<T>* const to = rows + addition.to * lanes;
      if (addition.from == RowAddition::kZero) {
        if (first == 0) start_from_zero<T>(to, lanes);
        continue;
      }
      const Lane<T>* const from = rows + addition.from * lanes;
      for (std::size_t i = first; i < lanes; i += kErrorLanes) {
        if constexpr (std::is_same_v<T, double>) {
          const Double sum0 = hn::Add(hn::Load(doubles, to + i), hn::Load(doubles, from + i));
          const Double sum1 = hn::Add(hn::Load(doubles, to + i + half), hn::Load(doubles, from + i + half));
          hn::Store(sum0, doubles, to + i);
          hn::Store(sum1, doubles, to + i + half);
          notes.first(sum0);
          notes.second(sum1);
        } else {
          const Float sum = rounded<T>(floats, hn::Add(hn::Load(floats, to + i), hn::Load(floats, from + i)));
          hn::Store(sum, floats, to + i);
          notes.all(sum);
        }
      }
    }
  });
}

template <class T>
void add_at_once(const GroupRows& in, const RowProgram& program, void* sums, RowErrors* errors) {
  HWY_ALIGN Lane<T> rows[GroupRows::kMostNumbers];
  const std::size_t lanes = padded(in.groups());
  load<T>(in, 0, in.members, lanes, rows);
  with_noted<T>(errors, [&](auto noted) { run<T, noted()>(program.additions, rows, lanes, errors); });
  store<T>(rows + program.sum * lanes, in.groups(), sums);
}

// Prefetch distance, in elements: a cache line is requested again before the hardware prefetcher stops.
constexpr std::size_t kNumbersInFlight = 1024;

template <class T>
void add(const GroupRows& in, const RowProgram& program, void* sums, RowErrors* errors) {
  const std::size_t lanes = padded(std::max<std::size_t>(1, kNumbersInFlight / in.members));
  const std::size_t pieces = std::max<std::size_t>(1, lanes / in.width);
  GroupRows some = in;
  for (std::size_t p = 0; p < in.pieces.size(); p += pieces) {
    some.pieces = in.pieces.subspan(p, std::min(pieces, in.pieces.size() - p));
    add_at_once<T>(some, program, static_cast<Stored<T>*>(sums) + p * in.width, errors);
  }
}

template <class T>
void add_left_to_right(const GroupRows& all, bool from_zero, void* out, RowErrors* errors) {
  GroupRows in = all;
  const auto skip = [&](std::size_t groups) {  // which have their sums
    in.pieces = in.pieces.subspan(groups / in.width);
    out = static_cast<Stored<T>*>(out) + groups;
  };
  skip(add_in_registers<T>(in, from_zero, out, errors));
  while (!in.pieces.empty()) {
    const std::size_t groups = add_in_place<T>(in, from_zero, out, errors);
    if (groups == 0) break;
    skip(groups);
  }
  if (in.pieces.empty()) return;
  HWY_ALIGN Lane<T> sums[GroupRows::kMostGroups];
  HWY_ALIGN Lane<T> rows[GroupRows::kMostNumbers];
  const std::size_t lanes = padded(in.groups());
  const std::size_t block = GroupRows::kMostNumbers / lanes;
  for (std::size_t begin = 0; begin < in.members; begin += block) {
    const std::size_t count = std::min(block, in.members - begin);
    load<T>(in, begin, count, lanes, rows);
    const LeftToRightRows<Lane<T>> first{rows, from_zero, rows + lanes, lanes, count - 1, in.groups(), 0};
    const LeftToRightRows<Lane<T>> next{sums, false, rows, lanes, count, in.groups(), 0};
    run_left_to_right<T>(begin == 0 ? first : next, sums, errors);
  }
  store<T>(sums, in.groups(), out);
}

void add_rows(const GroupRows& rows, const RowProgram& program, void* sums, RowErrors* errors) {
  with_type_of(rows.format,
               [&](auto* type) { add<std::remove_pointer_t<decltype(type)>>(rows, program, sums, errors); });
}

void add_rows_left_to_right(const GroupRows& rows, bool from_zero, void* sums, RowErrors* errors) {
  with_type_of(rows.format, [&](auto* type) {
    add_left_to_right<std::remove_pointer_t<decltype(type)>>(rows, from_zero, sums, errors);
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace orderlab
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orderlab {

HWY_EXPORT(add_rows);
HWY_EXPORT(add_rows_left_to_right);

void add_rows(const GroupRows& rows, const RowProgram& program, void* sums, RowErrors* errors) {
  HWY_DYNAMIC_DISPATCH(add_rows)(rows, program, sums, errors);
}

void add_rows_left_to_right(const GroupRows& rows, bool from_zero, void* sums, RowErrors* errors) {
  HWY_DYNAMIC_DISPATCH(add_rows_left_to_right)(rows, from_zero, sums, errors);
}

}  // namespace orderlab
#endif
