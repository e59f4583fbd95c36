// Chains in Highway's portable vectors: this file is compiled once for each extension.
#include "run/fused_rows.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "run/fused_rows.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, as Highway asks.
#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "core/arithmetic_guard.hpp"
#include "run/product.hpp"
#include "run/row_lanes.hpp"
#include "vectors/narrow_lanes.hpp"

HWY_BEFORE_NAMESPACE();
namespace orderlab {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_NATIVE_FMA && HWY_TARGET != HWY_SCALAR
/// Numbers of a tile as they are gathered: those of 16 bits as codes, which vectors widen.
template <class T, class Source>
using Gathered = std::conditional_t<sizeof(Source) == 2 && std::is_same_v<T, float>, std::uint16_t, T>;

template <class T, class Source, class Tag>
HWY_INLINE hn::Vec<Tag> loaded_tile(Tag tag, const Gathered<T, Source>* from) {
  if constexpr (std::is_same_v<Gathered<T, Source>, std::uint16_t>)
    return widened<Source>(tag, hn::LoadU(NarrowCodes<Tag>(), from));
  else
    return hn::LoadU(tag, from);
}

template <class T, class Source>
HWY_INLINE Gathered<T, Source> gathered_number(const Source& number) {
  if constexpr (std::is_same_v<Gathered<T, Source>, std::uint16_t>)
    return number.bits;
  else
    return static_cast<T>(static_cast<double>(number));
}

/// kVectors vectors of rows at once: gathered in tiles of few products, so that what was just stored is not loaded yet.
/// Where there are fewer rows the rest are products of 0.
template <class T, class Source, std::size_t kVectors>
HWY_INLINE void fuse_vectors(const TermRows& rows, std::size_t first, const FusedChain& chain, double* sums) {
  constexpr std::size_t kTile = 8;
  const hn::CappedTag<T, 16> tag;
  constexpr std::size_t kMostLanes = 16;
  const std::size_t lanes = hn::Lanes(tag);
  const std::size_t count = kVectors * lanes;
  HWY_ALIGN Gathered<T, Source> x[kTile * kVectors * kMostLanes] = {};
  HWY_ALIGN Gathered<T, Source> y[kTile * kVectors * kMostLanes] = {};
  HWY_ALIGN T all[kVectors * kMostLanes];
  std::fill_n(all, count, T{0});
  const std::size_t there = std::min(count, rows.count - first);
  const auto* const x_rows = static_cast<const Source*>(rows.x) + first * rows.x_stride;
  const auto* const y_rows = static_cast<const Source*>(rows.y) + first * rows.y_stride;
  for (std::size_t begin = 0; begin < chain.order.size(); begin += kTile) {
    const std::size_t products = std::min(kTile, chain.order.size() - begin);
    const std::uint32_t* const order = chain.order.data() + begin;
    for (std::size_t r = 0; r < there; ++r) {
      const Source* const x_row = x_rows + r * rows.x_stride;
      const Source* const y_row = y_rows + r * rows.y_stride;
      for (std::size_t i = 0; i < products; ++i) {
        x[i * count + r] = gathered_number<T>(x_row[order[i]]);
        y[i * count + r] = gathered_number<T>(y_row[order[i]]);
      }
    }
    for (std::size_t v = 0; v < kVectors; ++v) {
      auto sum = hn::Load(tag, all + v * lanes);
      for (std::size_t i = 0; i < products; ++i) {
        const auto a = loaded_tile<T, Source>(tag, x + i * count + v * lanes);
        const auto b = loaded_tile<T, Source>(tag, y + i * count + v * lanes);
        sum = begin + i == 0 && !chain.from_zero ? hn::Mul(a, b) : hn::MulAdd(a, b, sum);
      }
      hn::Store(sum, tag, all + v * lanes);
    }
  }
  for (std::size_t r = 0; r < there; ++r) sums[r] = static_cast<double>(all[r]);
}

template <class T, class Source>
void fuse(const TermRows& rows, const FusedChain& chain, double* sums) {
  std::size_t r = 0;
  const std::size_t lanes = hn::Lanes(hn::CappedTag<T, 16>());
  for (; r + 4 * lanes <= rows.count; r += 4 * lanes) fuse_vectors<T, Source, 4>(rows, r, chain, sums + r);
  for (; r < rows.count; r += lanes) fuse_vectors<T, Source, 1>(rows, r, chain, sums + r);
}
#else
/// The chain of one row.
template <class T, class Source>
T fused_chain(const Source* x, const Source* y, const FusedChain& chain) {
  const auto at = [](const Source* numbers, std::size_t i) { return static_cast<double>(numbers[i]); };
  T sum = round_to<T>(0.0);
  for (std::size_t i = 0; i < chain.order.size(); ++i) {
    const std::size_t k = chain.order[i];
    sum = i == 0 && !chain.from_zero ? detail::round_product<T>(at(x, k), at(y, k))
                                     : detail::fused<T>(at(x, k), at(y, k), sum);
  }
  return sum;
}

// Extensions whose MulAdd rounds twice add row by row.
template <class T, class Source>
void fuse(const TermRows& rows, const FusedChain& chain, double* sums) {
  for (std::size_t r = 0; r < rows.count; ++r) {
    const TermView row = rows.row(r);
    sums[r] = static_cast<double>(
        fused_chain<T>(static_cast<const Source*>(row.x), static_cast<const Source*>(row.y), chain));
  }
}
#endif

void fuse_rows(const TermRows& rows, Format accumulate, const FusedChain& chain, double* sums) {
  with_type_of(rows.format, [&](auto* type) {
    using Source = std::remove_pointer_t<decltype(type)>;
    if (accumulate == Format::fp64)
      fuse<double, Source>(rows, chain, sums);
    else if constexpr (!std::is_same_v<Source, double>)
      fuse<float, Source>(rows, chain, sums);
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace orderlab
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orderlab {

HWY_EXPORT(fuse_rows);

bool can_fuse_rows(Format terms, Format accumulate) {
  return accumulate == Format::fp64 || (accumulate == Format::fp32 && terms != Format::fp64);
}

void fuse_rows(const TermRows& rows, Format accumulate, const FusedChain& chain, std::span<double> sums) {
  HWY_DYNAMIC_DISPATCH(fuse_rows)(rows, accumulate, chain, sums.data());
}

}  // namespace orderlab
#endif
