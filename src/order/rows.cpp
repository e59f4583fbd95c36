// Rows in Highway's portable vectors: this file is compiled once for each extension. GroupRows of fp64 are doubles, all
// others floats, rounded once more where formats have 16 bits.
#include "order/rows.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "order/rows.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, as Highway asks.
#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <type_traits>

#include "core/arithmetic_guard.hpp"
#include "order/row_gather.hpp"
#include "vectors/narrow_lanes.hpp"

HWY_BEFORE_NAMESPACE();
namespace orderlab {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Double = hn::Vec<Doubles>;
using Float = hn::Vec<Floats>;

/// Lanes that are added in one step: two vectors of doubles, or one of floats, which has as many numbers unless vectors
/// have a single one.
template <class T>
HWY_INLINE std::size_t lanes_of_step() {
  if constexpr (std::is_same_v<T, double>) return 2 * hn::Lanes(Doubles());
  return hn::Lanes(Floats());
}

/// One rounded sum a lane, noted in the error lanes that are in registers while rows are added.
template <bool kScaled>
HWY_INLINE void note(Double sum, Double unit, Double scale, Double& linear, Double& square) {
  if constexpr (kScaled) {
    const Double term = hn::Mul(unit, sum);
    const Double scaled = hn::Mul(term, scale);
    linear = hn::Add(linear, hn::Abs(term));
    square = hn::Add(square, hn::Mul(scaled, scaled));
  } else {
    linear = hn::Add(linear, hn::Abs(sum));
    square = hn::Add(square, hn::Mul(sum, sum));
  }
}

/// Notes the sums of a step that added floats.
template <bool kScaled>
HWY_INLINE void note_floats(Float sum, Double unit, Double scale, Double& linear0, Double& linear1, Double& square0,
                            Double& square1) {
  const Doubles doubles;
#if HWY_TARGET == HWY_SCALAR
  note<kScaled>(hn::PromoteTo(doubles, sum), unit, scale, linear0, square0);
  (void)linear1, (void)square1;
#else
  note<kScaled>(hn::PromoteTo(doubles, hn::LowerHalf(sum)), unit, scale, linear0, square0);
  note<kScaled>(hn::PromoteTo(doubles, hn::UpperHalf(hn::Half<Floats>(), sum)), unit, scale, linear1, square1);
#endif
}

template <class T>
HWY_INLINE void start_from_zero(Lane<T>* row, std::size_t lanes) {
  const hn::CappedTag<Lane<T>, kErrorLanes> numbers;
  for (std::size_t l = 0; l < lanes; l += hn::Lanes(numbers))
    hn::Store(hn::Add(hn::Zero(numbers), hn::Load(numbers, row + l)), numbers, row + l);
}

/// The program on the lanes of all rows.
template <class T, bool kScaled>
void run(std::span<const RowAddition> program, Lane<T>* rows, std::size_t lanes, RowErrors& errors) {
  const Doubles doubles;
  const Floats floats;
  const std::size_t half = hn::Lanes(doubles);
  const Double unit = hn::Set(doubles, errors.unit), scale = hn::Set(doubles, errors.scale);
  const std::size_t step = lanes_of_step<T>();
  const std::size_t second =
      step - std::min(step, half);  // 0 where there is no second vector: the first is stored last
  for (std::size_t first = 0; first < kErrorLanes; first += step) {
    double* const linear = errors.linear.data() + first;
    double* const square = errors.square.data() + first;
    Double linear0 = hn::Load(doubles, linear), linear1 = hn::Load(doubles, linear + second);
    Double square0 = hn::Load(doubles, square), square1 = hn::Load(doubles, square + second);
    for (const RowAddition& addition : program) {
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
          note<kScaled>(sum0, unit, scale, linear0, square0);
          note<kScaled>(sum1, unit, scale, linear1, square1);
        } else {
          const Float sum = rounded<T>(floats, hn::Add(hn::Load(floats, to + i), hn::Load(floats, from + i)));
          hn::Store(sum, floats, to + i);
          note_floats<kScaled>(sum, unit, scale, linear0, linear1, square0, square1);
        }
      }
    }
    hn::Store(linear1, doubles, linear + second);
    hn::Store(square1, doubles, square + second);
    hn::Store(linear0, doubles, linear);
    hn::Store(square0, doubles, square);
  }
}

