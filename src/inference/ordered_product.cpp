// In Highway's portable vectors: this file is compiled once for each extension. Vectors are used where a fused
// multiply-add is an instruction; elsewhere it is std::fma.
#include "inference/ordered_product.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "inference/ordered_product.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, as Highway asks.
#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "core/arithmetic_guard.hpp"
#include "core/stop.hpp"
#include "engine/arena.hpp"

#ifndef ORDERLAB_PRODUCT_PANEL
#define ORDERLAB_PRODUCT_PANEL
namespace orderlab {
inline constexpr std::size_t kPanel = 16;  // outputs side by side
}
#endif

HWY_BEFORE_NAMESPACE();
namespace orderlab {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_NATIVE_FMA && HWY_TARGET != HWY_SCALAR && !HWY_HAVE_SCALABLE
using ProductTag = hn::CappedTag<float, kPanel>;
inline constexpr std::size_t kVectors = kPanel / hn::MaxLanes(ProductTag());
inline constexpr std::size_t kRowsAtOnce = kVectors == 1 ? 12 : (kVectors == 2 ? 6 : 3);

/// sums[r][0 .. kPanel - 1] of kRows rows, `stride` apart: x[r] . panel, from +0.
template <std::size_t kRows>
HWY_INLINE void add_panel(const float* x, std::size_t stride, const float* panel, std::size_t count, float* sums) {
  const ProductTag tag;
  constexpr std::size_t kLanes = kPanel / kVectors;
  hn::Vec<ProductTag> sum[kRows][kVectors];
  for (std::size_t r = 0; r < kRows; ++r)
    for (std::size_t v = 0; v < kVectors; ++v) sum[r][v] = hn::Zero(tag);
  for (std::size_t k = 0; k < count; ++k) {
    hn::Vec<ProductTag> w[kVectors];
    for (std::size_t v = 0; v < kVectors; ++v) w[v] = hn::LoadU(tag, panel + k * kPanel + v * kLanes);
    for (std::size_t r = 0; r < kRows; ++r) {
      const auto factor = hn::Set(tag, x[r * stride + k]);
      for (std::size_t v = 0; v < kVectors; ++v) sum[r][v] = hn::MulAdd(factor, w[v], sum[r][v]);
    }
  }
  for (std::size_t r = 0; r < kRows; ++r)
    for (std::size_t v = 0; v < kVectors; ++v) hn::StoreU(sum[r][v], tag, sums + r * kPanel + v * kLanes);
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
inline constexpr std::size_t kRowsAtOnce = 1;

template <std::size_t kRows>
HWY_INLINE void add_panel(const float* x, std::size_t stride, const float* panel, std::size_t count, float* sums) {
  for (std::size_t r = 0; r < kRows; ++r)
    for (std::size_t p = 0; p < kPanel; ++p) {
      float sum = 0;
      for (std::size_t k = 0; k < count; ++k) sum = std::fma(x[r * stride + k], panel[k * kPanel + p], sum);
      sums[r * kPanel + p] = sum;
    }
}

HWY_INLINE std::size_t add_weighted_in_vectors(const float*, const float*, std::size_t, std::size_t, std::size_t,
                                               float*) {
  return 0;
}
#endif

void add_panel_of_rows(const float* x, std::size_t rows, std::size_t stride, const float* panel, std::size_t count,
                       float* sums) {
  std::size_t r = 0;
  for (; r + kRowsAtOnce <= rows; r += kRowsAtOnce)
    add_panel<kRowsAtOnce>(x + r * stride, stride, panel, count, sums + r * kPanel);
  for (; r < rows; ++r) add_panel<1>(x + r * stride, stride, panel, count, sums + r * kPanel);
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

HWY_EXPORT(add_panel_of_rows);
HWY_EXPORT(add_weighted_values);

namespace {

// To nearest, ties to even: what is cut is added half of, and its last kept bit.
std::uint32_t rounded_bits(std::uint32_t bits, int cut) {
  return (bits + ((std::uint32_t{1} << (cut - 1)) - 1) + ((bits >> cut) & 1)) & ~((std::uint32_t{1} << cut) - 1);
}

float to_bf16(float x) { return x == x ? std::bit_cast<float>(rounded_bits(std::bit_cast<std::uint32_t>(x), 16)) : x; }

float to_fp16(float x) {
  constexpr float kLeastNormal = 0x1p-14F;
  constexpr float kShift = 0.5F;  // whose ulp in [0.5, 1) is 2^-24, fp16's smallest number
  constexpr float kFirstInfinite = 65520;
  const float magnitude = std::fabs(x);
  if (!(magnitude < kFirstInfinite)) return x == x ? std::copysign(HUGE_VALF, x) : x;
  const float rounded = magnitude < kLeastNormal
                            ? (magnitude + kShift) - kShift
                            : std::bit_cast<float>(rounded_bits(std::bit_cast<std::uint32_t>(magnitude), 13));
  return std::copysign(rounded, x);
}

float fp16_number(std::uint16_t bits) {
  const std::uint32_t magnitude = bits & 0x7FFFU;
  const float scaled = std::bit_cast<float>(magnitude << 13) * 0x1p112F;  // exponents of fp16 begin 112 later
  const float number = magnitude >= 0x7C00U ? std::bit_cast<float>(0x7F800000U | (magnitude << 13)) : scaled;
  return (bits & 0x8000U) != 0 ? -number : number;
}

float rounded(Format format, float x) {
  if (format == Format::bf16) return to_bf16(x);
  return format == Format::fp16 ? to_fp16(x) : x;
}

/// Rows of the matrix side by side: panel[k * kPanel + p] is weight k of row first + p, 0 behind the last row.
void fill_panel(const WeightMatrix& w, Format weights, std::size_t first, ProductRange range, float* panel) {
  for (std::size_t p = 0; p < kPanel; ++p) {
    if (first + p >= w.rows) {
      for (std::size_t k = 0; k < range.count; ++k) panel[k * kPanel + p] = 0;
      continue;
    }
    const std::byte* const row = w.row(first + p);
    if (w.format == Format::bf16 && weights != Format::fp16) {
      for (std::size_t k = 0; k < range.count; ++k)
        panel[k * kPanel + p] = weight_at(row, Format::bf16, range.begin + k);
    } else {
      for (std::size_t k = 0; k < range.count; ++k)
        panel[k * kPanel + p] = rounded(weights, weight_at(row, w.format, range.begin + k));
    }
  }
}

/// Products of each split but the last.
std::size_t products_of_split(std::size_t count, std::size_t splits) {
  const std::size_t steps = (count + kSplitStep - 1) / kSplitStep;
  const std::size_t used = std::clamp<std::size_t>(splits, 1, steps);
  return (steps + used - 1) / used * kSplitStep;
}

/// One panel of outputs of some rows.
class PanelTask {
 public:
  PanelTask(const float* x, const WeightMatrix& w, ProductRange range, const ProductSplit& split,
            std::span<const float> bias, float* out)
      : x_(x), w_(w), range_(range), split_(split), bias_(bias), out_(out) {}

  void run(const float* panel, std::size_t first_output, std::size_t first_row, std::size_t rows,
           std::vector<float>& sums, std::vector<float>& part) const {
    const std::size_t each = products_of_split(range_.count, split_.splits);
    sums.resize(rows * kPanel);
    for (std::size_t k = 0; k < range_.count; k += each) {
      std::vector<float>& to = k == 0 ? sums : part;
      to.resize(rows * kPanel);
      HWY_DYNAMIC_DISPATCH(add_panel_of_rows)
      (x_ + first_row * w_.columns + range_.begin + k, rows, w_.columns, panel + k * kPanel,
       std::min(each, range_.count - k), to.data());
      if (each >= range_.count) break;
      round_to(split_.partials, to);
      if (k == 0) continue;
      for (std::size_t i = 0; i < sums.size(); ++i) sums[i] = rounded(split_.partials, sums[i] + part[i]);
    }
    const std::size_t outputs = std::min(kPanel, w_.rows - first_output);
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t p = 0; p < outputs; ++p)
        out_[(first_row + r) * w_.rows + first_output + p] =
            bias_.empty() ? sums[r * kPanel + p] : sums[r * kPanel + p] + bias_[first_output + p];
  }

 private:
  const float* x_;
  const WeightMatrix& w_;
  ProductRange range_;
  const ProductSplit& split_;
  std::span<const float> bias_;
  float* out_;
};

}  // namespace

float weight_at(const std::byte* row, Format format, std::size_t i) {
  if (format == Format::fp32) {
    float number = 0;
    std::memcpy(&number, row + 4 * i, 4);
    return number;
  }
  std::uint16_t bits = 0;
  std::memcpy(&bits, row + 2 * i, 2);
  return format == Format::bf16 ? std::bit_cast<float>(std::uint32_t{bits} << 16) : fp16_number(bits);
}

void ordered_product(const float* x, std::size_t rows, const WeightMatrix& w, Format weights, ProductRange range,
                     const ProductSplit& split, std::span<const float> bias, float* out) {
  constexpr std::size_t kMostRows = 240;  // whose numbers stay in a near cache
  const std::size_t panels = (w.rows + kPanel - 1) / kPanel;
  const PanelTask task(x, w, range, split, bias, out);
  parallel_for(0, panels, Grain::joined, [&](std::uint64_t p) {
    stop_point();
    std::vector<float> panel(range.count * kPanel);
    fill_panel(w, weights, p * kPanel, range, panel.data());
    std::vector<float> sums;
    std::vector<float> part;
    for (std::size_t r = 0; r < rows; r += kMostRows) {
      task.run(panel.data(), p * kPanel, r, std::min(kMostRows, rows - r), sums, part);
      stop_point();
    }
  });
}

void put_key(const float* key, std::size_t dim, std::size_t place, float* keys) {
  float* const group = keys + place / kKeyGroup * kKeyGroup * dim + place % kKeyGroup;
  for (std::size_t d = 0; d < dim; ++d) group[d * kKeyGroup] = key[d];
}

void query_scores(const float* query, const float* keys, std::size_t dim, std::size_t count, float* scores) {
  static_assert(kKeyGroup == kPanel);
  for (std::size_t j = 0; j < count; j += kKeyGroup)
    HWY_DYNAMIC_DISPATCH(add_panel_of_rows)(query, 1, dim, keys + j * dim, dim, scores + j);
}

void add_weighted(const float* weights, const float* values, std::size_t count, std::size_t stride, std::size_t dim,
                  float* sums) {
  HWY_DYNAMIC_DISPATCH(add_weighted_values)(weights, values, count, stride, dim, sums);
}

void round_to(Format format, std::span<float> numbers) {
  if (format == Format::bf16)
    for (float& x : numbers) x = to_bf16(x);
  else if (format == Format::fp16)
    for (float& x : numbers) x = to_fp16(x);
}

}  // namespace orderlab
#endif
