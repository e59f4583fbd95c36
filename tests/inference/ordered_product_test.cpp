#include "inference/ordered_product.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "inference/drawn_numbers.hpp"
#include "orderlab/format.hpp"
#include "reference/vector_targets.hpp"

namespace orderlab {

namespace {

using testing::drawn_numbers;
using testing::on_each_target;

float rounded_by_format(Format format, float x) {
  return static_cast<float>(value_of_bits(format, round_to_bits(format, static_cast<double>(x))));
}

std::vector<std::byte> stored(const std::vector<float>& numbers, Format format) {
  std::vector<std::byte> bytes(numbers.size() * info(format).held_bytes());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::uint64_t bits = round_to_bits(format, static_cast<double>(numbers[i]));
    std::memcpy(bytes.data() + i * info(format).held_bytes(), &bits, info(format).held_bytes());
  }
  return bytes;
}

/// One output, as documented.
float literal_sum(const float* x, const float* w, ProductRange range, const ProductSplit& split) {
  const std::size_t steps = (range.count + kSplitStep - 1) / kSplitStep;
  const std::size_t used = std::min(split.splits, steps);
  const std::size_t each = (steps + used - 1) / used * kSplitStep;
  float total = 0;
  for (std::size_t begin = 0; begin < range.count; begin += each) {
    float sum = 0;
    for (std::size_t k = begin; k < std::min(range.count, begin + each); ++k)
      sum = std::fma(x[range.begin + k], w[range.begin + k], sum);
    if (each >= range.count) return sum;
    const float part = rounded_by_format(split.partials, sum);
    total = begin == 0 ? part : rounded_by_format(split.partials, total + part);
  }
  return total;
}

bool same(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

}  // namespace

TEST_CASE("an ordered product is one chain of fused multiply-adds a split, whatever the vectors") {
  struct Case {
    std::size_t rows, outputs, k;
    Format format;
    ProductRange range;
    ProductSplit split;
  };
  const Case cases[] = {
      {1, 1, 1, Format::bf16, {0, 1}, {}},
      {3, 17, 33, Format::bf16, {0, 33}, {}},
      {13, 15, 64, Format::fp16, {0, 64}, {}},
      {25, 31, 100, Format::fp32, {0, 100}, {}},
      {241, 16, 40, Format::bf16, {0, 40}, {}},
      {7, 33, 130, Format::bf16, {0, 130}, {4, Format::fp32}},
      {7, 33, 130, Format::bf16, {0, 130}, {4, Format::bf16}},
      {7, 5, 130, Format::fp16, {0, 130}, {100, Format::fp16}},
      {5, 20, 128, Format::bf16, {32, 64}, {2, Format::fp32}},
  };
  for (const Case& c : cases) {
    CAPTURE(c.rows);
    CAPTURE(c.outputs);
    CAPTURE(c.k);
    const std::vector<float> x = drawn_numbers(c.rows * c.k, 1, c.format);
    const std::vector<float> w = drawn_numbers(c.outputs * c.k, 2, c.format);
    const std::vector<float> bias = drawn_numbers(c.outputs, 3, c.format);
    const std::vector<std::byte> bytes = stored(w, c.format);
    const WeightMatrix matrix{.format = c.format, .rows = c.outputs, .columns = c.k, .numbers = bytes.data()};
    std::vector<float> expected;
    for (std::size_t r = 0; r < c.rows; ++r)
      for (std::size_t o = 0; o < c.outputs; ++o)
        expected.push_back(literal_sum(&x[r * c.k], &w[o * c.k], c.range, c.split) + bias[o]);
    on_each_target([&] {
      std::vector<float> out(c.rows * c.outputs);
      ordered_product(x.data(), c.rows, matrix, c.format, c.range, c.split, bias, out.data());
      CHECK(same(out, expected));
    });
  }
}

TEST_CASE("weights are rounded to the format of the product") {
  const std::vector<float> w{1.0F + 0x1p-10F, 3.0F, -0x1.fffp3F};
  const std::vector<std::byte> bytes = stored(w, Format::fp32);
  const WeightMatrix matrix{.format = Format::fp32, .rows = 3, .columns = 1, .numbers = bytes.data()};
  const float one = 1;
  std::vector<float> out(3);
  ordered_product(&one, 1, matrix, Format::bf16, {0, 1}, {}, {}, out.data());
  CHECK(same(out, {1.0F, 3.0F, -16.0F}));
  ordered_product(&one, 1, matrix, Format::fp16, {0, 1}, {}, {}, out.data());
  CHECK(same(out, {1.0F + 0x1p-10F, 3.0F, -16.0F}));
}

TEST_CASE("rows of a matrix may lie in runs with others between") {
  const std::vector<float> w = drawn_numbers(12 * 3, 5, Format::bf16);
  const std::vector<std::byte> bytes = stored(w, Format::bf16);
  const WeightMatrix matrix{
      .format = Format::bf16, .rows = 4, .columns = 3, .numbers = bytes.data(), .run = 2, .period = 6};
  const std::vector<float> x = drawn_numbers(3, 6, Format::bf16);
  std::vector<float> out(4);
  ordered_product(x.data(), 1, matrix, Format::bf16, {0, 3}, {}, {}, out.data());
  std::vector<float> expected;
  for (const std::size_t row : std::vector<std::size_t>{0, 1, 6, 7})
    expected.push_back(literal_sum(x.data(), &w[row * 3], {0, 3}, {}));
  CHECK(same(out, expected));
}

TEST_CASE("splits that arrive are added in the order that is drawn for each row and 128 outputs") {
  constexpr std::size_t kRows = 15;
  constexpr std::size_t kOutputCount = 150;
  constexpr std::size_t kK = 130;
  const std::vector<float> x = drawn_numbers(kRows * kK, 1, Format::bf16);
  const std::vector<float> w = drawn_numbers(kOutputCount * kK, 2, Format::bf16);
  const std::vector<std::byte> bytes = stored(w, Format::bf16);
  const WeightMatrix matrix{.format = Format::bf16, .rows = kOutputCount, .columns = kK, .numbers = bytes.data()};
  std::vector<TokenDraws> rows;
  for (std::size_t r = 0; r < kRows; ++r) rows.emplace_back(3, 1, r, 7);
  const ProductDraws draws{rows, 11};
  for (const Format partials : {Format::fp32, Format::bf16}) {
    const ProductSplit split{5, partials, true};
    std::vector<float> expected;
    for (std::size_t r = 0; r < kRows; ++r)
      for (std::size_t o = 0; o < kOutputCount; ++o) {
        std::vector<std::uint32_t> order(5);
        rows[r].arrivals(11, o / kTileOutputs, order);
        float total = 0;
        for (std::size_t s = 0; s < order.size(); ++s) {
          const std::size_t begin = order[s] * kSplitStep;
          const float part = rounded_by_format(
              partials, literal_sum(&x[r * kK], &w[o * kK], {begin, std::min(kSplitStep, kK - begin)}, {}));
          total = s == 0 ? part : rounded_by_format(partials, total + part);
        }
        expected.push_back(total);
      }
    on_each_target([&] {
      std::vector<float> out(kRows * kOutputCount);
      ordered_product(x.data(), kRows, matrix, Format::bf16, {0, kK}, split, {}, out.data(), &draws);
      CHECK(same(out, expected));
      ordered_product(x.data(), kRows, matrix, Format::bf16, {0, kK}, split, {}, out.data());
      CHECK_FALSE(same(out, expected));  // in turn
    });
  }
}

TEST_CASE("scores and weighted values are chains of fused multiply-adds") {
  constexpr std::size_t kKeys = 37;
  for (const std::size_t dim : std::vector<std::size_t>{1, 7, 32, 80}) {
    CAPTURE(dim);
    const std::vector<float> query = drawn_numbers(dim, 7, Format::bf16);
    const std::vector<float> keys = drawn_numbers(kKeys * dim, 8, Format::bf16);
    const std::vector<float> weights = drawn_numbers(kKeys, 9, Format::fp32);
    std::vector<float> placed(key_room(kKeys, dim));
    for (std::size_t j = 0; j < kKeys; ++j) put_key(&keys[j * dim], dim, j, placed.data());
    std::vector<float> expected(kKeys);
    for (std::size_t j = 0; j < kKeys; ++j) expected[j] = literal_sum(query.data(), &keys[j * dim], {0, dim}, {});
    std::vector<float> sums(dim, 0.5F);
    for (std::size_t d = 0; d < dim; ++d)
      for (std::size_t j = 0; j < kKeys; ++j) sums[d] = std::fma(weights[j], keys[j * dim + d], sums[d]);
    on_each_target([&] {
      std::vector<float> scores(48);
      query_scores(query.data(), placed.data(), dim, kKeys, scores.data());
      scores.resize(kKeys);
      CHECK(same(scores, expected));
      std::vector<float> out(dim, 0.5F);
      add_weighted(weights.data(), keys.data(), kKeys, dim, dim, out.data());
      CHECK(same(out, sums));
    });
  }
}

}  // namespace orderlab