/// Numbers that are added to: read where `start` points, after +0.0 if so asked.
template <class Tag, class Number>
HWY_INLINE hn::Vec<Tag> started(Tag tag, const Number* start, bool from_zero) {
  const auto number = hn::LoadU(tag, start);
  return from_zero ? hn::Add(hn::Zero(tag), number) : number;
}

/// start + rows[0] + rows[1] + ... into sums, for the first `groups` lanes and those up to a vector's end: `members`
/// rows that lie `stride` numbers apart.
template <class T, bool kScaled>
void run_left_to_right(const Lane<T>* start, bool from_zero, const Lane<T>* rows, std::size_t stride,
                       std::size_t members, Lane<T>* sums, std::size_t groups, RowErrors& errors) {
  const Doubles doubles;
  const Floats floats;
  const std::size_t half = hn::Lanes(doubles);
  const Double unit = hn::Set(doubles, errors.unit), scale = hn::Set(doubles, errors.scale);
  const std::size_t step = lanes_of_step<T>();
  const std::size_t second = step - std::min(step, half);
  for (std::size_t first = 0; first < kErrorLanes; first += step) {
    double* const linear = errors.linear.data() + first;
    double* const square = errors.square.data() + first;
    Double linear0 = hn::Load(doubles, linear), linear1 = hn::Load(doubles, linear + second);
    Double square0 = hn::Load(doubles, square), square1 = hn::Load(doubles, square + second);
    for (std::size_t i = first; i < groups; i += kErrorLanes) {
      const Lane<T>* row = rows + i;
      if constexpr (std::is_same_v<T, double>) {
        if (i + half >= groups) {  // so that eight groups are no slower than they must be
          Double sum = started(doubles, start + i, from_zero);
          for (std::size_t m = 0; m < members; ++m, row += stride) {
            sum = hn::Add(sum, hn::LoadU(doubles, row));
            note<kScaled>(sum, unit, scale, linear0, square0);
          }
          hn::Store(sum, doubles, sums + i);
          continue;
        }
        Double sum0 = started(doubles, start + i, from_zero), sum1 = started(doubles, start + i + half, from_zero);
        for (std::size_t m = 0; m < members; ++m, row += stride) {
          sum0 = hn::Add(sum0, hn::LoadU(doubles, row));
          sum1 = hn::Add(sum1, hn::LoadU(doubles, row + half));
          note<kScaled>(sum0, unit, scale, linear0, square0);
          note<kScaled>(sum1, unit, scale, linear1, square1);
        }
        hn::Store(sum0, doubles, sums + i);
        hn::Store(sum1, doubles, sums + i + half);
      } else {
        Float sum = started(floats, start + i, from_zero);
        for (std::size_t m = 0; m < members; ++m, row += stride) {
          sum = rounded<T>(floats, hn::Add(sum, hn::LoadU(floats, row)));
          note_floats<kScaled>(sum, unit, scale, linear0, linear1, square0, square1);
        }
        hn::Store(sum, floats, sums + i);
      }
    }
    hn::Store(linear1, doubles, linear + second);
    hn::Store(square1, doubles, square + second);
    hn::Store(linear0, doubles, linear);
    hn::Store(square0, doubles, square);
  }
}

template <class T>
void store(const Lane<T>* row, std::size_t groups, void* sums) {
  auto* const to = static_cast<Stored<T>*>(sums);
  if constexpr (sizeof(T) == 2) {
    HWY_ALIGN std::uint16_t codes[GroupRows::kMostGroups];
    const Floats floats;
    for (std::size_t i = 0; i < groups; i += hn::Lanes(floats))
      hn::Store(narrowed<T>(floats, hn::Load(floats, row + i)), NarrowCodes<Floats>(), codes + i);
    std::copy_n(codes, groups, to);
  } else {
    std::copy_n(row, groups, to);
  }
}

