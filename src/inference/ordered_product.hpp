// Matrix products whose sums have a fixed order: each output is one chain of fused multiply-adds in fp32 for each split
// of k. The same bits for any number of threads and any width of vectors, since lanes hold different outputs.
#pragma once

#include <cstddef>
#include <span>

#include "inference/token_draws.hpp"
#include "order/counts.hpp"
#include "orderlab/format.hpp"
#include "orderlab/language_model.hpp"

namespace orderlab {

/// How the sum over k is split.
struct ProductSplit {
  std::size_t splits = 1;          ///< consecutive parts of k, in steps of kSplitStep
  Format partials = Format::fp32;  ///< each split's sum is rounded to it, and they are added in it from left to right
  bool arrive = false;             ///< in runs that draw, they are added as they arrive

  friend bool operator==(const ProductSplit&, const ProductSplit&) = default;
};

/// Products of one step of a kernel's loop over k: splits begin at multiples of it, as those of `matmul` do.
inline constexpr std::size_t kSplitStep = 32;

/// Products of a part of k.
struct ProductRange {
  std::size_t begin = 0;
  std::size_t count = 0;
};

/// The draws of a product's rows.
struct ProductDraws {
  std::span<const TokenDraws> rows;
  std::uint64_t product = 0;  ///< its number in the model
};

/// Outputs whose sums of splits arrive in one order: a tile of a GPU's kernel.
inline constexpr std::size_t kTileOutputs = 128;

/// out = x w^T for columns range.begin .. range.begin + range.count - 1 of x and w, plus bias, in fp32: the sum of each
/// output starts from +0 and takes fma(x, w, sum) from left to right.
///
/// Shape: x is rows x w.columns, out rows x w.rows, both row-major. Weights are rounded to `weights`, to nearest, and
///        have to be finite in it.
/// Draws: where there are any and split.arrive, splits of a row are added in one drawn order for each kTileOutputs.
/// Cost:  57 to 67 G multiply-adds a second and core with AVX-512, 35 to 38 with AVX2, for 200 rows or more of 768 to
///        2048 columns in bf16 on a Xeon of 2023 (Sapphire Rapids), all data in its caches; about 1 G for one row,
///        whose weights are converted for it alone.
void ordered_product(const float* x, std::size_t rows, const WeightMatrix& w, Format weights, ProductRange range,
                     const ProductSplit& split, std::span<const float> bias, float* out,
                     const ProductDraws* draws = nullptr);

/// Keys of one head, for products with queries: keys in groups of kKeyGroup, within which lanes are keys.
inline constexpr std::size_t kKeyGroup = 16;

/// Numbers of memory for so many keys.
constexpr std::size_t key_room(std::size_t keys, std::size_t dim) {
  return ceil_div(keys, kKeyGroup) * kKeyGroup * dim;
}

/// Puts a key of `dim` numbers in its place.
void put_key(const float* key, std::size_t dim, std::size_t place, float* keys);

/// scores[j] = q . key j for j = 0 .. count - 1, a chain of fused multiply-adds from +0.
///
/// Shape: scores has room for count rounded up to a multiple of kKeyGroup.
void query_scores(const float* query, const float* keys, std::size_t dim, std::size_t count, float* scores);

/// sums[d] = fma(weight[j], values[j * stride + d], sums[d]) for j = 0 .. count - 1 in turn.
void add_weighted(const float* weights, const float* values, std::size_t count, std::size_t stride, std::size_t dim,
                  float* sums);

}  // namespace orderlab
