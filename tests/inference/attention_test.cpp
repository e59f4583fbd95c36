#include "inference/attention.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "inference/drawn_numbers.hpp"
#include "inference/functions.hpp"
#include "inference/narrow_floats.hpp"
#include "inference/ordered_product.hpp"

namespace orderlab {

namespace {

struct DrawnHead {
  std::size_t dim;
  std::size_t keys;
  std::vector<float> query, placed, plain_keys, values;

  HeadMemory memory() const { return {placed.data(), values.data(), dim, keys}; }
};

DrawnHead drawn_head(std::size_t dim, std::size_t keys, std::uint64_t seed) {
  DrawnHead head{dim, keys, {}, {}, {}, {}};
  const auto draw = [&](std::size_t count) { return testing::drawn_numbers(count, seed++, Format::bf16); };
  head.query = draw(dim);
  head.plain_keys = draw(keys * dim);
  head.values = draw(keys * dim);
  head.placed.resize(key_room(keys, dim));
  for (std::size_t j = 0; j < keys; ++j) put_key(&head.plain_keys[j * dim], dim, j, head.placed.data());
  return head;
}

std::vector<float> attended(const DrawnHead& head, const AttentionKernel& kernel, const AttentionRounding& rounding) {
  AttentionRoom room;
  std::vector<float> out(head.dim);
  attend(head.query.data(), head.memory(), kernel, rounding, room, out.data());
  return out;
}

AttentionKernel kernel_of(std::size_t keys, std::size_t splits, std::size_t block, bool last_first = false) {
  return {splits, (keys + splits - 1) / splits, block, last_first, false, {}, {}};
}

/// In fp64, from the definition.
std::vector<double> exact_attention(const DrawnHead& head) {
  std::vector<double> scores(head.keys);
  double all = 0;
  for (std::size_t j = 0; j < head.keys; ++j) {
    for (std::size_t d = 0; d < head.dim; ++d)
      scores[j] += static_cast<double>(head.query[d]) * static_cast<double>(head.plain_keys[j * head.dim + d]);
    scores[j] = std::exp(scores[j] / std::sqrt(static_cast<double>(head.dim)));
    all += scores[j];
  }
  std::vector<double> out(head.dim);
  for (std::size_t d = 0; d < head.dim; ++d)
    for (std::size_t j = 0; j < head.keys; ++j)
      out[d] += scores[j] / all * static_cast<double>(head.values[j * head.dim + d]);
  return out;
}

constexpr AttentionRounding kFp32{Format::fp32, Format::fp32};

}  // namespace

TEST_CASE("attention is the weighted mean of the values, in any splits and blocks") {
  for (const std::size_t keys : std::vector<std::size_t>{1, 5, 64, 130}) {
    const DrawnHead head = drawn_head(32, keys, keys);
    const std::vector<double> exact = exact_attention(head);
    double largest = 0;
    for (const float v : head.values) largest = std::fmax(largest, std::fabs(static_cast<double>(v)));
    for (const std::size_t splits : std::vector<std::size_t>{1, 2, 4})
      for (const std::size_t block : std::vector<std::size_t>{16, 128}) {
        if (splits > keys) continue;
        CAPTURE(keys);
        CAPTURE(splits);
        const std::vector<float> out = attended(head, kernel_of(keys, splits, block, block == 16), kFp32);
        // Each of the sums, over keys or dimensions, has at most keys + dim + 20 roundings of 2^-24 on a path; scores,
        // below 32 here, enter an exponential, which multiplies theirs.
        const double bound = static_cast<double>(keys + 32 + 20) * 32 * 0x1p-24 * largest;
        for (std::size_t d = 0; d < head.dim; ++d) CHECK(std::fabs(static_cast<double>(out[d]) - exact[d]) <= bound);
      }
  }
}

TEST_CASE("one block of keys is exp, a rounding of it, and a chain over the keys") {
  constexpr std::size_t kKeys = 21;
  constexpr std::size_t kDim = 16;
  const DrawnHead head = drawn_head(kDim, kKeys, 3);
  const auto scale = static_cast<float>(0x1.71547652b82fep0 / 4);
  std::vector<float> scores(kKeys);
  float largest = -HUGE_VALF;
  for (std::size_t j = 0; j < kKeys; ++j) {
    for (std::size_t d = 0; d < kDim; ++d)
      scores[j] = std::fma(head.query[d], head.plain_keys[j * kDim + d], scores[j]);
    largest = std::fmax(largest, scores[j]);
  }
  float sums[4] = {};
  std::vector<float> weights(kKeys);
  for (std::size_t j = 0; j < kKeys; ++j) {
    const float exponent = std::fma(scores[j], scale, -largest * scale);
    weights[j] = static_cast<float>(fixed::exp(static_cast<double>(exponent) * 0x1.62e42fefa39efp-1));
    sums[j / 2 % 4] += weights[j];
  }
  round_to(Format::bf16, weights);
  const float inverse = 1 / ((sums[0] + sums[2]) + (sums[1] + sums[3]));
  std::vector<float> expected(kDim);
  for (std::size_t d = 0; d < kDim; ++d) {
    for (std::size_t j = 0; j < kKeys; ++j) expected[d] = std::fma(weights[j], head.values[j * kDim + d], expected[d]);
    expected[d] *= inverse;
  }
  round_to(Format::bf16, expected);
  CHECK(attended(head, kernel_of(kKeys, 1, 128), {Format::bf16, Format::bf16}) == expected);
}

TEST_CASE("a split rounds its probabilities after subtracting its own maximum") {
  const DrawnHead head = drawn_head(32, 64, 5);
  const AttentionRounding narrow{Format::bf16, Format::fp32};
  const std::vector<float> one = attended(head, kernel_of(64, 1, 128), narrow);
  const std::vector<float> four = attended(head, kernel_of(64, 4, 128), narrow);
  const std::vector<float> one_fp32 = attended(head, kernel_of(64, 1, 128), kFp32);
  const std::vector<float> four_fp32 = attended(head, kernel_of(64, 4, 128), kFp32);
  double rounded = 0;
  double ordered = 0;
  for (std::size_t d = 0; d < 32; ++d) {
    rounded += std::fabs(static_cast<double>(one[d]) - static_cast<double>(four[d]));
    ordered += std::fabs(static_cast<double>(one_fp32[d]) - static_cast<double>(four_fp32[d]));
  }
  CHECK(ordered > 0);
  CHECK(rounded > 1000 * ordered);  // 2^-9 beside 2^-24
}

}  // namespace orderlab