template <class T>
void add_at_once(const GroupRows& in, std::span<const RowAddition> program, void* sums, RowErrors& errors) {
  HWY_ALIGN Lane<T> rows[GroupRows::kMostNumbers];
  const std::size_t lanes = padded(in.groups());
  load<T>(in, 0, in.members, lanes, rows);
  if (errors.scale == 1)
    run<T, false>(program, rows, lanes, errors);
  else
    run<T, true>(program, rows, lanes, errors);
  store<T>(rows, in.groups(), sums);
}

// So many numbers that a line of memory is asked for again before the machine's prefetching has come to rest.
constexpr std::size_t kNumbersInFlight = 1024;

template <class T>
void add(const GroupRows& in, std::span<const RowAddition> program, void* sums, RowErrors& errors) {
  const std::size_t lanes = padded(std::max<std::size_t>(1, kNumbersInFlight / in.members));
  const std::size_t pieces = std::max<std::size_t>(1, lanes / in.width);
  GroupRows some = in;
  for (std::size_t p = 0; p < in.pieces.size(); p += pieces) {
    some.pieces = in.pieces.subspan(p, std::min(pieces, in.pieces.size() - p));
    add_at_once<T>(some, program, static_cast<Stored<T>*>(sums) + p * in.width, errors);
  }
}

template <class T>
void add_left_to_right(const GroupRows& in, bool from_zero, void* out, RowErrors& errors) {
  HWY_ALIGN Lane<T> sums[GroupRows::kMostGroups];
  const std::size_t lanes = padded(in.groups());
  const auto run = [&](const Lane<T>* start, bool zero, const Lane<T>* rows, std::size_t stride, std::size_t count) {
    if (errors.scale == 1)
      run_left_to_right<T, false>(start, zero, rows, stride, count, sums, in.groups(), errors);
    else
      run_left_to_right<T, true>(start, zero, rows, stride, count, sums, in.groups(), errors);
  };
  if constexpr (sizeof(T) != 2) {
    const std::size_t vector = std::is_same_v<T, double> ? hn::Lanes(Doubles()) : hn::Lanes(Floats());
    // Rows that lie there as they should. Whether they do may depend on the extension where there is one row of error
    // lanes: these are then added to in the same order by blocks of members.
    const bool aligned = in.width % kErrorLanes == 0 || (in.width < kErrorLanes && in.width % vector == 0);
    if (in.pieces.size() == 1 && aligned) {
      const auto* const first = static_cast<const T*>(in.pieces[0]);
      run(first, from_zero, first + in.step, in.step, in.members - 1);
      return store<T>(sums, in.groups(), out);
    }
  }
  HWY_ALIGN Lane<T> rows[GroupRows::kMostNumbers];
  const std::size_t block = GroupRows::kMostNumbers / lanes;
  for (std::size_t begin = 0; begin < in.members; begin += block) {
    const std::size_t count = std::min(block, in.members - begin);
    load<T>(in, begin, count, lanes, rows);
    if (begin == 0)
      run(rows, from_zero, rows + lanes, lanes, count - 1);
    else
      run(sums, false, rows, lanes, count);
  }
  store<T>(sums, in.groups(), out);
}

void add_rows(const GroupRows& rows, std::span<const RowAddition> program, void* sums, RowErrors& errors) {
  with_type_of(rows.format,
               [&](auto* type) { add<std::remove_pointer_t<decltype(type)>>(rows, program, sums, errors); });
}

void add_rows_left_to_right(const GroupRows& rows, bool from_zero, void* sums, RowErrors& errors) {
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

void add_rows(const GroupRows& rows, std::span<const RowAddition> program, void* sums, RowErrors& errors) {
  HWY_DYNAMIC_DISPATCH(add_rows)(rows, program, sums, errors);
}

void add_rows_left_to_right(const GroupRows& rows, bool from_zero, void* sums, RowErrors& errors) {
  HWY_DYNAMIC_DISPATCH(add_rows_left_to_right)(rows, from_zero, sums, errors);
}

}  // namespace orderlab
#endif
