// Matrix products whose sums have a fixed order: each output is one chain of fused multiply-adds in fp32 for each split
// of k. The same bits for any number of threads and any width of vectors, since lanes hold different outputs.
#pragma once

#include <cstddef>
#include <span>

#include "orderlab/format.hpp"
#include "orderlab/language_model.hpp"

namespace orderlab {

/// How the sum over k is split.
struct ProductSplit {
  std::size_t splits = 1;          ///< consecutive parts of k, in steps of kSplitStep
  Format partials = Format::fp32;  ///< each split's sum is rounded to it, and they are added in it from left to right

  friend bool operator==(const ProductSplit&, const ProductSplit&) = default;
};

/// Products of one step of a kernel's loop over k: splits begin at multiples of it, as those of `matmul` do.
inline constexpr std::size_t kSplitStep = 32;

/// Products of a part of k.
struct ProductRange {
  std::size_t begin = 0;
  std::size_t count = 0;
};

/// out = x w^T for columns range.begin .. range.begin + range.count - 1 of x and w, plus bias, in fp32: the sum of each
/// output starts from +0 and takes fma(x, w, sum) from left to right.
///
/// Shape: x is rows x w.columns, out rows x w.rows, both row-major. Weights are rounded to `weights`, to nearest, and
///        have to be finite in it.
/// Cost:  10 to 16 G multiply-adds a second and core with AVX-512, for 200 rows or more (bench/inference_bench.cpp).
void ordered_product(const float* x, std::size_t rows, const WeightMatrix& w, Format weights, ProductRange range,
                     const ProductSplit& split, std::span<const float> bias, float* out);

/// Keys of one head, for products with queries: keys in groups of kKeyGroup, within which lanes are keys.
inline constexpr std::size_t kKeyGroup = 16;

/// Numbers of memory for so many keys.
constexpr std::size_t key_room(std::size_t keys, std::size_t dim) {
  return (keys + kKeyGroup - 1) / kKeyGroup * kKeyGroup * dim;
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

/// Number i of a row of weights of that format.
float weight_at(const std::byte* row, Format format, std::size_t i);

/// Rounds numbers to `format`, one of fp32, fp16, bf16: to nearest, ties to even.
void round_to(Format format, std::span<float> numbers);

}  // namespace orderlab
