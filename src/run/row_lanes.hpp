// What additions in rows have in common: vectors, the error lanes that they are noted in, numbers as they are stored.
// For files that are compiled once for each extension; included like highway.h itself, once each time: after
// foreach_target.h.
#if defined(ORDERLAB_ROW_LANES_TARGET) == defined(HWY_TARGET_TOGGLE)  // an include guard for each extension
#ifdef ORDERLAB_ROW_LANES_TARGET
#undef ORDERLAB_ROW_LANES_TARGET
#else
#define ORDERLAB_ROW_LANES_TARGET
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "run/rows.hpp"
#include "vectors/narrow_lanes.hpp"

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

/// Prefetch distance of sequential reads, in elements: two pages, because the hardware prefetcher stops at a page
/// boundary.
template <class Number>
inline constexpr std::size_t kPrefetchAhead = 8192 / sizeof(Number);

using Double = hn::Vec<Doubles>;
using Float = hn::Vec<Floats>;

/// Numbers as they are added: codes of 16 bits are widened.
template <class T, class Tag>
HWY_INLINE hn::Vec<Tag> loaded(Tag tag, const hn::TFromD<Tag>* from) {
  return hn::LoadU(tag, from);
}
template <class T, class Tag>
HWY_INLINE hn::Vec<Tag> loaded(Tag tag, const std::uint16_t* from) {
  return widened<T>(tag, hn::LoadU(NarrowCodes<Tag>(), from));
}

/// Lanes that are added in one step: two vectors of doubles, or one of floats, which has as many numbers unless vectors
/// have a single one.
template <class T>
HWY_INLINE std::size_t lanes_of_step() {
  if constexpr (std::is_same_v<T, double>) return 2 * hn::Lanes(Doubles());
  return hn::Lanes(Floats());
}

/// What is noted of each sum in the error lanes, as struct RowErrors says.
enum class Noted : std::uint8_t { nothing, plain, scaled };

/// total + number; of whole vectors as a fused multiply-add by 1 where there is one (the same bits), because the add
/// units are the bottleneck there. In halves of vectors one addition waits for the other, and multiply-adds take
/// longer.
template <class Tag, class Vector = hn::Vec<Tag>>
HWY_INLINE Vector added(Vector total, Vector number) {
#if HWY_NATIVE_FMA
  if constexpr (std::is_same_v<Tag, Doubles>) return hn::MulAdd(number, hn::Set(Tag(), 1.0), total);
#endif
  return hn::Add(total, number);
}

/// One rounded sum a lane, of which the magnitude is given, noted in the error lanes that are in registers while rows
/// are added. The square of a float is exact in double, so a fused multiply-add rounds as a multiplication and an
/// addition do.
template <Noted kNoted, bool kFloats, class Tag = Doubles, class Vector = hn::Vec<Tag>>
HWY_INLINE void note(Vector magnitude, Vector unit, Vector scale, Vector& linear, Vector& square) {
  if constexpr (kNoted == Noted::scaled) {
    const Vector term = hn::Mul(unit, magnitude);
    const Vector scaled = hn::Mul(term, scale);
    linear = hn::Add(linear, term);
    square = hn::Add(square, hn::Mul(scaled, scaled));
  } else if constexpr (kFloats) {
    linear = added<Tag>(linear, magnitude);
    square = hn::MulAdd(magnitude, magnitude, square);
  } else {
    linear = added<Tag>(linear, magnitude);
    square = hn::Add(square, hn::Mul(magnitude, magnitude));
  }
}

/// The error lanes in registers of two vectors each, by reference: vectors of some extensions cannot be members.
template <Noted kNoted, class Tag = Doubles>
struct Notes {
  using Vector = hn::Vec<Tag>;
  const Vector& unit;
  const Vector& scale;
  Vector& linear0;
  Vector& linear1;
  Vector& square0;
  Vector& square1;

  HWY_INLINE void first(Vector sum) const { note<kNoted, false, Tag>(hn::Abs(sum), unit, scale, linear0, square0); }
  HWY_INLINE void second(Vector sum) const { note<kNoted, false, Tag>(hn::Abs(sum), unit, scale, linear1, square1); }

