// In Highway's portable vectors: this file is compiled once for each extension. Vectors are used where a fused
// multiply-add is an instruction; elsewhere it is std::fma.
#include "inference/ordered_product.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "inference/ordered_product.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, as Highway asks.
#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "core/arithmetic_guard.hpp"
#include "core/stop.hpp"
#include "engine/arena.hpp"
#include "inference/narrow_floats.hpp"
#include "inference/weight_panel.hpp"
#include "order/counts.hpp"

#ifndef ORDERLAB_PRODUCT_PANEL
#define ORDERLAB_PRODUCT_PANEL
namespace orderlab {
inline constexpr std::size_t kPanels = 2;  // panels of one task, one behind the other in memory

/// Rows of x in blocks: number k of row r is x[k * k_stride + r * row_stride].
struct ProductRows {
  const float* x;
  std::size_t row_stride;
  std::size_t k_stride;
};
}  // namespace orderlab
#endif

HWY_BEFORE_NAMESPACE();
namespace orderlab {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_NATIVE_FMA && HWY_TARGET != HWY_SCALAR && !HWY_HAVE_SCALABLE
// As many sums as registers hold beside the factors: with 32 registers of 16 numbers 24 of them, with 16 of 8
// numbers 12.
using ProductTag = hn::CappedTag<float, kPanel>;
inline constexpr std::size_t kVectors = kPanel / hn::MaxLanes(ProductTag());
inline constexpr std::size_t kPanelsAtOnce = kVectors == 1 ? kPanels : 1;
inline constexpr std::size_t kRowsAtOnce = kVectors == 1 ? 12 : (kVectors == 2 ? 6 : 3);

/// sums[(r * kPanels + p) * kPanel + i] of kRows rows and kMany panels, `apart` numbers from each other: x[r] .
/// panel[p], from +0.
template <std::size_t kRows, std::size_t kMany>
HWY_INLINE void add_panels(const ProductRows& rows, const float* panels, std::size_t apart, std::size_t count,
                           float* sums) {
  const ProductTag tag;
  constexpr std::size_t kLanes = kPanel / kVectors;
  constexpr std::size_t kWide = kMany * kVectors;
  hn::Vec<ProductTag> sum[kRows][kWide];
  for (std::size_t r = 0; r < kRows; ++r)
    for (std::size_t v = 0; v < kWide; ++v) sum[r][v] = hn::Zero(tag);
  for (std::size_t k = 0; k < count; ++k) {
    hn::Vec<ProductTag> w[kWide];
    for (std::size_t v = 0; v < kWide; ++v)
      w[v] = hn::LoadU(tag, panels + v / kVectors * apart + k * kPanel + v % kVectors * kLanes);
    for (std::size_t r = 0; r < kRows; ++r) {
      const auto factor = hn::Set(tag, rows.x[k * rows.k_stride + r * rows.row_stride]);
      for (std::size_t v = 0; v < kWide; ++v) sum[r][v] = hn::MulAdd(factor, w[v], sum[r][v]);
    }
  }
  for (std::size_t r = 0; r < kRows; ++r)
    for (std::size_t v = 0; v < kWide; ++v) hn::StoreU(sum[r][v], tag, sums + r * kPanels * kPanel + v * kLanes);
}

/// One vector of the sums of add_weighted, or more, side by side.
template <std::size_t kMany, class Tag>
HWY_INLINE void add_weighted_vectors(Tag tag, const float* weights, const float* values, std::size_t count,
                                     std::size_t stride, float* sums) {
  const std::size_t lanes = hn::Lanes(tag);
  hn::Vec<Tag> sum[kMany];
  for (std::size_t v = 0; v < kMany; ++v) sum[v] = hn::LoadU(tag, sums + v * lanes);
  for (std::size_t j = 0; j < count; ++j) {
    const auto weight = hn::Set(tag, weights[j]);
    for (std::size_t v = 0; v < kMany; ++v)
      sum[v] = hn::MulAdd(weight, hn::LoadU(tag, values + j * stride + v * lanes), sum[v]);
  }
  for (std::size_t v = 0; v < kMany; ++v) hn::StoreU(sum[v], tag, sums + v * lanes);
}

HWY_INLINE std::size_t add_weighted_in_vectors(const float* weights, const float* values, std::size_t count,
                                               std::size_t stride, std::size_t dim, float* sums) {
  const ProductTag tag;
  const std::size_t lanes = hn::Lanes(tag);
  constexpr std::size_t kMany = 4;
  std::size_t d = 0;
  for (; d + kMany * lanes <= dim; d += kMany * lanes)
    add_weighted_vectors<kMany>(tag, weights, values + d, count, stride, sums + d);
  for (; d + lanes <= dim; d += lanes) add_weighted_vectors<1>(tag, weights, values + d, count, stride, sums + d);
  return d;
}
#else
inline constexpr std::size_t kPanelsAtOnce = 1;
inline constexpr std::size_t kRowsAtOnce = 1;

template <std::size_t kRows, std::size_t kMany>
HWY_INLINE void add_panels(const ProductRows& rows, const float* panels, std::size_t apart, std::size_t count,
                           float* sums) {
  for (std::size_t r = 0; r < kRows; ++r)
    for (std::size_t i = 0; i < kMany * kPanel; ++i) {
      const float* const weights = panels + i / kPanel * apart + i % kPanel;
      float sum = 0;
      for (std::size_t k = 0; k < count; ++k)
        sum = std::fma(rows.x[k * rows.k_stride + r * rows.row_stride], weights[k * kPanel], sum);
      sums[r * kPanels * kPanel + i] = sum;
    }
}

HWY_INLINE std::size_t add_weighted_in_vectors(const float*, const float*, std::size_t, std::size_t, std::size_t,
                                               float*) {
  return 0;
}
#endif

std::size_t rows_of_block() { return kRowsAtOnce; }

/// One block of rows and all panels of a task.
void add_block(const float* block, const float* panels, std::size_t apart, std::size_t count, float* sums) {
  const ProductRows rows{block, 1, kRowsAtOnce};
  for (std::size_t p = 0; p < kPanels; p += kPanelsAtOnce)
    add_panels<kRowsAtOnce, kPanelsAtOnce>(rows, panels + p * apart, apart, count, sums + p * kPanel);
}

/// Scores of one query: chains of several panels side by side.
void add_query(const float* query, const float* keys, std::size_t dim, std::size_t panels, float* scores) {
  constexpr std::size_t kMany = 4;
  const ProductRows row{query, 0, 1};
  const std::size_t apart = kPanel * dim;
  std::size_t p = 0;
  for (; p + kMany <= panels; p += kMany) add_panels<1, kMany>(row, keys + p * apart, apart, dim, scores + p * kPanel);
  for (; p < panels; ++p) add_panels<1, 1>(row, keys + p * apart, apart, dim, scores + p * kPanel);
}

void add_weighted_values(const float* weights, const float* values, std::size_t count, std::size_t stride,
                         std::size_t dim, float* sums) {
  std::size_t d = add_weighted_in_vectors(weights, values, count, stride, dim, sums);
  for (; d < dim; ++d)
    for (std::size_t j = 0; j < count; ++j) sums[d] = std::fma(weights[j], values[j * stride + d], sums[d]);
}

}  // namespace HWY_NAMESPACE
}  // namespace orderlab
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orderlab {

HWY_EXPORT(rows_of_block);
HWY_EXPORT(add_block);
HWY_EXPORT(add_query);
HWY_EXPORT(add_weighted_values);

namespace {

/// Columns of x in blocks of as many rows as are added at once: number k of row r of a block is at k * rows + r. The
/// last block is filled with rows of 0.
class RowBlocks {
 public:
  RowBlocks(const float* x, std::size_t rows, std::size_t columns, ProductRange range)
      : each_(HWY_DYNAMIC_DISPATCH(rows_of_block)()), count_(range.count), blocks_(ceil_div(rows, each_)) {
    numbers_.resize(blocks_ * each_ * count_);
    parallel_for(0, blocks_, Grain::joined, [&](std::uint64_t b) {
      float* const to = numbers_.data() + b * each_ * count_;
      for (std::size_t r = 0; r < std::min(each_, rows - b * each_); ++r) {
        const float* const row = x + (b * each_ + r) * columns + range.begin;
        for (std::size_t k = 0; k < count_; ++k) to[k * each_ + r] = row[k];
      }
    });
  }

  std::size_t each() const { return each_; }
  std::size_t blocks() const { return blocks_; }
  std::size_t columns() const { return count_; }

  /// From column k on.
  const float* block(std::size_t b, std::size_t k) const { return numbers_.data() + (b * count_ + k) * each_; }

 private:
  std::size_t each_;
  std::size_t count_;
  std::size_t blocks_;
  std::vector<float> numbers_;
};

/// Products of each split but the last.
std::size_t products_of_split(std::size_t count, std::size_t splits) {
  const std::size_t steps = ceil_div(count, kSplitStep);
  return ceil_div(steps, std::clamp<std::size_t>(splits, 1, steps)) * kSplitStep;
}

constexpr std::size_t kOutputs = kPanels * kPanel;  // of a task
static_assert(kTileOutputs % kOutputs == 0);

/// The panels of one task and one block of rows.
class BlockSums {
 public:
  BlockSums(const RowBlocks& x, const ProductSplit& split) : x_(x), split_(split) {
    sums_.resize(x.each() * kOutputs);
    part_.resize(sums_.size());
  }

  /// Sums of the rows of block b, each kOutputs numbers.
  const float* add(const float* panels, std::size_t b) {
    const std::size_t all = x_.columns();
    const std::size_t each = products_of_split(all, split_.splits);
    for (std::size_t k = 0; k < all; k += each) {
      std::vector<float>& to = k == 0 ? sums_ : part_;
      HWY_DYNAMIC_DISPATCH(add_block)
      (x_.block(b, k), panels + k * kPanel, all * kPanel, std::min(each, all - k), to.data());
      if (each >= all) break;
      round_to(split_.partials, to);
      if (k == 0) continue;
      for (std::size_t i = 0; i < sums_.size(); ++i) sums_[i] += part_[i];
      round_to(split_.partials, sums_);
    }
    return sums_.data();
  }

  /// The same, where the splits of each of `rows` arrive in a drawn order.
  const float* add(const float* panels, std::size_t b, std::size_t rows, const ProductDraws& draws, std::size_t tile) {
    const std::size_t all = x_.columns();
    const std::size_t each = products_of_split(all, split_.splits);
    const std::size_t size = sums_.size();
    order_.resize(ceil_div(all, each));
    part_.resize(order_.size() * size);
    for (std::size_t s = 0; s < order_.size(); ++s) HWY_DYNAMIC_DISPATCH(add_block)
    (x_.block(b, s * each), panels + s * each * kPanel, all * kPanel, std::min(each, all - s * each), &part_[s * size]);
    if (order_.size() > 1) round_to(split_.partials, part_);
    for (std::size_t r = 0; r < rows; ++r) {
      draws.rows[b * x_.each() + r].arrivals(draws.product, tile, order_);
      const std::span<float> row = std::span(sums_).subspan(r * kOutputs, kOutputs);
      for (std::size_t s = 0; s < order_.size(); ++s) {
        const float* const part = &part_[order_[s] * size + r * kOutputs];
        for (std::size_t i = 0; i < kOutputs; ++i) row[i] = s == 0 ? part[i] : row[i] + part[i];
        if (s > 0) round_to(split_.partials, row);
      }
    }
    return sums_.data();
  }

 private:
  const RowBlocks& x_;
  const ProductSplit& split_;
  std::vector<float> sums_;
  std::vector<float> part_;
  std::vector<std::uint32_t> order_;
};

}  // namespace

void ordered_product(const float* x, std::size_t rows, const WeightMatrix& w, Format weights, ProductRange range,
                     const ProductSplit& split, std::span<const float> bias, float* out, const ProductDraws* draws) {
  const RowBlocks blocks(x, rows, w.columns, range);
  parallel_for(0, ceil_div(w.rows, kOutputs), Grain::joined, [&](std::uint64_t task) {
    stop_point();
    const std::size_t first = task * kOutputs;
    const std::size_t outputs = std::min(kOutputs, w.rows - first);
    std::vector<float> panels(range.count * kOutputs);
    for (std::size_t p = 0; p < kPanels; ++p)
      fill_panel(w, weights, first + p * kPanel, range.begin,
                 {&panels[p * range.count * kPanel], range.count * kPanel});
    BlockSums sums(blocks, split);
    for (std::size_t b = 0; b < blocks.blocks(); ++b) {
      const std::size_t begin = b * blocks.each();
      const std::size_t count = std::min(blocks.each(), rows - begin);
      const float* const some = draws != nullptr && split.arrive
                                    ? sums.add(panels.data(), b, count, *draws, first / kTileOutputs)
                                    : sums.add(panels.data(), b);
      for (std::size_t r = 0; r < count; ++r)
        for (std::size_t i = 0; i < outputs; ++i) {
          const float sum = some[r * kOutputs + i];
          out[(begin + r) * w.rows + first + i] = bias.empty() ? sum : sum + bias[first + i];
        }
      constexpr std::size_t kBlocksBetweenStops = 16;
      if (b % kBlocksBetweenStops == 0) stop_point();
    }
  });
}

void put_key(const float* key, std::size_t dim, std::size_t place, float* keys) {
  float* const group = keys + place / kKeyGroup * kKeyGroup * dim + place % kKeyGroup;
  for (std::size_t d = 0; d < dim; ++d) group[d * kKeyGroup] = key[d];
}

void query_scores(const float* query, const float* keys, std::size_t dim, std::size_t count, float* scores) {
  static_assert(kKeyGroup == kPanel);
  HWY_DYNAMIC_DISPATCH(add_query)(query, keys, dim, ceil_div(count, kKeyGroup), scores);
}

void add_weighted(const float* weights, const float* values, std::size_t count, std::size_t stride, std::size_t dim,
                  float* sums) {
  HWY_DYNAMIC_DISPATCH(add_weighted_values)(weights, values, count, stride, dim, sums);
}

}  // namespace orderlab
#endif
