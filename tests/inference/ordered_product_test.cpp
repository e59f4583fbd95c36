#include "inference/ordered_product.hpp"

#include <doctest/doctest.h>
#include <hwy/highway.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "orderlab/format.hpp"
#include "reference/vector_targets.hpp"

namespace orderlab {

namespace {

using testing::OnTarget;

float rounded_by_format(Format format, float x) {
  if (format == Format::fp32) return x;
  const std::uint64_t bits = round_to_bits(format, static_cast<double>(x));
  const int shift = format == Format::bf16 ? 16 : 0;
  if (format == Format::bf16) return std::bit_cast<float>(static_cast<std::uint32_t>(bits << shift));
  // fp16, by its definition
  const double sign = (bits & 0x8000U) != 0 ? -1 : 1;
  const auto exponent = static_cast<int>((bits >> 10) & 0x1FU);
  const auto fraction = static_cast<double>(bits & 0x3FFU);
  if (exponent == 31) return static_cast<float>(fraction == 0 ? sign * HUGE_VAL : NAN);
  if (exponent == 0) return static_cast<float>(sign * fraction * 0x1p-24);
  return static_cast<float>(sign * std::ldexp(1024 + fraction, exponent - 25));
}

std::vector<float> normal_numbers(std::size_t count, std::uint64_t seed, Format format) {
  std::mt19937_64 random(seed);
  std::normal_distribution<float> normal;
  std::vector<float> numbers(count);
  for (float& x : numbers) x = rounded_by_format(format, normal(random));
  return numbers;
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

template <class Check>
void on_every_target(Check check) {
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    CAPTURE(hwy::TargetName(target));
    const OnTarget on(target);
    check();
  }
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
    const std::vector<float> x = normal_numbers(c.rows * c.k, 1, c.format);
    const std::vector<float> w = normal_numbers(c.outputs * c.k, 2, c.format);
    const std::vector<float> bias = normal_numbers(c.outputs, 3, c.format);
    const std::vector<std::byte> bytes = stored(w, c.format);
    const WeightMatrix matrix{.format = c.format, .rows = c.outputs, .columns = c.k, .numbers = bytes.data()};
    std::vector<float> expected;
    for (std::size_t r = 0; r < c.rows; ++r)
      for (std::size_t o = 0; o < c.outputs; ++o)
        expected.push_back(literal_sum(&x[r * c.k], &w[o * c.k], c.range, c.split) + bias[o]);
    on_every_target([&] {
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
  const std::vector<float> w = normal_numbers(12 * 3, 5, Format::bf16);
  const std::vector<std::byte> bytes = stored(w, Format::bf16);
  const WeightMatrix matrix{
      .format = Format::bf16, .rows = 4, .columns = 3, .numbers = bytes.data(), .run = 2, .period = 6};
  const std::vector<float> x = normal_numbers(3, 6, Format::bf16);
  std::vector<float> out(4);
  ordered_product(x.data(), 1, matrix, Format::bf16, {0, 3}, {}, {}, out.data());
  std::vector<float> expected;
  for (const std::size_t row : std::vector<std::size_t>{0, 1, 6, 7})
    expected.push_back(literal_sum(x.data(), &w[row * 3], {0, 3}, {}));
  CHECK(same(out, expected));
}

TEST_CASE("scores and weighted values are chains of fused multiply-adds") {
  constexpr std::size_t kKeys = 37;
  for (const std::size_t dim : std::vector<std::size_t>{1, 7, 32, 80}) {
    CAPTURE(dim);
    const std::vector<float> query = normal_numbers(dim, 7, Format::bf16);
    const std::vector<float> keys = normal_numbers(kKeys * dim, 8, Format::bf16);
    const std::vector<float> weights = normal_numbers(kKeys, 9, Format::fp32);
    std::vector<float> placed(key_room(kKeys, dim));
    for (std::size_t j = 0; j < kKeys; ++j) put_key(&keys[j * dim], dim, j, placed.data());
    std::vector<float> expected(kKeys);
    for (std::size_t j = 0; j < kKeys; ++j) expected[j] = literal_sum(query.data(), &keys[j * dim], {0, dim}, {});
    std::vector<float> sums(dim, 0.5F);
    for (std::size_t d = 0; d < dim; ++d)
      for (std::size_t j = 0; j < kKeys; ++j) sums[d] = std::fma(weights[j], keys[j * dim + d], sums[d]);
    on_every_target([&] {
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

TEST_CASE("numbers are rounded as round_to_bits does") {
  std::mt19937_64 random(10);
  std::vector<float> numbers{0.0F,       -0.0F,           65519.0F,   65520.0F,   -70000.0F,
                             0x1p-14F,   0x1p-25F,        0x1.8p-24F, 0x1.4p-23F, HUGE_VALF,
                             -HUGE_VALF, 0x1.fffffep127F, 0x1.01p0F,  0x1.03p0F,  0x1p-149F};
  for (int i = 0; i < 100000; ++i) {
    const float x = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    if (x == x) numbers.push_back(x);
  }
  for (const Format format : {Format::bf16, Format::fp16, Format::fp32}) {
    std::vector<float> rounded = numbers;
    round_to(format, rounded);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      CAPTURE(numbers[i]);
      const float expected = rounded_by_format(format, numbers[i]);
      REQUIRE(std::memcmp(&rounded[i], &expected, sizeof(float)) == 0);
    }
  }
}

}  // namespace orderlab