  /// Sums of a step that added floats.
  HWY_INLINE void all(Float sum) const {
    const Doubles doubles;
    const Float magnitude = hn::Abs(sum);
#if HWY_TARGET == HWY_SCALAR
    note<kNoted, true>(hn::PromoteTo(doubles, magnitude), unit, scale, linear0, square0);
#else
    const Double lower = hn::PromoteTo(doubles, hn::LowerHalf(magnitude));
    const Double upper = hn::PromoteTo(doubles, hn::UpperHalf(hn::Half<Floats>(), magnitude));
    note<kNoted, true>(lower, unit, scale, linear0, square0);
    note<kNoted, true>(upper, unit, scale, linear1, square1);
#endif
  }

#if HWY_TARGET != HWY_SCALAR
  /// Calls add with notes of two vectors half as long: the error lanes of the first vector.
  template <class Add>
  HWY_INLINE void first_in_halves(const Add& add) const {
    const Tag whole;
    const hn::Half<Tag> half;
    const auto unit_half = hn::LowerHalf(half, unit), scale_half = hn::LowerHalf(half, scale);
    auto linear_lower = hn::LowerHalf(half, linear0), linear_upper = hn::UpperHalf(half, linear0);
    auto square_lower = hn::LowerHalf(half, square0), square_upper = hn::UpperHalf(half, square0);
    add(Notes<kNoted, hn::Half<Tag>>{unit_half, scale_half, linear_lower, linear_upper, square_lower, square_upper});
    linear0 = hn::Combine(whole, linear_upper, linear_lower);
    square0 = hn::Combine(whole, square_upper, square_lower);
  }
#endif
};
template <class Tag>
struct Notes<Noted::nothing, Tag> {
  HWY_INLINE void first(hn::Vec<Tag>) const {}
  HWY_INLINE void second(hn::Vec<Tag>) const {}
  HWY_INLINE void all(Float) const {}
  template <class Add>
  HWY_INLINE void first_in_halves(const Add& add) const {
    add(Notes<Noted::nothing, hn::Half<Tag>>());
  }
};

/// Calls add(first, notes) for first = 0 and each further step within the error lanes: it adds numbers first,
/// first + kErrorLanes, ... of rows, as many at a time as a step has, and notes their sums.
template <class T, Noted kNoted, class Add>
HWY_INLINE void in_error_lanes(RowErrors* errors, const Add& add) {
  const std::size_t step = lanes_of_step<T>();
  if constexpr (kNoted == Noted::nothing) {
    for (std::size_t first = 0; first < kErrorLanes; first += step) add(first, Notes<kNoted>());
  } else {
    const Doubles doubles;
    const Double unit = hn::Set(doubles, errors->unit), scale = hn::Set(doubles, errors->scale);
    const std::size_t second = step - std::min(step, hn::Lanes(doubles));  // 0: one vector, the first, is stored last
    for (std::size_t first = 0; first < kErrorLanes; first += step) {
      double* const linear = errors->linear.data() + first;
      double* const square = errors->square.data() + first;
      Double linear0 = hn::Load(doubles, linear), linear1 = hn::Load(doubles, linear + second);
      Double square0 = hn::Load(doubles, square), square1 = hn::Load(doubles, square + second);
      add(first, Notes<kNoted>{unit, scale, linear0, linear1, square0, square1});
      hn::Store(linear1, doubles, linear + second);
      hn::Store(square1, doubles, square + second);
      hn::Store(linear0, doubles, linear);
      hn::Store(square0, doubles, square);
    }
  }
}

/// Calls run with what is noted in `errors`, as a constant: nothing if it is null.
template <class T, class Run>
void with_noted(const RowErrors* errors, const Run& run) {
  if (errors == nullptr) return run(std::integral_constant<Noted, Noted::nothing>());
  if constexpr (std::is_same_v<T, double>)
    if (errors->scale != 1) return run(std::integral_constant<Noted, Noted::scaled>());
  assert(errors->scale == 1 && "the squares of other numbers are doubles");
  run(std::integral_constant<Noted, Noted::plain>());
}

/// Stores `count` numbers of a row, at most GroupRows::kMostNumbers, as numbers are stored.
template <class T>
void store(const Lane<T>* row, std::size_t count, void* sums) {
  auto* const to = static_cast<Stored<T>*>(sums);
  if constexpr (sizeof(T) == 2) {
    HWY_ALIGN std::uint16_t codes[GroupRows::kMostNumbers];
    const Floats floats;
    for (std::size_t i = 0; i < count; i += hn::Lanes(floats))
      hn::Store(narrowed<T>(floats, hn::Load(floats, row + i)), NarrowCodes<Floats>(), codes + i);
    std::copy_n(codes, count, to);
  } else {
    std::copy_n(row, count, to);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace orderlab
HWY_AFTER_NAMESPACE();

#endif
