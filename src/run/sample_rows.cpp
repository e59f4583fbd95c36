// Rows side by side in the lanes of Highway's portable vectors: this file is compiled once for each extension.
//
// The number of lanes is that of doubles in a vector, because the error bounds are summed in doubles.
#include "run/sample_rows.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "run/sample_rows.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, as Highway asks.
#include <hwy/highway.h>

#include <algorithm>
#include <limits>

#include "core/arithmetic_guard.hpp"
#include "run/arithmetic.hpp"
#include "vectors/narrow_lanes.hpp"

HWY_BEFORE_NAMESPACE();
namespace orderlab {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Doubles = hn::CappedTag<double, kMaxRows>;
using Floats32 = hn::Rebind<float, Doubles>;
using Double = hn::Vec<Doubles>;
using Float = hn::Vec<Floats32>;

/// Terms of each row that are brought side by side at a time: with all rows a small part of the nearest cache.
constexpr std::size_t kTile = 64;

struct Fp64 {
  using Stored = double;
  using Sum = Double;
  static HWY_INLINE Sum load(const Stored* from) { return hn::LoadU(Doubles(), from); }
  static HWY_INLINE Sum add(Sum a, Sum b) { return hn::Add(a, b); }
  static HWY_INLINE Double wide(Sum a) { return a; }
  static HWY_INLINE Sum zero() { return hn::Zero(Doubles()); }
};

struct Fp32 {
  using Stored = float;
  using Sum = Float;
  static HWY_INLINE Sum load(const Stored* from) { return hn::LoadU(Floats32(), from); }
  static HWY_INLINE Sum add(Sum a, Sum b) { return hn::Add(a, b); }
  static HWY_INLINE Double wide(Sum a) { return hn::PromoteTo(Doubles(), a); }
  static HWY_INLINE Sum zero() { return hn::Zero(Floats32()); }
};

/// fp32 sums that flush subnormals, their own and those that they add.
struct FlushedFp32 : Fp32 {
  static HWY_INLINE Sum flushed(Sum a) {
    const Sum least = hn::Set(Floats32(), std::numeric_limits<float>::min());
    return hn::IfThenElse(hn::Lt(hn::Abs(a), least), hn::CopySign(zero(), a), a);
  }
  static HWY_INLINE Sum load(const Stored* from) { return flushed(Fp32::load(from)); }
  static HWY_INLINE Sum add(Sum a, Sum b) { return flushed(hn::Add(a, b)); }
};

/// Sums of 16 bits, kept as floats.
template <class T>
struct Narrows : Fp32 {
  using Stored = std::uint16_t;
  static HWY_INLINE Sum load(const Stored* from) {
    return widened<T>(Floats32(), hn::LoadU(NarrowCodes<Floats32>(), from));
  }
  static HWY_INLINE Sum add(Sum a, Sum b) { return rounded<T>(Floats32(), hn::Add(a, b)); }
};

/// What the lanes of a group of rows carry from addition to addition, in memory.
struct Carried {
  double sum[kMaxRows];
  double linear[kMaxRows];
  double square[kMaxRows];
  double extra[kMaxRows];
  double scale[kMaxRows];
};

/// Brings `terms` terms of each row, from `begin` on, side by side; lanes without a row take the first one's.
template <class Stored>
HWY_INLINE void transpose(std::span<const void* const> rows, std::size_t lanes, std::size_t begin, std::size_t terms,
                          Stored* tile) {
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const Stored* from = static_cast<const Stored*>(rows[lane < rows.size() ? lane : 0]) + begin;
    for (std::size_t t = 0; t < terms; ++t) tile[t * lanes + lane] = from[t];
  }
}

template <class F>
constexpr bool kFlushes = std::is_same_v<F, FlushedFp32>;

template <class F>
void add_group(std::span<const void* const> rows, std::size_t count, bool from_zero, double unit, Carried& carried) {
  using Stored = typename F::Stored;
  const Doubles doubles;
  const std::size_t lanes = hn::Lanes(doubles);
  const Double units = hn::Set(doubles, unit);
  const Double allowance = hn::Set(doubles, kFlushAllowance);
  const Double scale = hn::LoadU(doubles, carried.scale);
  Double linear = hn::LoadU(doubles, carried.linear);
  Double square = hn::LoadU(doubles, carried.square);
  Double extra = hn::LoadU(doubles, carried.extra);
  Stored tile[kTile * kMaxRows];
  auto sum = F::zero();
  for (std::size_t begin = 0; begin < count; begin += kTile) {
    const std::size_t terms = std::min(kTile, count - begin);
    transpose(rows, lanes, begin, terms, tile);
    std::size_t t = 0;
    if (begin == 0) {
      sum = F::load(tile);
      if (from_zero) sum = F::add(F::zero(), sum);
      if constexpr (kFlushes<F>) extra = hn::Add(extra, allowance);
      t = 1;
    }
    for (; t < terms; ++t) {
      sum = F::add(sum, F::load(tile + t * lanes));
      const Double term = hn::Mul(units, hn::Abs(F::wide(sum)));
      const Double scaled = hn::Mul(term, scale);
      linear = hn::Add(linear, term);
      square = hn::Add(square, hn::Mul(scaled, scaled));
      if constexpr (kFlushes<F>) extra = hn::Add(extra, allowance);
    }
  }
  hn::StoreU(F::wide(sum), doubles, carried.sum);
  hn::StoreU(linear, doubles, carried.linear);
  hn::StoreU(square, doubles, carried.square);
  hn::StoreU(extra, doubles, carried.extra);
}

template <class F>
void add_all(const SampleRows& rows, std::span<double> sums, std::span<RunningError> errors) {
  const std::size_t lanes = hn::Lanes(Doubles());
  for (std::size_t first = 0; first < rows.data.size(); first += lanes) {
    const auto group = rows.data.subspan(first, std::min(lanes, rows.data.size() - first));
    Carried carried = {};
    for (std::size_t r = 0; r < group.size(); ++r) {
      const RunningError& error = errors[first + r];
      carried.linear[r] = error.linear;
      carried.square[r] = error.square;
      carried.extra[r] = error.extra;
      carried.scale[r] = error.scale;
    }
    add_group<F>(group, rows.count, rows.from_zero || rows.atomic, info(rows.format).unit_roundoff(), carried);
    for (std::size_t r = 0; r < group.size(); ++r) {
      RunningError& error = errors[first + r];
      sums[first + r] = carried.sum[r];
      error.linear = carried.linear[r];
      error.square = carried.square[r];
      error.extra = carried.extra[r];
      error.roundings += rows.count - 1;
      if (kFlushes<F>) error.allowances += rows.count;
    }
  }
}

void add_sample_rows(const SampleRows& rows, std::span<double> sums, std::span<RunningError> errors) {
  switch (rows.format) {
    case Format::fp64:
      return add_all<Fp64>(rows, sums, errors);
    case Format::fp32:
      if (rows.atomic) return add_all<FlushedFp32>(rows, sums, errors);
      return add_all<Fp32>(rows, sums, errors);
    case Format::fp16:
      return add_all<Narrows<Half>>(rows, sums, errors);
    case Format::bf16:
      return add_all<Narrows<Bfloat16>>(rows, sums, errors);
    default:
      refuse_fp80_array();  // of the formats of sums it is the only one left
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace orderlab
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orderlab {

HWY_EXPORT(add_sample_rows);

void add_sample_rows(const SampleRows& rows, std::span<double> sums, std::span<RunningError> errors) {
  HWY_DYNAMIC_DISPATCH(add_sample_rows)(rows, sums, errors);
}

}  // namespace orderlab
#endif
